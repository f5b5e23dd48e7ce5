/**
 * Methods of the language's lists, by what they do with the items. Whoever means only some of them, or more, derives that from these and says why. `reduce` and `sort`,
 * whose functions get something else first, or two items at a time, are none of them.
 */

/** They call a function for every item, and give back what it makes of them, or nothing. */
export const mapping: ReadonlySet<string> = new Set(['map', 'flatMap', 'forEach']);

/** They call a function that tells which item is meant, and give back that. */
export const findingOne: ReadonlySet<string> = new Set(['find', 'findLast']);

/** They call a function that tells which items are meant, and give back only whether there are any. */
export const telling: ReadonlySet<string> = new Set(['some', 'every']);

/** All that call a function which tells which items are meant. */
export const choosing: ReadonlySet<string> = new Set([...findingOne, 'findIndex', 'findLastIndex', 'filter', ...telling]);

/** All that call a function for each item. */
export const perItem: ReadonlySet<string> = new Set([...mapping, ...choosing]);

/** They put something into a list, a Set or a Map. */
export const filling: ReadonlySet<string> = new Set(['add', 'push', 'set', 'splice', 'unshift']);

/** They give one of the items. */
export const taking: ReadonlySet<string> = new Set(['at', 'pop', 'shift', ...findingOne]);
