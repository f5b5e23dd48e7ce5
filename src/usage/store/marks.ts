/** What people noted of customers, as both stores have it in their tables. */
import { type Mark, markStatuses } from '../model.ts';

/** In the order in which they were noted: clocks may differ. */
export const allMarks = 'SELECT subject, at, status, until, note FROM mark ORDER BY n';

export const insertMark = (places: string): string => `INSERT INTO mark (subject, at, status, until, note) VALUES (${places})`;

/** The mark of a row; none where its status is not known. */
export function marksOf([subject, at, stored, until, note]: readonly unknown[]): readonly Mark[] {
  const status = stored === null ? null : markStatuses.find((each) => each === stored);
  if (status === undefined) return [];
  return [
    {
      subject: String(subject),
      at: Number(at),
      status,
      until: until === null ? null : Number(until),
      note: note === null ? null : String(note),
    },
  ];
}
