import { unlisted } from '../contract/endpoints.ts';
import { isAccepted } from './known-callers.ts';
import type { Use } from './use.ts';

/** Keys that are remembered; a key that was forgotten is proven anew by its next call. */
const most = 10_000;

/** Which keys were shown to be some by a call: only of whose holders the names are recorded that they give themselves. Anybody can send a User-Agent. */
export class ProvenKeys {
  readonly #hashes = new Set<string>();

  /**
   * Whether a key is one, as far as this call and those before it show.
   * @param passed whether it is a call to v2, of which paths that nobody knows say nothing
   */
  isProven(hash: string, answer: Pick<Use, 'outcome' | 'status' | 'endpoint'>, passed: boolean): boolean {
    if (this.#hashes.has(hash)) return true;
    if (!isAccepted(answer) || (passed && answer.endpoint === unlisted) || saysNothing(answer.status)) return false;
    if (this.#hashes.size >= most) this.#hashes.clear();
    this.#hashes.add(hash);
    return true;
  }
}

/** What a gateway may say to anybody, before it looks at a key. */
const saysNothing = (status: number): boolean => status === 403 || status === 429 || status >= 500 || status < 100;
