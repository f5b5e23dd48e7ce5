import { createHash } from 'node:crypto';
import type { Caller } from './model.ts';

/**
 * The id of a caller: the first 48 bits of a SHA-256 over what the caller is made of, with the length of each part before it, so that no
 * two lists of parts look the same. Every proxy finds the same id by itself, without asking the store.
 */
export function callerId({ keyHash, keyPrefix, workspace, client, name }: Omit<Caller, 'id'>): number {
  const hash = createHash('sha256');
  for (const part of [keyHash, keyPrefix, workspace, client, name]) hash.update(part === null ? '-' : `${Buffer.byteLength(part)}:${part}`);
  return hash.digest().readUIntBE(0, 6);
}
