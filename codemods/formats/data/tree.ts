/** Maps, lists and texts as JSON, YAML and TOML have them, with the place of each. */
import type { ParseFault, Stretch } from '../reading.ts';
import type { TextRange, Text } from '../text.ts';

export interface DataMap extends TextRange {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
}

export interface DataList extends TextRange {
  readonly kind: 'list';
  readonly items: readonly Data[];
}

export interface Scalar extends TextRange {
  readonly kind: 'scalar';
  readonly value: string;
  /** undefined where it is not written in a way that can be changed: a number in a language that tells numbers from texts, an odd escape. */
  readonly text: Text | undefined;
}

/** null, an alias that leads nowhere, a tagged value: nothing a rule reads. */
export interface Opaque extends TextRange {
  readonly kind: 'opaque';
}

export type Data = DataMap | DataList | Scalar | Opaque;

/** What a text holds as far as it parses. */
export interface Parsed {
  readonly roots: readonly Data[];
  readonly fault?: ParseFault | undefined;
}

export interface Entry {
  readonly key: Scalar;
  readonly value: Data;
}

/** A scalar whose characters are only looked up once somebody asks: most texts of a large file are of no interest. */
export function scalar({ start, end }: TextRange, value: string, look: () => Text | undefined): Scalar {
  let found: { readonly text: Text | undefined } | undefined;
  return {
    kind: 'scalar',
    start,
    end,
    value,
    get text() {
      found ??= { text: look() };
      return found.text;
    },
  };
}

/** The value of the first key that fits, in any letter case. */
export function entryOf(map: DataMap, name: RegExp): Entry | undefined {
  return map.entries.find(({ key }) => name.test(key.value));
}

export function textOf(map: DataMap, name: RegExp): Scalar | undefined {
  const value = entryOf(map, name)?.value;
  return value?.kind === 'scalar' ? value : undefined;
}

export function mapOf(map: DataMap, name: RegExp): DataMap | undefined {
  const value = entryOf(map, name)?.value;
  return value?.kind === 'map' ? value : undefined;
}

export function listOf(map: DataMap, name: RegExp): readonly Data[] {
  const value = entryOf(map, name)?.value;
  return value?.kind === 'list' ? value.items : [];
}

/** The data directly within. */
export function childrenOf(data: Data): readonly Data[] {
  if (data.kind === 'map') return data.entries.map(({ value }) => value);
  return data.kind === 'list' ? data.items : [];
}

/** A tree with others in the place of its scalars; those of a list stand under the key of the list. */
export function withScalars(data: Data, change: (scalar: Scalar, key: string) => Data, key = ''): Data {
  if (data.kind === 'scalar') return change(data, key);
  if (data.kind === 'list') return { ...data, items: data.items.map((item) => withScalars(item, change, key)) };
  if (data.kind === 'opaque') return data;
  return { ...data, entries: data.entries.map((entry) => ({ ...entry, value: withScalars(entry.value, change, entry.key.value) })) };
}

/** All maps of a tree, outer ones first. */
export function mapsIn(root: Data): DataMap[] {
  const maps: DataMap[] = [];
  const visit = (data: Data): void => {
    if (data.kind === 'map') maps.push(data);
    for (const child of childrenOf(data)) visit(child);
  };
  visit(root);
  return maps;
}

/** A place of the tree as one of the file. */
export const offsetBy = ({ start, end }: TextRange, { start: from }: Stretch): TextRange => ({ start: from + start, end: from + end });
