/**
 * Which callers of the record are one client: those with the same key, product and name. The record has the hash of a client's own name as long as
 * its key was not known to be one, and wherever an older version wrote it; once it has the name as well, both are one.
 */
import { hashesOf, hashOfProduct, nameOfProduct, unnamed } from '../usage/client-product.ts';
import type { Caller } from '../usage/model.ts';

interface SameClient<C> {
  /** The one that says most. */
  readonly caller: C;
  /** All of them, in their order. */
  readonly same: readonly C[];
}

/** @param secret of the hashes in the record */
export function sameClients<C extends Caller>(callers: readonly C[], secret: string): SameClient<C>[] {
  const hashes = hashesOf(secret);
  const named = new Map<string, string>();
  // Of several versions the lowest has the hash, which is of all: it was there first.
  const shown = callers.filter(({ client }) => !unnamed.test(client));
  for (const { keyHash, client, name } of shown.toSorted((a, b) => byVersion.compare(a.client, b.client)))
    for (const hash of hashes(client)) {
      const hashed = JSON.stringify([keyHash, hash, name]);
      if (!named.has(hashed)) named.set(hashed, JSON.stringify([keyHash, client, name]));
    }
  const clientOf = ({ keyHash, client, name }: Caller): string => {
    const own = JSON.stringify([keyHash, client, name]);
    return named.get(own) ?? own;
  };
  return [...Map.groupBy(callers, clientOf).values()].flatMap((same) => {
    const caller = same.find(({ client }) => !unnamed.test(client)) ?? same[0];
    return caller === undefined ? [] : [{ caller, same }];
  });
}

const byVersion = new Intl.Collator('en', { numeric: true });

/** Makes the function that gives what is the same for all versions of a product, and for its hash. */
export function productIdentity(secret: string): (client: string) => string {
  const hash = hashOfProduct(secret);
  return (client) => (unnamed.test(client) ? client : hash(nameOfProduct(client)));
}
