/**
 * Attempts to sign in, by the network they come from. Only the form is limited: whoever keeps a network waiting locks nobody out, as the token
 * itself opens everything as a Bearer credential, a session that has begun goes on, and other networks do not wait.
 */
import { networkOf } from '../../src/usage/network.ts';

/** So many in a row, each `window` ms. */
const maxAttempts = 10;
const window = 60_000;
/** Networks that are remembered; more are an attack in itself, and the oldest is forgotten. */
const maxNetworks = 10_000;

export class Attempts {
  readonly #now: () => number;
  readonly #networks = new Map<string, { readonly since: number; count: number }>();

  /** @param now epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Counts an attempt before it is looked at, so that many at once are not more than many in turn.
   * @returns 0 where it may be made, else the seconds until one may be
   */
  take(address: string | undefined): number {
    const network = nameOf(address);
    const now = this.#now();
    const known = this.#networks.get(network);
    if (known === undefined || now - known.since >= window) {
      this.#networks.delete(network);
      const [oldest] = this.#networks.keys();
      if (oldest !== undefined && this.#networks.size >= maxNetworks) this.#networks.delete(oldest);
      this.#networks.set(network, { since: now, count: 1 });
      return 0;
    }
    if (known.count < maxAttempts) {
      known.count++;
      return 0;
    }
    return Math.ceil((known.since + window - now) / 1000);
  }

  /** Forgets the attempts of a network from which somebody has signed in. */
  succeeded(address: string | undefined): void {
    this.#networks.delete(nameOf(address));
  }
}

const nameOf = (address: string | undefined): string => networkOf(address ?? '') ?? 'unknown';
