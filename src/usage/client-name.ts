/** The value of the header that tells clients apart (`clientHeader`), as it may stand in the record. */
import { createHmac } from 'node:crypto';

const longest = 64;
const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** Beginnings of keys and of JSON Web Tokens. */
const keyed = /(?:^|[^a-z0-9])(?:[a-z]{2,5}_(?:live|test)_|(?:ak|sk|pk|rk|key|whsec)_|eyJ)/i;
/** Twenty characters and more in which letters and digits take turns: nobody's name. */
const random = /(?=[\w+/=.-]{20})(?:[a-z_+/=.-]*\d+[a-z]+){4}/i;

/**
 * Makes the function that reads it. Clients can send anything: what is long, no plain text or looks like a key becomes a keyed hash, which can
 * still be told apart and counted.
 * @param secret of the hash
 * @returns takes the value, and the keys of the same call
 */
export function clientNames(secret: string): (value: string | undefined, keys: readonly string[]) => string | null {
  return (value, keys) => {
    if (value === undefined || value === '') return null;
    const mayBeShown = value.length <= longest && plain.test(value) && !keyed.test(value) && !random.test(value);
    if (mayBeShown && !keys.some((key) => key !== '' && value.includes(key))) return value;
    return `other-${createHmac('sha256', secret).update(value).digest('hex').slice(0, 8)}`;
  };
}
