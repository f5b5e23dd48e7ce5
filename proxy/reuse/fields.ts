/** The fields by which a client sees that its answer was asked for somebody else, or before. */

/** In its value, `in-flight`: another client's request was under way; `stored`: an answer was used again. */
const reusedName = 'X-Migrate-V2-Reused';

const reused = (how: 'in-flight' | 'stored'): readonly string[] => [reusedName, how];
const [inFlight, stored] = [reused('in-flight'), reused('stored')];

// A cookie is for the one who asked.
const ofAnotherAnswer: ReadonlySet<string> = new Set(['set-cookie', reusedName.toLowerCase()]);
const ofAnAge: ReadonlySet<string> = new Set([...ofAnotherAnswer, 'age']);

/** The fields of an answer for one who has joined. */
export const joinedFields = (raw: readonly string[]): readonly string[] => [...without(raw, ofAnotherAnswer), ...inFlight];

/**
 * The fields of an answer that is used again.
 * @param age milliseconds since it was made (RFC 9111 §5.1)
 */
export const storedFields = (raw: readonly string[], age: number): readonly string[] => [
  ...without(raw, ofAnAge),
  'Age',
  String(Math.floor(age / 1_000)),
  ...stored,
];

/** Texts of their own: those of an answer are parts of its whole head, which would be held with them. */
export const copied = (raw: readonly string[]): readonly string[] => raw.map((text) => Buffer.from(text, 'latin1').toString('latin1'));

function without(raw: readonly string[], names: ReadonlySet<string>): string[] {
  return raw.filter((_, i) => !names.has((raw[i - (i % 2)] ?? '').toLowerCase()));
}
