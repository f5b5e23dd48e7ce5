/** What an object holds, one after the other: `Object.keys(headers)`, `[...new Headers(headers)]`. */
import { isUngiven } from './looked-up.ts';
import { isScript, type SourceModule } from '../module.ts';
import { joinProvenance } from '../values/provenance.ts';
import { after, type Entry, type ListValue, type Value, unknown } from '../values/values.ts';

export const nameOf = ({ name, key, node, module }: Entry): Value =>
  name === undefined ? unknown(node, module) : { type: 'text', parts: [key ?? { text: name }] };
const listOf = (items: readonly Value[], module: SourceModule): ListValue => ({ type: 'list', items, nodes: [], isOpen: false, module });

/** One item for each property of an object that is wholly known; of a Map any number of those whose names are not. */
export function listed(object: Value | undefined, module: SourceModule, item: (entry: Entry) => Value): Value | undefined {
  if (object?.type !== 'object' || object.unknown.length > 0) return undefined;
  const isNamed = object.entries.every(({ name }) => name !== undefined);
  if (!isNamed && (object.isMap !== true || object.entries.some((entry) => isUngiven(entry.value())))) return undefined;
  const list = listOf(
    object.entries.map((entry) => after(item(entry), joinProvenance(object.provenance, entry.provenance))),
    module,
  );
  return isNamed ? list : { ...list, isOpen: true, placed: 0 };
}

/** Names and values, as headers and maps give them to whoever goes through them: what has no node of its name stands where the value does. */
export const pairsOf = (object: Value, module: SourceModule): Value | undefined =>
  listed(object, module, (entry) => {
    const items = [nameOf(entry), entry.value()];
    return isScript(entry.module)
      ? { type: 'list', items, nodes: [undefined, entry.valueNode], isOpen: false, module: entry.module }
      : listOf(items, module);
  });

/** Whether nothing is in a list but what is among its items, whether or not their number and order are known. */
export const isOfKnown = ({ isOpen, placed }: ListValue): boolean => !isOpen || placed !== undefined;
