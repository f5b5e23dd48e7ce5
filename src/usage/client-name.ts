/** The value of the header that tells clients apart (`clientHeader`), as it may stand in the record. */
import { hashOfProduct } from './client-product.ts';
import { readsLikeName, showsPartOf } from './name-like.ts';
import { remembering, rememberingPairs } from './remembering.ts';

/**
 * Makes the function that reads it. Clients can send anything: only what reads like a name is shown. All else becomes a keyed hash, which can
 * still be told apart and counted.
 * @param secret of the hash
 * @returns takes the value, and the keys of the same call
 */
export function clientNames(secret: string): (value: string | undefined, keys: readonly string[]) => string | null {
  // Hashing costs more than the rest of a record.
  const hashed = hashOfProduct(secret);
  const shows = rememberingPairs(showsPartOf);
  const name = remembering((value) => (readsLikeName(value) ? value : hashed(value)));
  return (value, keys) => {
    if (value === undefined || value === '') return null;
    return keys.some((key) => shows(value, key)) ? hashed(value) : name(value);
  };
}
