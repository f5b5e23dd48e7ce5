/** Places in a text without a tree: which of them stand in comments, and whom the command around one asks. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { TextRange } from '../../formats/text.ts';

/** How far back from a literal its line is read, in characters. */
const nearby = 2_000;

/** Whether a literal stands in a comment of its own line, in whatever way the format writes one. */
export function isComment({ file, text }: Pick<SourceText, 'file' | 'text'>, { start }: TextRange): boolean {
  const before = text.slice(Math.max(0, start - nearby), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  // What begins a comment elsewhere begins a heading or an item of a list.
  if (forPeople.test(file)) return /^\s*<!--/.test(line);
  if (line.length < nearby && /^\s*\*/.test(line)) return text.lastIndexOf('/*', start) > text.lastIndexOf('*/', start);
  return (line.length < nearby && /^\s*(?:#|\/\/|\/\*|;|<!--)/.test(line)) || /\s#\s[^"']*$/.test(line);
}

export const forPeople = /\.(?:mdx?|txt|rst|org|adoc|asciidoc)$/i;

/**
 * What a comment of an `.env` file explains: its own line, or those below it up to the next comment; where these hold no address, all between
 * two blank lines, if that holds no other's.
 */
export function isExplaining({ text }: SourceText, { start }: TextRange, speaksOfOurs: (text: string) => boolean): boolean {
  const begin = text.lastIndexOf('\n', start) + 1;
  const [below = ''] = /^[ \t]*#/.test(text.slice(begin, start))
    ? (explained.exec(text.slice(begin)) ?? [])
    : [text.slice(begin).split('\n', 1)[0]];
  const block = (text.slice(0, begin).split(blankLine).at(-1) ?? '') + (text.slice(begin).split(blankLine, 1)[0] ?? '');
  const isAlone = Array.from(block.matchAll(/https?:\/\/[^\s"']+/g)).every(({ 0: each }) => speaksOfOurs(each));
  return speaksOfOurs(below) || (isAlone && !below.includes('://') && speaksOfOurs(block));
}

const explained = /^[^\n]*(?:\n[ \t]*#[^\n]*)*(?:\n(?![ \t]*(?:#|\r?\n))[^\n]+)*/;
const blankLine = /\n[ \t]*\r?\n/;

const command = /(?:\\\r?\n|[^\n])*/g;
const request = /\b(?:curl|wget|https?)\s/;
/** What may be an address, and is no header's value. */
const variable = /(?<!:\s?)(?<=[\s"'])\$[\w{(]|\{\{/;
const address = /(?<![:=]\s?)https?:\/\/(?<host>[^\s/"'<>$]+)/gi;

/** The one host that the command around a header asks; undefined where it may ask ours, or something else that a variable holds. */
export function hostOfCommand(text: string, { start, end }: TextRange, ourHosts: ReadonlySet<string>): string | undefined {
  const from = Math.max(0, start - nearby);
  const whole = text.slice(from, end + nearby);
  const around = [...whole.matchAll(command)].find(
    ({ index, 0: found }) => from + index <= start && end <= from + index + found.length,
  )?.[0];
  if (around === undefined || !request.test(around) || variable.test(around)) return undefined;
  const hosts = new Set(Array.from(around.matchAll(address), ({ groups }) => (groups?.['host'] ?? '').toLowerCase()));
  const [host] = hosts;
  return hosts.size === 1 && host !== undefined && !ourHosts.has(host) ? host : undefined;
}
