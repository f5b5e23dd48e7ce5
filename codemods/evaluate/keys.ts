/** The names of properties that are computed. */
import type { Expression } from '../syntax/tree.ts';
import type { At, Evaluation } from './evaluation.ts';
import { type Entry, optionsOf, partsOf, plainText, type Value } from './values.ts';

/** The names that an expression may be, here and for other callers. */
export function computedKeys(ev: Evaluation, computed: Expression, at: At): Pick<Entry, 'name' | 'key' | 'provenance' | 'isShared'>[] {
  const keys = keysOf(ev.evaluate(computed, at));
  const isShared = keys.length > 1 || ev.evaluate(computed, { module: at.module, frame: undefined }).type === 'param';
  return isShared ? keys.map((key) => ({ ...key, isShared })) : keys;
}

/** A name that is computed: with its only part, if it has just one, as only that can be edited as a whole. */
export function keysOf(value: Value): Pick<Entry, 'name' | 'key' | 'provenance'>[] {
  return optionsOf(value).map((option) => {
    const [part, more] = partsOf(option);
    const key = part !== undefined && more === undefined && 'text' in part ? part : undefined;
    return { name: plainText(option), key, ...(key?.provenance === undefined ? {} : { provenance: key.provenance }) };
  });
}
