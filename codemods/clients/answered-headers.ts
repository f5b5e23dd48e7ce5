/** Headers whose values a library asks functions for: `{ 'x-api-key': () => key }`. */
import { returnsOf } from '../evaluate/calls/returns.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, type Value } from '../evaluate/values/values.ts';

/** The headers with what such a function returns in its place, where that is one thing: it is what each request has. */
export function answeredHeaders(ev: Evaluation, headers: Value): Value {
  const put = (entry: Entry): Entry => {
    const fn = entry.value();
    const [returned, ...others] = fn.type === 'function' ? returnsOf(fn.node) : [];
    return fn.type !== 'function' || returned === undefined || others.length > 0
      ? entry
      : { ...entry, valueNode: returned, value: () => ev.evaluate(returned, fn) };
  };
  return choiceOf(
    optionsOf(headers).map((each) => (each.type === 'object' ? ({ ...each, entries: each.entries.map(put) } satisfies ObjectValue) : each)),
  );
}
