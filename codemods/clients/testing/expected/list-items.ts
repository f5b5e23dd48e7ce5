/** Where in a list a value stands, as a name on the way to it: any item, or every n-th of a list that also holds values of other kinds. */
import { isKeyHeader } from '../../../../src/contract/auth.ts';
import type { Node } from '../../../syntax/tree.ts';

/** Any item of a list. */
export const item = '[]';

const pattern = /^\[(?:(\d+)\/(\d+|Infinity))?\]$/;

/**
 * The name of what stands beside others: `seen.push(url, key)`, time and again, makes the key every second item.
 * @param size how many are put in at a time; Infinity where the index is that of the list itself
 */
export const itemAt = (index: number, size: number): string => (size === 1 ? item : `[${index}/${size}]`);

export const isItem = (name: string | undefined): boolean => name !== undefined && pattern.test(name);

/** Whether a name may mean the item at an index. */
export function isAt(name: string, index: number): boolean {
  const [, at, size] = pattern.exec(name) ?? [];
  return at === undefined ? name === item : index % Number(size) === Number(at);
}

/** What is put into a list by one call, as far as a name means it; undefined where lists of another size are put in. */
export function meantOf(name: string, added: readonly Node[]): readonly Node[] | undefined {
  const size = pattern.exec(name)?.[2];
  return size === undefined || Number(size) === added.length ? added.filter((_each, index) => isAt(name, index)) : undefined;
}

/** The index that stands in `list[0]`. */
export const indexIn = (computed: Node | undefined): number | undefined =>
  computed?.kind === 'literal' && typeof computed.value === 'number' ? computed.value : undefined;

/** The way to a value from the list that it is put into with others: nothing but keys are told apart by nobody. */
export function namesBeside(
  all: readonly (Node | undefined)[],
  { node, path }: { readonly node: Node; readonly path: readonly string[] },
): readonly string[] {
  if (node.kind === 'spread') return path;
  const beside = all.filter((each) => each?.kind !== 'spread');
  const isOfKeys = beside.every((each) => each !== undefined && isKeyRead(each));
  return [isOfKeys ? item : itemAt(beside.indexOf(node), beside.length), ...path];
}

/** `req.headers['x-api-key']`, `req.get('x-api-key')`. */
export function isKeyRead(node: Node): boolean {
  const name = node.kind === 'member' ? node.computed : node.kind === 'call' && node.callee.kind === 'member' ? node.args[0] : undefined;
  return name?.kind === 'string' && isKeyHeader(name.value);
}

/** Methods of lists that give a list of the same items, those that look for one, and those that leave none. `splice` gives what it leaves out. */
export const copying: ReadonlySet<string> = new Set([
  'slice',
  'filter',
  'reverse',
  'concat',
  'toSorted',
  'toReversed',
  'sort',
  'values',
  'flat',
]);
export const asking: ReadonlySet<string> = new Set(['includes', 'indexOf', 'lastIndexOf', 'has']);
export const clearing: ReadonlySet<string> = new Set(['clear', 'mockClear', 'mockReset', 'keys']);
