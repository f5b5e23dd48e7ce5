/** What stands in a file of Bruno's: blocks of lines between `name {` and `}`, their entries, and how a request is authorised. */
import { type Line, headerIn, linesOf } from './http-file.ts';
import type { Stretch } from './reading.ts';
import type { TextRange } from './text.ts';
import { type Header, isKeyField } from './written.ts';
import { verbs } from '../clients/shapes.ts';

export interface Block {
  readonly name: string;
  /** The line that it begins with. */
  readonly head: Line;
  readonly lines: readonly Line[];
  /** The offset of what ends it. */
  readonly end: number;
}

const head = /^(?<name>[a-z][\w:-]*)\s*\{$/;

/** A request's block is named by its method. */
export const isRequest = ({ name }: Block): boolean => verbs.has(name);

export function blocksOf(text: string): Block[] {
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
export function entriesOf({ lines }: Block): Header[] {
  return lines.flatMap(({ text, start }) => {
    const blank = text.length - text.trimStart().length;
    return headerIn({ text: text.slice(blank), start: start + blank });
  });
}

export const placeOf = ({ head: { start: from }, end }: Block, { start }: Stretch): TextRange => ({
  start: start + from,
  end: start + end,
});

export interface Auth {
  /** undefined where nothing is said of it. */
  readonly mode: string | undefined;
  /** The key, where it is sent as a header. */
  readonly header: Header | undefined;
  /** Whether something else sends credentials, or may: what is inherited stands in another file. */
  readonly isOther: boolean;
}

/** A request says how it is authorised in the block of its method, a collection in one of its own. */
export function authOf(blocks: readonly Block[]): Auth {
  const owners = blocks.filter(({ name }) => verbs.has(name) || name === 'auth');
  const written = owners.flatMap(entriesOf).find(({ name }) => /^(?:auth|mode)$/.test(name.value))?.value;
  const mode = written?.value;
  const held = blocks.find(({ name }) => name === 'auth:apikey');
  if (written === undefined || mode === 'none') return { mode, header: undefined, isOther: false };
  if (mode !== 'apikey' || held === undefined) return { mode, header: undefined, isOther: true };
  const entries = entriesOf(held);
  const entry = (wanted: string): Header | undefined => entries.find(({ name }) => name.value === wanted);
  const [key, value] = [entry('key')?.value, entry('value')];
  if ((entry('placement')?.value?.value ?? 'header') !== 'header' || key === undefined) return { mode, header: undefined, isOther: false };
  if (!isKeyField(key.value)) return { mode, header: undefined, isOther: true };
  const modeStart = written.at[0] ?? 0;
  const nameStart = held.head.start + 'auth:'.length;
  const rewrite = [
    { start: modeStart, end: modeStart + mode.length, text: 'bearer' },
    { start: nameStart, end: nameStart + 'apikey'.length, text: 'bearer' },
    ...held.lines.map((line, i) => rewritten(line, held.lines[i + 1]?.start ?? held.end)),
  ];
  return { mode, header: { name: key, value: value?.value, ...(value !== undefined && { rewrite }) }, isOther: false };
}

/** `value` is the token; the other lines go. */
function rewritten({ text, start }: Line, next: number): { start: number; end: number; text: string } {
  const blank = text.length - text.trimStart().length;
  if (text.startsWith('value', blank)) return { start: start + blank, end: start + blank + 'value'.length, text: 'token' };
  return { start, end: next, text: '' };
}
