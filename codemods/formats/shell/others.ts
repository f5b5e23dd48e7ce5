/** Commands that run what a package made, and nothing that stands in these files. */
import type { ForeignScript, Program } from '../reading.ts';
import { type Text, plain } from '../text.ts';
import { isKnownCommand } from './known-commands.ts';
import { interpretedBy } from './interpreted.ts';
import { asks, isRead } from './programs.ts';
import { type Run, containerTool, understand } from './runs.ts';
import { commandsIn } from './words.ts';

/** They run an installed package by its name; of what stands behind a loader of variables, npx is not left out before. */
const launching = /^(?:npx|bunx|pnpx)$|^(?:pnpm|yarn|npm|bun) (?:dlx|exec|x)$/;
const shells = /^(?:.*\/)?(?:ba|z|da|k)?sh$/;
const script = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|py|rb|php|pl|jar|go)$/;
/** Where a machine has what is installed. */
const installed = /^(?:\/(?:usr\/(?:local\/)?|opt\/[^/]+\/)?s?bin|(?:\.\/|.*\/)?node_modules\/\.bin)\//;

/** The program that a command is, which its package made unless it is known to run what these files hold. */
export function commandOf(run: Run | undefined): Program | undefined {
  const [first] = run?.words ?? [];
  if (run === undefined || first === undefined) return undefined;
  // What cross-env gives to others stays anyway.
  if (run.isGiven) {
    const scripts = scriptsRun(run);
    return scripts && { name: first.value, isOwn: true, scripts };
  }
  const image = imageRun(run) ?? partOfFolder(run);
  if (image !== undefined) return { ...image, scripts: scriptsRun(run) };
  const other = programOfOthers(run.words);
  return { name: other ?? first.value, isOwn: other === undefined, scripts: scriptsRun(run) };
}

/** The scripts that a command runs, or one that it is given as a text or starts; of a container, what that is told to run. */
export function scriptsRun(run: Pick<Run, 'words' | 'start' | 'end'>): readonly ForeignScript[] | undefined {
  const { start, end } = run;
  if (tellsOnly.test(run.words[0]?.value ?? '')) return undefined;
  const words = imageRun(run)?.command ?? run.words;
  const behind = words.findIndex(({ value }) => value === '--') + 1;
  const from =
    behind > 0 ? behind : starting.test(words[0]?.value ?? '') ? words.findIndex(({ value }, at) => at > 0 && !/^(?:-|\d)/.test(value)) : 0;
  const own = interpretedBy({ words: words.slice(Math.max(0, from)), start, end });
  if (own !== undefined) return [own];
  const given = words.flatMap((word) => (/\s/.test(word.value) && mayInterpret.test(word.value) ? commandsIn(word).map(understand) : []));
  // Another machine has only what is set there.
  const isAway = words[0]?.value === 'ssh';
  const found = given.flatMap(({ words: inner, sets }) =>
    isAway && sets.length === 0 ? [] : (interpretedBy({ words: inner, start, end }) ?? []),
  );
  return found.length === 0 ? undefined : found;
}

/** The scripts of all commands, what is fetched and run at once among them: `curl https://… | bash`, `bash -c "$(curl …)"`. */
export const scriptsOf = (runs: readonly Run[]): { readonly run: Run; readonly scripts: readonly ForeignScript[] }[] =>
  runs.flatMap((run, at) => {
    const scripts = scriptsRun(run) ?? fetchedFor(run, runs[at - 1]);
    return scripts === undefined ? [] : [{ run, scripts }];
  });

function fetchedFor({ words: [first, ...given], start, end }: Run, before: Run | undefined): ForeignScript[] | undefined {
  if (first === undefined || !shells.test(first.value)) return undefined;
  const within = given.find(({ value }) => /^(?:<|\$)\((?:curl|wget)\s/.test(value))?.value;
  const isPiped =
    before?.isPiped === true &&
    /^(?:curl|wget)$/.test(before.words[0]?.value ?? '') &&
    (given.length === 0 || /^-s?/.test(given[0]?.value ?? ''));
  const [url] = (within ?? (isPiped ? before.words.map(({ value }) => value).join(' ') : '')).match(/https?:\/\/[^\s"')]+/) ?? [];
  return url === undefined || installer.test(url) ? undefined : [{ paths: [url], start, end }];
}

/** What only puts a tool onto the machine. */
const installer =
  /install|setup|\bget\b|get-|\/\/sh\.|rustup|nvm|bun\.sh|deno\.land|pnpm|codecov|nodesource|docker\.com|helm|volta|railway|fly\.io|vercel|netlify|brew|mise|astral|poetry/i;

const mayInterpret = /\b(?:python|ruby|perl|php|node|tsx|deno|bun|(?:ba|z)?sh)|\.(?:py|rb|php|pl|sh|[cm]?[jt]s)\b|\.\.?\//;
/** What is given texts that nobody runs. */
const tellsOnly = /^@?(?:echo|printf|git|curl|wget|grep|egrep|sed|awk|jq|test|\[|cat|chmod|cp|mv|rm|ls|mkdir|touch|docker-compose)$/;

/** The program that a text starts, which may be several commands. */
export function commandGiven(value: string, text = plain(value, 0)): Program {
  const runs = commandsIn(text).map(understand);
  const [other] = runs.flatMap(({ words }) => programOfOthers(words) ?? []);
  const scripts = runs.flatMap((run) => scriptsRun(run) ?? []);
  return { name: other ?? value.trim(), isOwn: other === undefined, scripts: scripts.length === 0 ? undefined : scripts };
}

/** Of an image. */
export const withoutVersion = (image: string): string => image.replace(/(?:@sha256)?:[\w.-]+$/, '');

/** @returns what the program is called, where nothing says that it runs code of these files */
export function programOfOthers(words: readonly Text[]): string | undefined {
  const [first, second] = words;
  if (first === undefined || isRead({ words })) return undefined;
  const { value } = first;
  const behind = words.findIndex((word) => word.value === '--') + 1;
  if (shells.test(value) || isRunner.test(value))
    return words
      .slice(1)
      .flatMap((word) => (/\s/.test(word.value) ? (runOfOthers(word) ?? []) : []))
      .at(0);
  if (launching.test(value) || launching.test(`${value} ${second?.value ?? ''}`)) {
    const rest = words.slice(launching.test(value) ? 1 : 2).filter((word) => !word.value.startsWith('-'));
    return programOfOthers(rest);
  }
  // Of an entry point, what a container is told to run may come behind.
  if (behind > 0) return programOfOthers(words.slice(behind));
  if (starting.test(value)) return programOfOthers(words.slice(1).filter((word) => !/^(?:-|\d)/.test(word.value)));
  const ofMachine = programOfMachine(words);
  if (ofMachine !== undefined) return ofMachine;
  // The package with its scope, and without its version; a recipe of Make may have a sign before it.
  const name = value
    .replace(installed, '')
    .replace(/^[-@+]+(?=[^/]*$)/, '')
    .replace(/(?<=.)@[^/@]*$/, '');
  // `$(MAKE)` of a recipe is no command.
  const isPlain = /^(?:@[\w.-]+\/)?[A-Za-z][\w.-]*$/.test(name) && /[a-z]/.test(name);
  if (!isPlain || isKnownCommand(name)) return undefined;
  return words.some((word) => script.test(word.value) && !word.value.includes('node_modules/')) ? undefined : name;
}

/** Where a machine has what no project put there. */
const placeOfMachine = /^\/(?:opt|usr|snap|Applications)\//;
/** What runs a program in another language, which may be one that was built elsewhere. */
const interpreter = /^@?(?:.*\/)?(?:java|python[\d.]*|ruby|perl|php|dotnet|mono)$/;
const builtElsewhere = /^\/(?:opt|usr|srv|var|home)\/|^(?!(?:.*\/)?(?:target|build|dist|out)\/).*\.(?:jar|war|dll)$/;

/** @returns the program that a machine has, or something that was built elsewhere is: `/opt/vendor/sync`, `java -jar sync.jar` */
export function programOfMachine([first, ...rest]: readonly Text[]): string | undefined {
  const value = first?.value.replace(/^@/, '') ?? '';
  if (interpreter.test(value)) return rest.some((word) => builtElsewhere.test(word.value)) ? value : undefined;
  return placeOfMachine.test(value) && !installed.test(value) && !script.test(value) ? value : undefined;
}

/** What only starts the command behind it. */
export const starting = /^(?:dumb-init|tini|catatonit|su-exec|gosu|exec|nice|time|timeout|setsid|stdbuf)$/;

/** What is given commands as texts. */
const isRunner = /^(?:concurrently|npm-run-all2?|run-[sp]|start-server-and-test|nodemon|tsc-watch|ssh|eval|watch|xargs)$/;

/** Whether a command, or one that it is given as a text, runs code of these files. */
export const runsOwn = (run: Pick<Run, 'words'>): boolean =>
  asks(run) || run.words.some((word) => /\s/.test(word.value) && commandsIn(word).map(understand).some(asks));

function runOfOthers(text: Text): string | undefined {
  for (const { words } of commandsIn(text).map(understand)) {
    const found = programOfOthers(words);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface ImageRun {
  readonly name: string;
  readonly isOwn: true | undefined;
  /** What it is told to run. */
  readonly command: readonly Text[];
}

/** The image that `docker run` starts, without its version, and whether it is given the folder of the project or a script of it. */
export function imageRun({ words }: Pick<Run, 'words'>): ImageRun | undefined {
  const [, ...rest] = words.map(({ value }) => value);
  const first = containerTool(words[0]?.value);
  const from = rest.findIndex((word) => word === 'run' || word === 'create');
  if (first === 'kubectl') {
    const image = rest.find((word, at) => word.startsWith('--image=') || rest[at - 1] === '--image')?.replace('--image=', '');
    return from === -1 || image === undefined
      ? undefined
      : { name: withoutVersion(image), isOwn: undefined, command: words.slice(words.findIndex(({ value }) => value === '--') >>> 0) };
  }
  if (!/^(?:docker|podman|nerdctl)$/.test(first ?? '') || from === -1 || rest[0] === 'compose') return undefined;
  const at = behindOptions(rest, from + 1);
  const name = rest[at];
  if (name === undefined) return undefined;
  const isMounted = rest.slice(0, at).some((word) => /^(?:--volume=)?(?:\.{1,2}\/?|\$[({]?(?:pwd|PWD)[)}]?(?!\/\.\.)[^:]*):/.test(word));
  const command = words.slice(at + 2);
  return { name: withoutVersion(name), isOwn: isMounted || (command.length > 0 && isRead({ words: command })) || undefined, command };
}

/** `docker exec -e NAME container command`, `docker compose run -e NAME service`, `docker build --build-arg NAME .` */
function partOfFolder({ words }: Pick<Run, 'words'>): Program | undefined {
  const [, ...rest] = words.map(({ value }) => value);
  const first = containerTool(words[0]?.value);
  if (first === undefined || first === 'kubectl') return undefined;
  const verb = rest.find((word) => /^(?:exec|run|build|bud)$/.test(word));
  if (verb === undefined) return undefined;
  const called = rest[behindOptions(rest, rest.indexOf(verb) + 1)];
  return { name: [first, verb, ...(/^(?:exec|run)$/.test(verb) && called !== undefined ? [called] : [])].join(' '), isOwn: undefined };
}

/** Where what is started stands, behind the options of the tool. */
function behindOptions(words: readonly string[], from: number): number {
  let at = from;
  while (words[at]?.startsWith('-') === true) at += hasNoValue.test(words[at] ?? '') ? 1 : 2;
  return at;
}

const hasNoValue =
  /^--?\w[\w-]*=|^-[ditP]+$|^-[ditP]*e[A-Z_]|^--(?:rm|detach|interactive|tty|init|privileged|read-only|publish-all|no-healthcheck)$/;
