/** The connections to one server: as few as there are calls at once, each kept for the next call. */
import type { Socket } from 'node:net';
import { errors } from '../undici.ts';
import { Connection, type Exchange, type Keeper, type Limits } from './connection.ts';

export type Open = (done: (error: Error | null, socket?: Socket | null) => void) => void;

export interface PoolOptions {
  /** The authority of the server, as it stands in a request. */
  readonly host: string;
  readonly limits: Limits;
  readonly open: Open;
  /** Is told whenever a call no longer needs its connection. */
  readonly freed: () => void;
}

export class ConnectionPool implements Keeper {
  readonly host: string;
  readonly limits: Limits;
  readonly open: Open;
  readonly #freed: () => void;
  readonly #all = new Set<Connection>();
  /** The one that was used last is the last, and the next to be used: what a burst has opened is closed after it. */
  readonly #idle: Connection[] = [];
  #released: Connection[] = [];
  #toWrite: Connection[] = [];
  /** Looks after all of them: a timer for each call would cost every call for the sake of very few. */
  #looking: NodeJS.Timeout | undefined;
  readonly #interval: number;
  #isClosed = false;

  constructor({ host, limits, open, freed }: PoolOptions) {
    this.host = host;
    this.limits = limits;
    this.open = open;
    this.#freed = freed;
    this.#interval = Math.min(1_000, Math.max(5, Math.min(limits.head, limits.body, limits.idle) / 8));
  }

  /**
   * Has a connection carry a call.
   * @param isFresh whether it must be a new one
   * @returns undefined where the call has failed at once
   */
  carry(exchange: Exchange, isFresh = false): Connection | undefined {
    if (this.#isClosed) {
      exchange.onError(new errors.ClientDestroyedError());
      this.#freed();
      return undefined;
    }
    const kept = isFresh ? undefined : this.#take();
    if (kept !== undefined) {
      kept.carry(exchange);
      return kept;
    }
    const made = new Connection(this, exchange);
    this.#all.add(made);
    this.#looking ??= setInterval(() => this.#look(), this.#interval).unref();
    return made;
  }

  #take(): Connection | undefined {
    const now = performance.now();
    for (;;) {
      const kept = this.#idle.pop();
      if (kept === undefined || kept.isUsable(now)) return kept;
      void kept.destroy(new errors.SocketError('idle'));
    }
  }

  /**
   * Together, at the end of the turn: what has come on the connection meanwhile, as its end, is read before it. A request that meets the
   * end of its connection may have been carried out, and cannot be sent again.
   */
  writeSoon(connection: Connection): void {
    if (this.#toWrite.push(connection) > 1) return;
    setImmediate(() => {
      const connections = this.#toWrite;
      this.#toWrite = [];
      for (const each of connections) each.write();
    });
  }

  /** A server may close a connection with its answer: it is not used again in the same turn. */
  release(connection: Connection): void {
    if (this.#released.push(connection) > 1) return;
    setImmediate(() => {
      const connections = this.#released;
      this.#released = [];
      for (const each of connections) {
        if (!each.isGone && each.isSent) this.#idle.push(each);
        else void each.destroy(new errors.SocketError('unsent'));
        this.#freed();
      }
    });
  }

  gone(connection: Connection, wasBusy: boolean): void {
    this.#all.delete(connection);
    const at = wasBusy ? -1 : this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    if (this.#all.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
    }
    if (wasBusy) this.#freed();
  }

  /** Later, and not at once: a process that stood still has yet to read what came meanwhile. */
  #look(): void {
    setImmediate(() => {
      const now = performance.now();
      for (const connection of this.#all) connection.look(this.#interval, now);
    });
  }

  /** Closes all connections; calls under way fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((connection) => connection.destroy(new errors.ClientDestroyedError())));
  }
}
