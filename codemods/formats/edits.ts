/** The edits that take an address to v2 and a key to its new header. */
import { v1Auth, v2Auth } from '../../src/contract/auth.ts';
import type { FindingCode } from '../model.ts';
import { type Header, type SpanEdit, authorization } from './candidate-edit.ts';
import { type Text, placeOf } from './text.ts';
import { expand } from './variables.ts';
import { type Ours, type World, isBase, whose } from './ownership.ts';

/** The edits of a URL and, where a variable holds its base, of all the places of the file that set it; or what stands against them. */
export function move(url: Text, ours: Ours, world: World): SpanEdit[] | FindingCode {
  const all = [moveOne(url, ours, world)];
  for (const { value } of ours.definitions) {
    const { text } = expand(value, world.scope);
    const found = whose(text, undefined, world);
    if (found.kind === 'ours') all.push(moveOne(text, found.ours, world));
  }
  return all.find((moved) => typeof moved === 'string') ?? all.flatMap((moved) => (Array.isArray(moved) ? moved : []));
}

function moveOne(url: Text, ours: Ours, { source, bases }: World): SpanEdit[] | FindingCode {
  const edits: SpanEdit[] = [];
  if (ours.version !== undefined) {
    const place = placeOf(source, url, ours.version.start, ours.version.end);
    if (place === undefined) return 'escaped-literal';
    edits.push({ ...place, text: 'v2', what: isBase(ours) ? 'base' : 'path' });
  }
  if (ours.base !== undefined && bases.v2 !== undefined && bases.v2 !== ours.by) {
    const place = placeOf(source, url, ours.base.start, ours.base.end);
    if (place === undefined) return 'base-split';
    edits.unshift({ ...place, text: bases.v2, what: 'base' });
  }
  return edits;
}

/** How a space is written where a mark says that it would end a word. */
const spaces: Readonly<Record<string, string>> = { u: String.raw`\ `, x: String.raw`\\ ` };

/** The edits that make a key a Bearer token, or what stands against them. */
export function carry({ name, value }: Header, source: string): SpanEdit[] | FindingCode {
  const at = name.value.toLowerCase().indexOf(v1Auth.field);
  const field = placeOf(source, name, at, at + v1Auth.field.length);
  if (field === undefined) return 'escaped-literal';
  const key = value === undefined ? '' : value.value.trim();
  if (value === undefined || key === '' || /^bearer\b/i.test(key)) return 'key-not-text';
  // n8n marks an expression by `=` before it.
  const first = /^=(?=.*\{\{)/.test(value.value) ? 1 : 0;
  const start = value.at[first] ?? 0;
  const space = spaces[value.marks[first] ?? ''] ?? ' ';
  return [
    { ...field, text: authorization, what: 'header name' },
    { start, end: start, text: `${v2Auth.scheme}${space}`, what: 'header value' },
  ];
}
