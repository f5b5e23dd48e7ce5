/**
 * Questions about the address of a request that come out the same behind the edits: `if (config.url.startsWith(BASE)) config.headers['x-api-key'] = key`. What
 * begins with the base does so by the very text that moves, and nothing else that is asked there begins with it, before or after.
 */
import type { Place } from '../../../evaluate/budget.ts';
import { type Address, addressesAt, isText } from './asked-addresses.ts';
import { isFound } from './found-text.ts';
import { flat, isBeforeOthers, unknownPart } from '../../../evaluate/values/text.ts';
import { partsOf } from '../../../evaluate/values/values.ts';
import type { Node } from '../../../syntax/tree.ts';
import type { DataflowQuery } from '../dataflow-query.ts';

interface AddressTest {
  readonly subject: Node;
  readonly sought: Node;
  /** Whether it may stand anywhere in it, and not at its beginning alone. */
  readonly isAnywhere: boolean;
}

/** Whether what is asked about a value, or by it, is the address of a request, and has the same answer when that has moved. */
export function isAskedAlike(query: DataflowQuery, { node, module }: Place): boolean {
  return testsAt(node).some(({ subject, sought, isAnywhere }) => {
    const wanted = query.values({ node: sought, module });
    if (wanted.length === 0 || !wanted.every(isText)) return false;
    const asked = addressesAt(query, { node: subject, module });
    // What a hook gets may be without its base, and begin with a path.
    const isPath = wanted.some((value) => flat(partsOf(value)).startsWith('/'));
    return asked !== undefined && areAlike(query, asked, wanted.map(partsOf), isAnywhere || isPath);
  });
}

/** `url.startsWith(base)`, `url.indexOf(base) === 0`, `url.includes(host)`, `config.baseURL === base`, from either side. */
function testsAt(node: Node): readonly AddressTest[] {
  const { parent } = node;
  if (parent?.kind === 'binary' && /^[!=]==?$/.test(parent.operator))
    return [
      { subject: parent.left, sought: parent.right, isAnywhere: false },
      { subject: parent.right, sought: parent.left, isAnywhere: false },
    ];
  const call = parent?.kind === 'member' && parent.object === node ? parent.parent : parent;
  if (call?.kind !== 'call' || call.callee.kind !== 'member' || (call.callee !== parent && call.args[0] !== node)) return [];
  const [sought, more] = call.args;
  const { object, property = '' } = call.callee;
  if (sought === undefined || sought.kind === 'spread' || more !== undefined || !/^(?:startsWith|includes|indexOf)$/.test(property))
    return [];
  return [{ subject: object, sought, isAnywhere: property === 'includes' || (property === 'indexOf' && !isComparedWithZero(call)) }];
}

/** `url.indexOf(base) === 0` */
function isComparedWithZero(call: Node): boolean {
  const { parent } = call;
  return (
    parent?.kind === 'binary' &&
    /^[!=]==?$/.test(parent.operator) &&
    [parent.left, parent.right].some((each) => each.kind === 'literal' && each.value === 0)
  );
}

/** Whether each address has what is sought by the same text, or has it neither before nor behind the edits, and one has it. */
function areAlike(query: DataflowQuery, asked: readonly Address[], sought: readonly Address[], isAnywhere: boolean): boolean {
  // The default says what a variable is for.
  const written = sought.filter((each) => !flat(each).includes(unknownPart));
  const isSought = (address: Address): boolean => sought.some((each) => isFound(each, address, isAnywhere));
  const isFree = (address: Address): boolean =>
    (!isAnywhere && query.isElsewhere(address)) ||
    (written.length > 0 && written.every((each) => isWithout(query, each, address, isAnywhere)));
  return asked.some(isSought) && asked.every((address) => isSought(address) || isFree(address));
}

/** Whether an address has a text neither as both stand there, nor where either has moved. */
export function isWithout({ moved }: Pick<DataflowQuery, 'moved'>, sought: Address, address: Address, isAnywhere: boolean): boolean {
  const texts = [flat(sought), moved(sought)];
  return [flat(address), moved(address)].every((whole) => {
    const begin = whole.split(unknownPart, 1)[0] ?? '';
    const isOpen = begin !== whole && texts.some((text) => (isAnywhere ? !isBeforeOthers(begin, text) : text.startsWith(begin)));
    return !isOpen && !texts.some((text) => (isAnywhere ? whole.includes(text) : whole.startsWith(text)));
  });
}
