/** What an object holds, one after the other: `Object.keys(headers)`, `[...new Headers(headers)]`. */
import { isScript, type SourceModule } from './module.ts';
import { joinProvenance } from './provenance.ts';
import { after, type Entry, type Value } from './values.ts';

export const nameOf = ({ name = '', key }: Entry): Value => ({ type: 'text', parts: [key ?? { text: name }] });
const listOf = (items: readonly Value[], module: SourceModule): Value => ({ type: 'list', items, nodes: [], isOpen: false, module });

/** One item for each property of an object that is wholly known. */
export function listed(object: Value | undefined, module: SourceModule, item: (entry: Entry) => Value): Value | undefined {
  const isKnown = object?.type === 'object' && object.unknown.length === 0 && object.entries.every(({ name }) => name !== undefined);
  return isKnown
    ? listOf(
        object.entries.map((entry) => after(item(entry), joinProvenance(object.provenance, entry.provenance))),
        module,
      )
    : undefined;
}

/** Names and values, as headers and maps give them to whoever goes through them: what has no node of its name stands where the value does. */
export const pairsOf = (object: Value, module: SourceModule): Value | undefined =>
  listed(object, module, (entry) => {
    const items = [nameOf(entry), entry.value()];
    return isScript(entry.module)
      ? { type: 'list', items, nodes: [undefined, entry.valueNode], isOpen: false, module: entry.module }
      : listOf(items, module);
  });
