/** `.http` and `.rest` files, as JetBrains IDEs and the REST Client of VS Code read them. */
import { type Reading, type Setting, type Stretch, type WrittenRequest, merge } from './reading.ts';
import { type Text, coverOf, join, plain, slice, unplaced } from './text.ts';
import { type Definition, type Scope, scopeOf } from './variables.ts';
import { type Header, settingOf, writtenRequest } from './written.ts';

export interface Line {
  readonly text: string;
  readonly start: number;
}

/** What a variable may go by, in braces or quotes. */
const named = /(?<=["'{%]\s*)[\w.-]+(?=\s*["'}])/g;
const variable = /^@(?<name>[\w.-]+)\s*=\s*/;
const comment = /^\s*(?:#|\/\/)/;
const method = /^(?<name>[A-Z]+)\s+(?=\S)/;
const version = /\sHTTP\/[\d.]+$/;

export function readHttp(stretch: Stretch): Reading {
  const lines = linesOf(stretch.text);
  const definitions = lines.flatMap(definitionOf);
  const scope = scopeOf(definitions);
  const requests = blocksOf(lines).flatMap((block) => requestIn(block, stretch, scope));
  const isFollowed = followedIn(stretch, lines, requests);
  return merge([{ settings: definitions.flatMap((each) => settingOf(each.value, stretch, scope, isFollowed(each)) ?? []), requests }]);
}

/** Tells a variable that only requests of the file read, and other variables of it: no body, no script, and no other file. */
function followedIn(
  { text, source, start: from }: Stretch,
  lines: readonly Line[],
  requests: readonly WrittenRequest[],
): (definition: Definition) => Partial<Setting> {
  const isRead = coverOf([
    ...requests.flatMap(({ requests: [first] }) => first?.call ?? []).map(({ start, end }) => ({ start: start - from, end: end - from })),
    ...lines.filter((each) => variable.test(each.text)).map(({ text: { length }, start }) => ({ start, end: start + length })),
  ]);
  const usesOf = Map.groupBy(text.length === source.text.length ? text.matchAll(named) : [], ([name]) => name);
  return ({ name }) => {
    const uses = usesOf.get(name) ?? [];
    const isFollowed = uses.length > 0 && uses.every(({ index: start }) => isRead({ start, end: start + name.length }));
    return isFollowed ? { isFollowed } : {};
  };
}

/** The lines of a text, without blanks at their ends; empty ones, too. */
export const linesOf = (text: string): Line[] =>
  Array.from(text.matchAll(/[^\r\n]+|(?<=\n)(?=\r?\n)/g), ({ index, 0: line }) => ({ text: line.trimEnd(), start: index }));

function definitionOf({ text, start }: Line): Definition[] {
  const [sign, name] = variable.exec(text) ?? [];
  return sign === undefined || name === undefined ? [] : [{ name, value: plain(text.slice(sign.length), start + sign.length) }];
}

/** The lines between `###`. */
function blocksOf(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = [[]];
  for (const line of lines) {
    if (line.text.startsWith('###')) blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
}

function requestIn(block: readonly Line[], stretch: Stretch, scope: Scope): WrittenRequest[] {
  const first = block.findIndex(({ text }) => text.trim() !== '' && !comment.test(text) && !variable.test(text) && !text.startsWith('<'));
  const line = block[first];
  if (line === undefined || /^\s/.test(line.text)) return [];
  const [before = '', name = 'GET'] = method.exec(line.text) ?? [];
  const target = line.text.slice(before.length).replace(version, '').trimEnd();
  const fields = block.slice(first + 1);
  const end = fields.findIndex(({ text }, i) => text === '' && !headersBelow.test(fields[i + 1]?.text ?? ''));
  const used = end === -1 ? fields : fields.slice(0, end);
  const last = used.at(-1) ?? line;
  const headers = [...withoutIndent(used)].flatMap((field) => (comment.test(field.text) ? [] : headerIn(field)));
  const url = plain(target, line.start + before.length);
  const request = {
    start: line.start,
    end: last.start + last.text.length,
    client: 'http file',
    url: target.startsWith('/') ? atHost(url, headers) : url,
    method: name,
    headers,
    hasCredentials: false,
  };
  return [writtenRequest(request, stretch, scope)];
}

/** As people write a request down: `Headers:`, and each on a line that stands further in. */
const headersBelow = /^headers?:$/i;

function* withoutIndent(lines: readonly Line[]): Generator<Line> {
  let isBelow = false;
  for (const { text, start } of lines) {
    const indent = /^[ \t]*/.exec(text)?.[0].length ?? 0;
    isBelow = headersBelow.test(text) || (isBelow && indent > 0);
    yield isBelow ? { text: text.slice(indent), start: start + indent } : { text, start };
  }
}

/** `GET /path` with the host in a header: over TLS, as nothing says otherwise. */
function atHost(path: Text, headers: readonly Header[]): Text {
  const host = headers.find(({ name }) => name.value.toLowerCase() === 'host')?.value;
  return host === undefined ? path : join([unplaced('https://'), host, path]);
}

/** `name: value` */
export function headerIn({ text, start }: Line): Header[] {
  const [sign, name] = /^([\w-]+)\s*:\s*/.exec(text) ?? [];
  if (sign === undefined || name === undefined) return [];
  const whole = plain(text, start);
  return [{ name: slice(whole, 0, name.length), value: slice(whole, sign.length) }];
}
