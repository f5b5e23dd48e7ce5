import { callerId } from './caller-id.ts';
import type { Counter } from './counter.ts';
import { unlisted } from '../contract/endpoints.ts';
import { hourInMs } from '../contract/times.ts';
import { type Caller, type Kind, otherCallers, type Source } from './model.ts';
import { type Saver, saverOf } from './savings.ts';
import type { Use } from './use.ts';

/** What a process remembers of a caller. */
export interface KnownCaller {
  readonly caller: Caller;
  /** Its counters of one minute of one session, which `turn` counts. */
  counters: Map<Kind, Counter>;
  turn: number;
  seen: number;
  readonly sources: Map<string, KnownSource>;
  /** Undefined without a key. */
  readonly saver: Saver | undefined;
}

export type KnownSource = { -readonly [property in keyof Source]: Source[property] } & {
  /** What the store was last given as `last`. */
  written: number;
};

const other: Omit<Caller, 'id'> = { keyHash: null, keyPrefix: null, workspace: null, client: otherCallers, name: null };

const known = (caller: Omit<Caller, 'id'>): KnownCaller => ({
  caller: { id: callerId(caller), ...caller },
  counters: new Map(),
  turn: -1,
  seen: 0,
  sources: new Map(),
  saver: saverOf(caller),
});

/** Whether a call shows that its key is one. What v1 says of a path that nobody knows, it may say to anybody. */
export function isAccepted({ outcome, status, endpoint }: Pick<Use, 'outcome' | 'status' | 'endpoint'>): boolean {
  if (outcome === 'observed' || outcome === 'compared') return status >= 100 && status < 400 && endpoint !== unlisted;
  return outcome === 'translated' && status !== 401;
}

type ByName = Map<string | null, KnownCaller>;

/**
 * The callers of one process, found without making a text; bounded, since anybody can send new keys and User-Agents. Those whose first call
 * neither version has accepted share half of the room: whoever makes up keys does not push out those who have one.
 */
export class KnownCallers {
  readonly #most: number;
  readonly #byHash = new Map<string | null, Map<string, ByName>>();
  readonly #other = known(other);
  #size = 0;
  #swept = -Infinity;

  constructor(most: number) {
    this.#most = most;
  }

  of(use: Use): KnownCaller {
    const hash = use.key === undefined ? null : use.key.hash;
    let byClient = this.#byHash.get(hash);
    let byName = byClient?.get(use.client);
    const found = byName?.get(use.name);
    if (found !== undefined) return found;
    const most = isAccepted(use) ? this.#most : this.#most / 2;
    if (this.#size >= most && !this.#sweep(use.at, most)) return this.#other;
    // The sweep may have taken away what was found before it.
    byClient = this.#byHash.get(hash);
    if (byClient === undefined) this.#byHash.set(hash, (byClient = new Map()));
    byName = byClient.get(use.client);
    if (byName === undefined) byClient.set(use.client, (byName = new Map()));
    const { client, name, workspace } = use;
    const added = known({ keyHash: hash, keyPrefix: use.key?.prefix ?? null, workspace, client, name });
    byName.set(name, added);
    this.#size++;
    return added;
  }

  /** Forgets, at most once a minute, who has not called for an hour: scanners must not push out for ever who comes after them. */
  #sweep(now: number, most: number): boolean {
    if (Math.abs(now - this.#swept) < 60_000) return false;
    this.#swept = now;
    for (const [hash, byClient] of this.#byHash) {
      for (const [client, byName] of byClient) {
        for (const [name, { seen }] of byName) if (now - seen > hourInMs && byName.delete(name)) this.#size--;
        if (byName.size === 0) byClient.delete(client);
      }
      if (byClient.size === 0) this.#byHash.delete(hash);
    }
    return this.#size < most;
  }
}
