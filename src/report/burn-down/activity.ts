/** What each client called on each day, taken from the same points as everything else that goes by the day. */
import { dayInMs } from '../../contract/times.ts';
import type { Point } from '../../usage/store/store.ts';
import type { Client, Group } from '../clients.ts';
import { lastMidnight } from '../days.ts';

/** Days that a burn-down goes back to; before the first of them, somebody may have been active for a week. */
const mostDays = 180;
export const daysOfWeek = 7;
export const weekInMs = daysOfWeek * dayInMs;

/** All versions of a product with the same key, of which v2 ever accepted a call: an update is no new client, and the old version has not left. */
export interface Product {
  readonly group: Group | undefined;
  readonly clients: Set<Client>;
  /** Calls of each day since `Activity.since`. */
  readonly calls: Uint32Array;
  /** Calls of the last seven days, and of the seven before. */
  now: number;
  before: number;
}

export class Activity {
  /** The midnight that the first day begins at. */
  readonly since: number;
  /** How many days there are; the last one is that of the end. */
  readonly length: number;
  /** When the last seven days begin, and the seven before. */
  readonly weekAgo: number;
  readonly twoWeeksAgo: number;
  readonly #products = new Map<readonly Client[], Product>();

  /**
   * @param until the end of the report, in epoch milliseconds
   * @param weekAgo when its last week begins
   */
  constructor(until: number, weekAgo = until - weekInMs) {
    this.length = mostDays + daysOfWeek;
    this.since = lastMidnight(until - 1) - (this.length - 1) * dayInMs;
    this.weekAgo = weekAgo;
    this.twoWeeksAgo = weekAgo - weekInMs;
  }

  /** Takes in a point of a day. What of the days in which a week begins belongs to it is told by `addEdge`. */
  add({ start, calls }: Point, client: Client): void {
    if (!client.accepted) return;
    const product = this.#productOf(client);
    const day = this.indexOf(start);
    if (day >= 0) product.calls[day] = (product.calls[day] ?? 0) + calls;
    if (start >= this.weekAgo) product.now += calls;
    else if (start >= this.twoWeeksAgo) product.before += calls;
  }

  /** Calls on the day in which a week begins, after it began. */
  addEdge({ calls }: Point, client: Client, week: 'now' | 'before'): void {
    if (!client.accepted) return;
    const product = this.#productOf(client);
    product[week] += calls;
    if (week === 'now') product.before -= calls;
  }

  get products(): readonly Product[] {
    return [...this.#products.values()];
  }

  /** The number of the day that an instant lies in. */
  indexOf(time: number): number {
    return Math.floor((time - this.since) / dayInMs);
  }

  startOf(day: number): number {
    return this.since + day * dayInMs;
  }

  #productOf(client: Client): Product {
    const known = this.#products.get(client.versions);
    if (known !== undefined) {
      known.clients.add(client);
      return known;
    }
    const calls = new Uint32Array(this.length);
    const product: Product = { group: client.key?.group, clients: new Set([client]), calls, now: 0, before: 0 };
    this.#products.set(client.versions, product);
    return product;
  }
}

/** What several called together on each day. */
export function callsOf(products: readonly Product[], length: number): Uint32Array {
  const [first] = products;
  if (products.length === 1 && first !== undefined) return first.calls;
  const sums = new Uint32Array(length);
  for (const { calls } of products) for (let day = 0; day < length; day++) sums[day] = (sums[day] ?? 0) + (calls[day] ?? 0);
  return sums;
}
