import type { KeyFingerprint } from './key-fingerprint.ts';
import type { Kind } from './model.ts';

/** One answered v1 call, or one to v2 that passed, as the proxy gives it to the record. */
export interface Use {
  /** When its answer ended, in epoch milliseconds. */
  readonly at: number;
  /** Method and path template of the endpoint, or `unlisted`. */
  readonly endpoint: string;
  /** See `recordedMethod`. */
  readonly method: string;
  readonly status: number;
  readonly outcome: Kind['outcome'];
  /** Milliseconds. */
  readonly duration: number;
  /** Requests that v2 was sent for it. */
  readonly v2Calls: number;
  /** Undefined without exactly one key. */
  readonly key: KeyFingerprint | undefined;
  /** The workspace that the configuration gives the key: a function of the key, as long as the process runs. */
  readonly workspace: string | null;
  /** See client-product.ts. */
  readonly client: string;
  readonly name: string | null;
  /** Path and query of a GET, or their hash (resource-hash.ts); undefined for every other method. */
  readonly resource: string | number | undefined;
  /** The peer's address on the socket. */
  readonly address: string | undefined;
}
