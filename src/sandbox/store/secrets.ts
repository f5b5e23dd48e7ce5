import { secretPrefix } from '../../contract/events.ts';
import type { NextId } from '../values/ids.ts';

const kind = 'secret';

/** Makes a signing secret. */
export function newSecret(nextId: NextId): string {
  return secretPrefix + nextId(kind).slice(`${kind}_`.length);
}

/** The id that a signing secret was made from. */
export function secretId(secret: string): string {
  return `${kind}_${secret.slice(secretPrefix.length)}`;
}
