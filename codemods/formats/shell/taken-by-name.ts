/** Variables that a command takes by their names: a program in a language of its own that stands there, what ssh sends along, the environment put into a file. */
import type { Stretch } from '../reading.ts';
import type { Scope } from '../variables.ts';
import { hereDocumentBehind } from './handed-over.ts';
import type { Run } from './runs.ts';

/** What a text without a variable of the shell may take one by. */
export const mayTakeByName = /\s(?:-e|--env|--build-arg)[\s=]|environ|getenv|\bENV\b|\benv\.|SendEnv|\b(?:print)?env[ \t]*[|>]/;

const interpreter = /^@?(?:.*\/)?(?:python[\d.]*|perl|ruby|php|node|deno|bun|[gm]?awk|jq|Rscript|lua)$/;
/** `os.environ["NAME"]`, `getenv('NAME')`, `$ENV{NAME}`, `ENV.fetch("NAME")`, `process.env.NAME`, `ENVIRON["NAME"]` */
const asked = /\b(?:environ(?:\.get)?|getenv|ENV(?:IRON)?(?:\.fetch)?|env)\s*[[({.]+\s*["']?([A-Za-z_]\w*)/g;
/** `-o SendEnv=NAME`, with stars in it, or several. */
const sent = /^(?:-o)?\s*SendEnv[=\s]\s*(.+)$/i;
/** `env | grep API_ > .env`: all, or what is sought of them. */
const dumped =
  /^@?(?:env|printenv|export[ \t]+-p|declare[ \t]+-p?x)[ \t]*(?:\|[ \t]*(?<through>[^\n;&>|]*)(?:\|[^\n;&>|]*)*)?(?:>|(?<=\|[ \t]*)tee\b)(?![ \t]*\/dev\/|&)/;

export function takenByName({ words, start, end }: Run, { text }: Stretch, scope: Scope): string[] {
  const from = words.findIndex(({ value }) => interpreter.test(value));
  const programs = from === -1 ? [] : [...words.slice(from + 1).map(({ value }) => value), hereDocumentBehind(text, end)?.text ?? ''];
  const inPrograms = programs.flatMap((value) => Array.from(value.matchAll(asked), ([, name = '']) => name));
  const patterns = words.flatMap(({ value }) => sent.exec(value)?.[1]?.split(/\s+/) ?? []).map((each) => each.replaceAll('*', '.*'));
  const dump = dumped.exec(text.slice(start, start + maxLine));
  if (dump !== null) patterns.push(soughtBy(dump.groups?.['through'] ?? ''));
  return [...inPrograms, ...(patterns.length === 0 ? [] : namesLike(patterns, text, scope))];
}

/** Characters of a command that are looked at. */
const maxLine = 400;

/** What `grep` lets through, of a name. */
function soughtBy(filter: string): string {
  const [, name] = /^grep[ \t]+(?:-[Ee][ \t]+)?["']?\^?(\w+)[="']*[ \t]*$/.exec(filter) ?? [];
  return name === undefined ? '.*' : `.*${name}.*`;
}

function namesLike(patterns: readonly string[], text: string, scope: Scope): string[] {
  const plain = patterns.filter((pattern) => /^[\w.*]+$/.test(pattern));
  const like = new RegExp(`^(?:${plain.join('|')})$`);
  const named = new Set(Array.from(text.matchAll(/(?<![\w$])[A-Za-z_]\w*(?=["']?[ \t]*:?[=:])/g), ([name]) => name));
  return plain.length === 0 ? [] : [...named].filter((name) => like.test(name) && scope.has(name));
}
