/** JSON, with comments and trailing commas if need be. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { align } from '../text.ts';
import { type Data, type Entry, type Parsed, type Scalar, scalar } from './tree.ts';

/** @returns what the text can be taken for where it is no JSON */
export function parseJson(source: string): Parsed {
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const [error] = errors;
  const fault = error && { at: error.offset, reason: wordsOf(printParseErrorCode(error.error)) };
  return { roots: root === undefined ? [] : [dataOf(root, source)], fault };
}

/** `PropertyNameExpected`. */
const wordsOf = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function dataOf(node: Node, source: string): Data {
  const place = { start: node.offset, end: node.offset + node.length };
  const children = node.children ?? [];
  if (node.type === 'object') return { kind: 'map', ...place, entries: children.flatMap((property) => entryOf(property, source)) };
  if (node.type === 'array') return { kind: 'list', ...place, items: children.map((item) => dataOf(item, source)) };
  if (node.type === 'null') return { kind: 'opaque', ...place };
  return scalarOf(node, source);
}

function entryOf({ children = [] }: Node, source: string): Entry[] {
  const [key, value] = children;
  return key === undefined || value === undefined ? [] : [{ key: scalarOf(key, source), value: dataOf(value, source) }];
}

function scalarOf({ type, offset, length, value }: Node, source: string): Scalar {
  const place = { start: offset, end: offset + length };
  const written = String(value);
  const inner = { start: offset + 1, end: offset + length - 1 };
  return scalar(place, written, () => (type === 'string' ? align(source, inner, written, true) : undefined));
}
