/** The value of the header that tells clients apart (`clientHeader`), as it may stand in the record. */
import { createHmac } from 'node:crypto';
import { remembering } from './remembering.ts';

/** What people name programs with: no brackets, signs or accents, which addresses, telephone numbers and passwords have. */
const plain = /^[a-z0-9._/-](?:[a-z0-9 ._/-]{0,62}[a-z0-9._/-])?$/i;

/** What no name holds, however plain it is. */
const tellsMore = [
  // Beginnings of keys and of JSON Web Tokens.
  /(?:^|[^a-z0-9])(?:[a-z]{2,5}_(?:live|test)_|(?:ak|sk|pk|rk|key|whsec)_|xox[a-z]-|aiza[\w-]{16}|eyJ)/i,
  /A[KS]IA[A-Z2-7]{12}/,
  // Six digits in a row, or seven in groups: numbers of cards, telephones, customers and machines.
  /\d{6}|(?:\d[ ._/-]*){7}/,
  // Sixteen letters and digits in a row: keys and hashes.
  /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16}/i,
  // Sixteen characters and more in which letters and digits take turns.
  /(?=[\w/.-]{16})(?:[a-z_/.-]*\d+[a-z]+){4}/i,
];

/**
 * Makes the function that reads it. Clients can send anything: only what reads like a name is shown. All else becomes a keyed hash, which can
 * still be told apart and counted.
 * @param secret of the hash
 * @returns takes the value, and the keys of the same call
 */
export function clientNames(secret: string): (value: string | undefined, keys: readonly string[]) => string | null {
  const hashed = (value: string): string => `other-${createHmac('sha256', secret).update(value).digest('hex').slice(0, 8)}`;
  // Hashing costs more than the rest of a record.
  const name = remembering((value) => (plain.test(value) && !tellsMore.some((pattern) => pattern.test(value)) ? value : hashed(value)));
  return (value, keys) => {
    if (value === undefined || value === '') return null;
    return keys.some((key) => key !== '' && value.includes(key)) ? hashed(value) : name(value);
  };
}
