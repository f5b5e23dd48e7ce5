/** TOML: tables, inline tables and dotted keys as nested maps. */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { align } from '../text.ts';
import { type Data, type DataMap, type Entry, type Parsed, type Scalar, scalar } from './tree.ts';

export function parseToml(source: string): Parsed {
  try {
    const [top] = parseTOML(source).body;
    const root = joined(
      top.body.flatMap((part) =>
        part.type === 'TOMLKeyValue' ? entryOf(part.key.keys, dataOf(part.value, source), source) : tableOf(part, source),
      ),
      placeOf(top),
    );
    return { roots: [root] };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { roots: [], fault: { at: error.index, reason: error.message } };
  }
}

function tableOf(table: AST.TOMLTable, source: string): Entry[] {
  const body = joined(
    table.body.flatMap(({ key, value }) => entryOf(key.keys, dataOf(value, source), source)),
    placeOf(table),
  );
  return entryOf(table.key.keys, table.kind === 'array' ? { ...placeOf(table), kind: 'list', items: [body] } : body, source);
}

/** `a.b.c = 1` is a map within a map. */
function entryOf(keys: readonly (AST.TOMLBare | AST.TOMLQuoted)[], value: Data, source: string): Entry[] {
  return keys.reduceRight<Entry[]>(
    (inner, key, i) => [{ key: keyOf(key, source), value: i === keys.length - 1 ? value : joined(inner, placeOf(key)) }],
    [],
  );
}

/** Tables may be written in parts: `[a]`, then `[a.b]`. */
function joined(entries: readonly Entry[], place: { start: number; end: number }): DataMap {
  const byName = Map.groupBy(entries, ({ key }) => key.value);
  return {
    kind: 'map',
    ...place,
    entries: [...byName.values()].flatMap((same) => {
      const [first] = same;
      const maps = same.flatMap(({ value }) => (value.kind === 'map' ? value : []));
      if (first === undefined || maps.length < 2 || maps.length < same.length) return same;
      return [
        {
          key: first.key,
          value: joined(
            maps.flatMap(({ entries }) => entries),
            { start: maps[0]?.start ?? 0, end: maps.at(-1)?.end ?? 0 },
          ),
        },
      ];
    }),
  };
}

function keyOf(key: AST.TOMLBare | AST.TOMLQuoted, source: string): Scalar {
  return key.type === 'TOMLBare'
    ? scalarOf(placeOf(key), key.name, source, 0, false)
    : scalarOf(placeOf(key), key.value, source, 1, key.style === 'basic');
}

function dataOf(node: AST.TOMLContentNode, source: string): Data {
  const place = placeOf(node);
  if (node.type === 'TOMLArray') return { kind: 'list', ...place, items: node.elements.map((element) => dataOf(element, source)) };
  if (node.type === 'TOMLInlineTable')
    return joined(
      node.body.flatMap(({ key, value }) => entryOf(key.keys, dataOf(value, source), source)),
      place,
    );
  if (node.kind !== 'string') return { kind: 'opaque', ...place };
  return scalarOf(place, node.value, source, node.multiline ? 3 : 1, node.style === 'basic');
}

function scalarOf(place: { start: number; end: number }, value: string, source: string, quotes: number, escapes: boolean): Scalar {
  return scalar(place, value, () => align(source, { start: place.start + quotes, end: place.end - quotes }, value, escapes));
}

const placeOf = ({ range: [start, end] }: { readonly range: readonly [number, number] }) => ({ start, end });
