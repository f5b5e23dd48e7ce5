/** Bruno's requests, environments and collections (`.bru`): blocks of lines between `name {` and `}`. */
import { v1Auth } from '../../src/contract/auth.ts';
import { type Line, headerIn, linesOf } from './http-file.ts';
import { type Reading, type Stretch, merge } from './reading.ts';
import type { TextRange } from './text.ts';
import { scopeOf } from './variables.ts';
import { type Header, headerEntry, isKeyField, nodeAt, settingOf, writtenRequest } from './written.ts';

interface Block {
  readonly name: string;
  /** The line that it begins with. */
  readonly head: Line;
  readonly lines: readonly Line[];
  /** The offset of what ends it. */
  readonly end: number;
}

const methods = /^(?:get|post|put|patch|delete|head|options)$/;
const variables = /^vars(?::pre-request)?$/;
const head = /^(?<name>[a-z][\w:-]*)\s*\{$/;

export function readBruno(stretch: Stretch): Reading {
  const blocks = blocksOf(stretch.text);
  const definitions = blocks.filter(({ name }) => variables.test(name)).flatMap((block) => entriesOf(block).flatMap(definitionOf));
  const scope = scopeOf(definitions);
  const request = blocks.find(({ name }) => methods.test(name));
  const headers = blocks.filter(({ name }) => name === 'headers').flatMap(entriesOf);
  // What an environment sets is read by the requests of other files.
  const name = (variable: string): string | undefined => (request === undefined ? variable : undefined);
  const common = {
    settings: definitions.flatMap((each) => settingOf(each.value, stretch, scope, { name: name(each.name) }) ?? []),
    prose: blocks.filter(({ name }) => name === 'docs' || name === 'meta').map((block) => placeOf(block, stretch)),
  };
  const auth = authOf(blocks);
  const keys = auth.header === undefined ? headers : [...headers, auth.header];
  if (request === undefined) {
    const loose = keys.filter(({ name }) => isKeyField(name.value));
    return merge([{ ...common, looseKeys: loose.map((key) => headerEntry(key, nodeAt(stretch, spanOf(key)), stretch, false)) }]);
  }
  const url = entriesOf(request).find(({ name }) => name.value === 'url')?.value;
  const place = { start: request.head.start, end: request.end };
  const given = { ...place, client: 'bruno', url, method: request.name, headers: keys, hasCredentials: auth.isOther };
  return merge([{ ...common, requests: [writtenRequest(given, stretch, scope, { mentions: mentionsIn(blocks, stretch) })] }]);
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { name: string; head: Line; lines: Line[] } | undefined;
  for (const line of linesOf(text)) {
    const name = open === undefined ? head.exec(line.text)?.groups?.['name'] : undefined;
    if (name !== undefined) open = { name, head: line, lines: [] };
    else if (open !== undefined && line.text === '}') {
      blocks.push({ ...open, end: line.start });
      open = undefined;
    } else open?.lines.push(line);
  }
  return blocks;
}

/** `name: value`, without those that a `~` turns off. */
function entriesOf({ lines }: Block): Header[] {
  return lines.flatMap(({ text, start }) => {
    const blank = text.length - text.trimStart().length;
    return headerIn({ text: text.slice(blank), start: start + blank });
  });
}

const definitionOf = ({ name, value }: Header) => (value === undefined ? [] : [{ name: name.value, value }]);

const spanOf = ({ name, value }: Header): TextRange => ({ start: name.at[0] ?? 0, end: (value?.at.at(-1) ?? name.at.at(-1) ?? 0) + 1 });

const placeOf = ({ head: { start: from }, end }: Block, { start }: Stretch): TextRange => ({ start: start + from, end: start + end });

interface Auth {
  /** The key, where it is sent as a header. */
  readonly header: Header | undefined;
  /** Whether something else sends credentials, or may: what is inherited stands in another file. */
  readonly isOther: boolean;
}

/** A request says how it is authorised in the block of its method, a collection in one of its own. */
function authOf(blocks: readonly Block[]): Auth {
  const owners = blocks.filter(({ name }) => methods.test(name) || name === 'auth');
  const mode = owners.flatMap(entriesOf).find(({ name }) => /^(?:auth|mode)$/.test(name.value))?.value;
  const held = blocks.find(({ name }) => name === 'auth:apikey');
  if (mode === undefined || mode.value === 'none') return { header: undefined, isOther: false };
  if (mode.value !== 'apikey' || held === undefined) return { header: undefined, isOther: true };
  const entries = entriesOf(held);
  const entry = (wanted: string): Header | undefined => entries.find(({ name }) => name.value === wanted);
  const [key, value] = [entry('key')?.value, entry('value')];
  if ((entry('placement')?.value?.value ?? 'header') !== 'header' || key === undefined) return { header: undefined, isOther: false };
  if (!isKeyField(key.value)) return { header: undefined, isOther: true };
  const modeStart = mode.at[0] ?? 0;
  const nameStart = held.head.start + 'auth:'.length;
  const rewrite = [
    { start: modeStart, end: modeStart + mode.value.length, text: 'bearer' },
    { start: nameStart, end: nameStart + 'apikey'.length, text: 'bearer' },
    ...held.lines.map((line, i) => rewritten(line, held.lines[i + 1]?.start ?? held.end)),
  ];
  return { header: { name: key, value: value?.value, ...(value !== undefined && { rewrite }) }, isOther: false };
}

/** `value` is the token; the other lines go. */
function rewritten({ text, start }: Line, next: number): { start: number; end: number; text: string } {
  const blank = text.length - text.trimStart().length;
  if (text.startsWith('value', blank)) return { start: start + blank, end: start + blank + 'value'.length, text: 'token' };
  return { start, end: next, text: '' };
}

const mention = new RegExp(v1Auth.field, 'gi');

/** Scripts of a request that name the header go on to do so. */
function mentionsIn(blocks: readonly Block[], { start: from }: Stretch): TextRange[] {
  return blocks
    .filter(({ name }) => /^(?:script|tests)\b/.test(name))
    .flatMap(({ lines }) =>
      lines.flatMap(({ text, start }) =>
        Array.from(text.matchAll(mention), ({ index, 0: found }) => ({
          start: from + start + index,
          end: from + start + index + found.length,
        })),
      ),
    );
}
