/** How many entries a list gives at most; 100 where absent. */
export interface ListSize {
  readonly limit?: number | undefined;
}

/** The newest entries of a list that begins with the oldest. */
export function newest<T>(entries: readonly T[], { limit = 100 }: ListSize = {}): readonly T[] {
  return entries.slice(Math.max(0, entries.length - limit)).toReversed();
}
