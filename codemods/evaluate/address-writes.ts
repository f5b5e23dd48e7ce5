/** The address of a URL object with what is written into it: `url.pathname = path`. What it holds is a text, so nothing else can be put into it. */
import type { AssignNode } from '../syntax/tree.ts';
import type { Evaluation } from './evaluation.ts';
import { leadsToWrite } from './leads-to-write.ts';
import type { Named } from './named.ts';
import { namesOf } from './other-names.ts';
import { writesOf } from './property-writes.ts';
import { concatenated, joinUrl, urlPart } from './text.ts';
import { choiceOf, optionsOf, plainText, unknown, type Value } from './values.ts';

export const isAddress = ({ type }: Value): boolean => type === 'text' || type === 'env';

/** Whether a value is an address into which something may be written by what holds it. What changes its host is looked for by itself (`overwrites.ts`). */
export const isAddressWritten = ({ world }: Evaluation, value: Value): boolean =>
  isAddress(value) && ['pathname', 'href'].some((name) => writesOf(world, name).length > 0);

/** The paths that one URL is followed with. */
const maxPaths = 16;

/** Parts of a URL that no route hangs on, and methods by which these are changed. */
const besidePath = new Set(['search', 'searchParams', 'hash']);

/**
 * What is written into an address otherwise is not followed.
 * @param first places that name it
 * @param isCertain whether a write comes before all that reads it
 */
export function withPathname(ev: Evaluation, value: Value, first: readonly Named[], isCertain: (write: AssignNode) => boolean): Value {
  if (!first.some((each) => leadsToWrite(ev, each))) return value;
  const writes = namesOf(ev, first).all.flatMap(({ node, at, isCopy }) => {
    const { parent } = node;
    if (isCopy === true || parent?.kind !== 'member' || parent.object !== node || besidePath.has(parent.property ?? '')) return [];
    const write = parent.parent;
    return write?.kind === 'assign' && write.target === parent ? [{ name: parent.property, write, at }] : [];
  });
  // Each of its requests would ask for each of too many paths.
  const other = writes.find(({ name, write }) => name !== 'pathname' || write.operator !== '=') ?? writes[maxPaths];
  if (other === undefined && writes.length === 0) return value;
  const isSure = writes.some(({ write }) => isCertain(write));
  const changed = (address: Value): readonly Value[] => {
    if (!isAddress(address)) return [address];
    const path = urlPart(address, 'path');
    // Whose it is then cannot be told, but which path it asks for.
    if (other !== undefined) return [concatenated([unknown(other.write, other.at.module, 'assigned'), path ?? address])];
    const paths = writes.map(({ write, at }) => ev.evaluate(write.value, at));
    const after = joinUrl(address, choiceOf(paths), 'resolve') ?? address;
    // Without a path it is asked for nothing yet.
    return isSure || (path !== undefined && plainText(path) === '/') ? [after] : [address, after];
  };
  return choiceOf(optionsOf(value).flatMap(changed));
}
