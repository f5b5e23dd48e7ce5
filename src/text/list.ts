/** Names as a list in a sentence. */

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const all = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** `a, b or c` */
export const or = (names: readonly string[]): string => alternatives.format(names);

/** `a, b and c` */
export const and = (names: readonly string[]): string => all.format(names);
