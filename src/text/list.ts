/** Names as a list in a sentence. */

const list =
  (last: string) =>
  (names: readonly string[]): string =>
    names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;

/** `a, b or c` */
export const or = list('or');

/** `a, b and c` */
export const and = list('and');
