/**
 * Lists that are kept as long as a tree. A list that `push`, `filter`, `flatMap` or a spread made has room for some sixteen items more, and there are
 * more lists than anything else but names.
 */

/** For whatever has none. */
export const none: readonly never[] = [];

/** The same, without room for more. */
export const exact = <Item>(list: readonly Item[]): readonly Item[] => (list.length === 0 ? none : list.slice());
