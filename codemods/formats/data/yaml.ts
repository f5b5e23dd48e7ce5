/** YAML, several documents in one file if need be. An alias stands for what it names, at the anchor's place. */
import {
  type Node,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  visit,
} from 'yaml';
import { align, type TextRange } from '../text.ts';
import { functionOfTag } from './cloudformation.ts';
import { isTemplate, masked, unmasked } from './templates.ts';
import { type Data, type DataList, type Entry, type Parsed, type Scalar, scalar, withScalars } from './tree.ts';

/** Aliases within aliases can stand for more than fits into memory: nodes that are read for one document. */
const most = 50_000;

interface Reader {
  readonly source: string;
  readonly resolve: (node: Node) => Node | undefined;
  /** Nodes that may still be read. */
  left: number;
}

const nested = 'BLOCK_AS_IMPLICIT_KEY';
const longest = 2_000;
/** A line with a quote that is opened before a colon and closed behind it. */
const torn = /^[^\n]*?\s["'][\w-]+: [^"'\n]*["']/;

/** @returns one tree for each document that parses, and the first fault of those that do not */
export function parseYaml(text: string): Parsed {
  const source = isTemplate(text) ? masked(text) : text;
  const documents = parseAllDocuments(source, { keepSourceTokens: false, strict: false, uniqueKeys: false });
  // With nothing in it, the library gives an object that is no list.
  if (!Array.isArray(documents)) return { roots: [] };
  const faultsOf = ({ errors }: (typeof documents)[number]) =>
    errors.filter(({ code, pos: [at] }) => code !== nested || !torn.test(source.slice(at, at + longest)));
  const [error] = documents.flatMap(faultsOf);
  const fault = error && { at: error.pos[0], reason: error.message.replace(/(?: at line \d+, column \d+)?:?\s*(?:\n[^]*)?$/, '') };
  const roots = documents.flatMap((document) => {
    if (faultsOf(document).length > 0 || document.contents === null) return [];
    // The library looks through the whole document for each alias.
    const anchored = new Map<string, Node>();
    const aliased = new Map<Node, Node | undefined>();
    visit(document, (_key, node) => {
      if (isAlias(node)) aliased.set(node, anchored.get(node.source));
      else if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined) anchored.set(node.anchor, node);
    });
    const resolve = (node: Node): Node | undefined => (isAlias(node) ? aliased.get(node) : node);
    return dataOf(document.contents, { source, resolve, left: most });
  });
  return { roots: source === text ? roots : roots.map((root) => withScalars(root, (each) => unmasked(each, text))), fault };
}

function dataOf(node: Node | null | undefined, reader: Reader): Data {
  const [start = 0, end = 0] = (node as ParsedNode | null | undefined)?.range ?? [];
  const found = node === null || node === undefined || reader.left-- <= 0 ? undefined : reader.resolve(node);
  const called = functionOfTag.get(found?.tag ?? '');
  if (found !== undefined && called !== undefined && !isMap(found)) {
    const given = isSeq<Node>(found) ? listOf(found, { start, end }, reader) : scalarOf(found, reader, true);
    return {
      kind: 'map',
      start,
      end,
      entries: [{ key: { kind: 'scalar', start, end: start, value: called, text: undefined }, value: given }],
    };
  }
  const text = isMap<Node, Node>(found) ? tornIn(found, reader) : undefined;
  if (text !== undefined) return text;
  if (isMap<Node, Node>(found)) return { kind: 'map', start, end, entries: found.items.flatMap((pair) => entriesOf(pair, reader)) };
  if (isSeq<Node>(found)) return listOf(found, { start, end }, reader);
  return isScalar(found) ? scalarOf(found, reader) : { kind: 'opaque', start, end };
}

const listOf = ({ items }: YAMLSeq<Node>, place: TextRange, reader: Reader): DataList => ({
  kind: 'list',
  ...place,
  items: items.map((item) => dataOf(item, reader)),
});

/** `run: curl -H "name: value"`: YAML takes a text without quotes around it for a map there, and its people mean a text. */
function tornIn({ items: [pair, ...more], flow }: YAMLMap<Node, Node | null>, { source }: Reader): Scalar | undefined {
  const [key, value] = [pair?.key, pair?.value];
  if (more.length > 0 || flow === true || !isScalar(key) || !isScalar(value) || key.type !== 'PLAIN' || value.type !== 'PLAIN')
    return undefined;
  const [start = 0] = (key as ParsedNode).range ?? [];
  const [, end = 0] = (value as ParsedNode).range ?? [];
  const text = source.slice(start, end);
  if (text.includes('\n') || !torn.test(text)) return undefined;
  return scalar({ start, end }, text, () => align(source, { start, end }, text, false));
}

function entriesOf({ key, value }: Pair<Node, Node | null>, reader: Reader): Entry[] {
  if (!isScalar(key)) return [];
  const inner = dataOf(value, reader);
  // A merge key brings in the entries of another map, or of several.
  if (key.value === '<<') {
    const merged = inner.kind === 'list' ? inner.items : [inner];
    return merged.flatMap((map) => (map.kind === 'map' ? map.entries : []));
  }
  const name = scalarOf(key, reader);
  return name.kind === 'scalar' ? [{ key: name, value: inner }] : [];
}

/** @param isGiven whether its tag is a function that is given it */
function scalarOf(node: Node, { source }: Reader, isGiven = false): Scalar | Data {
  const [start = 0, end = 0] = (node as ParsedNode).range ?? [];
  if (!isScalar(node) || node.value === null) return { kind: 'opaque', start, end };
  // `!secret name` is not the key but where it is kept.
  if (!isGiven && node.tag !== undefined && !node.tag.startsWith('tag:yaml.org')) return { kind: 'opaque', start, end };
  const value = typeof node.value === 'string' ? node.value : (node.source ?? '');
  const quoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE';
  // The first line of a block only says how it is folded.
  const header =
    node.type === 'BLOCK_FOLDED' || node.type === 'BLOCK_LITERAL' ? (/^[^\n]*\n/.exec(source.slice(start, end))?.[0].length ?? 0) : 0;
  const inner = quoted ? { start: start + 1, end: end - 1 } : { start: start + header, end };
  // What an anchor names is used elsewhere too: an address moves for all, a key may be wanted without its scheme.
  const isShared = node.anchor !== undefined && !value.includes('://');
  return scalar({ start, end }, value, () => (isShared ? undefined : align(source, inner, value, node.type === 'QUOTE_DOUBLE')));
}
