/** The fields by which a client sees that its answer was asked for somebody else, or before. */

/** In its value, `in-flight`: another client's request was under way; `stored`: an answer was used again. */
const reusedName = 'X-Migrate-V2-Reused';

const reused = (how: 'in-flight' | 'stored'): readonly Buffer[] => [Buffer.from(reusedName), Buffer.from(how)];
const [inFlight, stored] = [reused('in-flight'), reused('stored')];

// A cookie is for the one who asked.
const ofAnotherAnswer: ReadonlySet<string> = new Set(['set-cookie', reusedName.toLowerCase()]);
const ofAnAge: ReadonlySet<string> = new Set([...ofAnotherAnswer, 'age']);

/** The fields of an answer for one who has joined. */
export const joinedFields = (raw: readonly Buffer[]): readonly Buffer[] => [...without(raw, ofAnotherAnswer), ...inFlight];

/**
 * The fields of an answer that is used again.
 * @param age milliseconds since it was made (RFC 9111 §5.1)
 */
export const storedFields = (raw: readonly Buffer[], age: number): readonly Buffer[] => [
  ...without(raw, ofAnAge),
  Buffer.from('Age'),
  Buffer.from(String(Math.floor(age / 1_000))),
  ...stored,
];

/** Bytes of their own: those of undici are parts of what one read from the connection brought, which would be held with them. */
export const copied = (raw: readonly Buffer[]): readonly Buffer[] => raw.map((bytes) => Buffer.from(bytes.toString('latin1'), 'latin1'));

function without(raw: readonly Buffer[], names: ReadonlySet<string>): Buffer[] {
  return raw.filter((_, i) => !names.has((raw[i - (i % 2)] ?? Buffer.alloc(0)).toString('latin1').toLowerCase()));
}
