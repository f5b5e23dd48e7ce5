/** Files of variables that programs are given by what starts them: `docker run --env-file .env`, `source .env`, `include .env`, a Procfile, a unit of systemd. */
import { isMakefile, scheduled } from '../../find/kinds.ts';
import { basename } from 'node:path/posix';
import type { TextRange } from '../text.ts';
import { plain } from '../text.ts';
import type { ForeignScript } from '../reading.ts';
import { commandOf, imageRun, programOfOthers, scriptsRun } from './others.ts';
import { type Run, understand } from './runs.ts';
import { commandsIn } from './words.ts';

export interface GivenFile extends TextRange {
  /** The path of a file, or what a ConfigMap or a secret is called. */
  readonly name: string;
  readonly kind: 'file' | 'map';
}

type IsHere = (script: ForeignScript, by: string) => boolean;
type IsMadeHere = (image: string) => boolean | 'likely' | 'doubtful' | undefined;

/** @returns those of programs that somebody else made */
export function givenByCommands(text: string, file: string, isMadeHere: IsMadeHere, isHere: IsHere): GivenFile[] {
  const name = basename(file);
  if (name.endsWith('.service')) return givenByUnit(text);
  const runs = commandsOf(text, name);
  const runsAbsent = (run: Run): boolean => scriptsRun(run)?.some((script) => !isHere(script, file)) === true;
  const isOthersLoaded = (run: Run): boolean => runsAbsent(run) || programOfOthers(run.words) !== undefined;
  const isOthers = (run: Run): boolean => {
    const image = imageRun(run);
    const isOwn = image === undefined ? commandOf(run)?.isOwn : (image.isOwn ?? isMadeHere(image.name));
    return runsAbsent(run) || isOwn === false || (image !== undefined && isOwn === 'doubtful');
  };
  const toAll = filesForAll(text, name);
  // Each line of a crontab has a shell of its own.
  const isLine = isCrontab(name, text);
  const reaches = (from: number, to: number): boolean => from < to && !(isLine && text.slice(from, to).includes('\n'));
  return runs.flatMap((whole) => {
    // `env $(cat .env | xargs) command`
    const run = {
      ...whole,
      words: whole.words.slice(
        Math.max(
          0,
          whole.words.findIndex(({ value }) => !/^[$`]/.test(value)),
        ),
      ),
    };
    const words = run.words.map(({ value }) => value);
    const written = text.slice(run.start, run.end);
    const given = [...toAll.filter(({ start }) => reaches(start, run.start)).map((each) => each.name), ...writtenInto(written)];
    const loaded = loadedBy(words);
    const isGiven = loaded === undefined ? isOthers(run) : isOthersLoaded({ ...run, words: run.words.slice(loaded.from) });
    if (!isGiven) return [];
    const { start, end } = run;
    const files = loaded === undefined ? [...given, ...optionsOf(words, /^--env-file$/)] : [...given, ...loaded.files];
    return files.map((each): GivenFile => ({ name: each, kind: 'file', start, end }));
  });
}

/** The commands of a script; of package.json and a Procfile each line is one. */
function commandsOf(text: string, name: string): Run[] {
  // Of a justfile, the lines of recipes.
  const lines = isJust(name)
    ? /(?<=^[ \t]+[@-]?)[^\s@-].*/gm
    : name === 'package.json'
      ? /(?<=":\s*")[^"\n]+/g
      : name.startsWith('Procfile')
        ? /(?<=^[\w-]+:).+/gm
        : isCrontab(name, text)
          ? scheduledCommand
          : undefined;
  const texts = lines === undefined ? [plain(text, 0)] : Array.from(text.matchAll(lines), ({ 0: line, index }) => plain(line, index));
  return texts.flatMap(commandsIn).map(understand);
}

/** What stands behind the time, and on a machine behind who runs it. */
const scheduledCommand = new RegExp(String.raw`(?<=${scheduled.source}).+`, 'gm');
const isCrontab = (name: string, text: string): boolean =>
  !/\.(?:\w*sh|mk|just)$|^(?:GNU)?makefile/i.test(name) && text.search(scheduledCommand) !== -1;

const isJust = (name: string): boolean => /^\.?justfile$|\.just$/i.test(name);

/** What all commands have that come afterwards. */
function filesForAll(text: string, name: string): { readonly name: string; readonly start: number }[] {
  // Foreman and its like read the one beside.
  if (name.startsWith('Procfile')) return [{ name: '.env', start: -1 }];
  if (isJust(name)) return /^set[ \t]+dotenv-(?:load\b(?!.*false)|required|filename)/m.test(text) ? [{ name: '.env', start: -1 }] : [];
  const isMake = isMakefile(name);
  const isExported = isMake ? /^(?:export\b|\.EXPORT_ALL_VARIABLES)/m : /\bset\s+-\w*a|\ballexport\b/;
  const including = isMake ? /^-?include[ \t]+(\S+)/gm : /(?:^|&&|;)[ \t]*(?:\.|source)[ \t]+["']?([^\s"';&|]+)/gm;
  const included = isExported.test(text) ? Array.from(text.matchAll(including)) : [];
  // `export $(grep -v '^#' .env | xargs)`
  const written = Array.from(text.matchAll(/^[ \t]*export[ \t]+[^\n]*/gm)).flatMap(({ 0: line, index }) =>
    writtenInto(line).map((each) => ({ name: each, start: index })),
  );
  return [...included.map(({ 1: path = '', index }) => ({ name: path, start: index })), ...written];
}

/** `env $(cat .env | xargs) command` */
const writtenInto = (line: string): string[] =>
  Array.from(line.matchAll(/(?:\$\(|`)\s*(?:cat|grep|sed|egrep)\b[^)`]*?([\w./-]*\.env[\w.-]*)/g), ([, path = '']) => path);

/** What loads files for the command behind it: `dotenv -e .env -- command`, `env-cmd -f .env command`. */
function loadedBy(words: readonly string[]): { readonly files: readonly string[]; readonly from: number } | undefined {
  if (!/^(?:dotenvx?|dotenv-cli|env-cmd)$/.test(words[0] ?? '')) return undefined;
  const files = optionsOf(words, /^(?:-[ef]|--(?:env-)?file)$/);
  const behind = words.indexOf('--');
  const isOption = (at: number): boolean => words[at]?.startsWith('-') === true || words[at] === 'run' || files.includes(words[at] ?? '');
  const own = words.findIndex((_, at) => at > 0 && !isOption(at));
  const ownFrom = own === -1 ? words.length : own;
  return { files: files.length === 0 ? ['.env'] : files, from: behind === -1 ? ownFrom : behind + 1 };
}

function givenByUnit(text: string): GivenFile[] {
  const [, started = ''] = /^ExecStart=[-@:+!]*(.*)/m.exec(text) ?? [];
  if (!commandsIn(plain(started, 0)).some((command) => programOfOthers(understand(command).words) !== undefined)) return [];
  return Array.from(text.matchAll(/^EnvironmentFile=-?(\S+)/gm), ({ 0: line, 1: name = '', index }) => ({
    name,
    kind: 'file',
    start: index,
    end: index + line.length,
  }));
}

/** `--env-file .env`, `--env-file=.env` */
const optionsOf = (words: readonly string[], option: RegExp): string[] =>
  words.flatMap((word, at) => {
    const [name = '', value] = word.split('=', 2);
    return option.test(name) ? (value ?? words[at + 1] ?? []) : [];
  });
