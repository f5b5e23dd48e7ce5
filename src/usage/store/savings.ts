/** What savers would save, as both stores have it in their tables: by writer and never rolled up, as it is kept no longer than hours are. */
import { reuseTimes } from '../model.ts';
import type { Saving } from './store.ts';

/** The columns of the counts, one for each of `reuseTimes` at the end. */
const countColumns = ['asked', 'untranslated', ...reuseTimes.map((reuse) => `saved_${reuse / 1_000}`)] as const;
export const savingColumns = countColumns.join(', ');
export const sumSavings = countColumns.map((name) => `sum(${name})`).join(', ');

/** Takes the newer of two states of the same row: counts never go down. */
export const mergeSavings = (greatest: string): string =>
  countColumns.map((name) => `${name} = ${greatest}(saving.${name}, excluded.${name})`).join(', ');

export function savingOf([keyHash, hour, ...counts]: readonly unknown[]): Saving {
  const [asked = 0, untranslated = 0, ...saved] = counts.map(Number);
  return { keyHash: String(keyHash), hour: Number(hour), asked, untranslated, saved };
}
