/**
 * Asks v2 once where clients ask the same: a read that is identical to one under way gets its answer, too, and an answer may be used again for as
 * long as the configuration says. Never another key's, and never one that was asked before a write of the same workspace was over.
 */
import type { BudgetPolicy } from '../../src/budget/policy.ts';
import { type V1EndpointId, endpointIds, v1Endpoints } from '../../src/contract/endpoints.ts';
import type { Purpose } from '../budget/purpose.ts';
import type { PaidReceiver, PaidSender, PaidRequest } from '../budget/spending.ts';
import type { Receiver, Sent } from '../upstream.ts';
import { isFinal, showsState } from './final-state.ts';
import { Flight, type Host } from './flight.ts';
import { Flights } from './flights.ts';
import { type Asked, readAsked } from './identity.ts';
import { OpenWrites } from './open-writes.ts';
import type { Reading } from './reading.ts';
import { type Instant, type Kept, Store, type StoreBounds, currentAge, since } from './store.ts';
import { StoredAnswer, isFreshFor, isWorthKeeping, keptOf, readStored } from './stored-answer.ts';
import { type Resource, resourceOf, touchedBy } from './touched.ts';
import { WatchedWrite } from './watched-write.ts';
import { type Write, type Writes, unheard } from './writes.ts';

/** What is known of a request before it is sent. */
interface Sending {
  readonly method: string;
  readonly target: string;
  readonly workspace: string | undefined;
}

/** How v2 was spared a call. */
export type Spared = 'in-flight' | 'stored';

export interface ReuseOptions {
  /** The clock on the wall, in epoch milliseconds. */
  readonly now: () => number;
  /** One that never steps, in milliseconds. */
  readonly steady?: () => number;
  readonly writes?: Writes;
  readonly bounds?: StoreBounds;
  /** Is told of each call that was spared. */
  readonly spared?: (endpoint: V1EndpointId, how: Spared) => void;
}

const usualBounds: StoreBounds = { bytes: 32 * 1024 * 1024, entries: 20_000 };

/** Answers at once that slow clients may read together: each holds up to `longest` bytes. */
const mostCrowded = 128;

/** Bytes of a body that are read for its state, whatever its coding makes of them. */
const mostText = 256 * 1024;

/** How long reads of an endpoint are asked one by one after v2 said of an answer that it is for nobody else, in milliseconds. */
const oneByOne = 60_000;

export class Reuse implements PaidSender, Host {
  readonly #next: PaidSender;
  readonly #now: () => number;
  readonly #steady: () => number;
  readonly #writes: Writes;
  readonly #spared: (endpoint: V1EndpointId, how: Spared) => void;
  readonly #store: Store;
  readonly #open = new OpenWrites();
  /** Reads under way that others may join, or whose answers may be kept, by key and path. */
  readonly #flights = new Flights();
  /** Those whose answers are being read, before they are kept. */
  readonly #read = new Set<Flight>();
  /** Until when an endpoint is asked one by one. */
  readonly #unshared = new Map<V1EndpointId, number>();
  readonly #id = crypto.randomUUID();
  #written = 0;
  #crowded = 0;

  constructor(
    next: PaidSender,
    { now, steady = () => performance.now(), writes = unheard(() => 1), bounds = usualBounds, spared }: ReuseOptions,
  ) {
    this.#next = next;
    this.#now = now;
    this.#steady = steady;
    this.#writes = writes;
    this.#spared = spared ?? ignore;
    this.#store = new Store(bounds);
    writes.heard({
      began: (write) => {
        this.#open.begin(write, this.#steady());
        this.#forget(write);
      },
      over: (write) => {
        this.#open.end(write);
        this.#forget(write);
      },
      missed: () => {
        this.#store.clear();
        for (const flight of [...this.#flights.all(), ...this.#read]) this.#touch(flight);
      },
    });
  }

  send(request: PaidRequest, receiver: PaidReceiver): Sent {
    const { method, purpose } = request;
    if (method !== 'GET') {
      const sending: Sending = { method, target: request.path, workspace: purpose?.account.workspace };
      return this.heed(sending, receiver, (watched) => this.#next.send(request, watched ?? receiver));
    }
    // Look-ups and calls to v2 itself are not translated reads, and nobody has said how old their answers may be.
    if (purpose?.endpoint === undefined) return this.#next.send(request, receiver);
    return this.#sendRead(request, receiver, purpose, purpose.endpoint);
  }

  /**
   * Sends a request on, and heeds it where it writes.
   * @param target its path and query on v2, also where it goes to v1
   * @param workspace of its key; undefined where the configuration gives it none
   */
  heed(
    { method, target, workspace = '' }: Sending,
    receiver: Receiver | PaidReceiver,
    send: (receiver: WatchedWrite | undefined) => Sent,
  ): Sent {
    if (safe.has(method)) return send(undefined);
    const write: Write = { id: `${this.#id} ${++this.#written}`, group: workspace, touched: touchedBy(method, target) };
    const watched = new WatchedWrite(receiver, {
      began: () => {
        this.#open.begin(write, this.#steady(), Infinity);
        this.#forget(write);
        this.#writes.began(write);
      },
      over: () => {
        this.#open.end(write);
        this.#writes.over(write);
      },
      lost: () => this.#open.lose(write, this.#steady()),
    });
    return watched.follow(send(watched));
  }

  /** Nothing that a write touches is used any more; what is under way is for those who have it. */
  #forget({ group, touched }: Write): void {
    this.#store.drop(group, touched);
    for (const flight of [...this.#flights.all(), ...this.#read]) {
      if (flight.group === group && touched.resources.includes(flight.resource)) this.#touch(flight);
    }
  }

  /** Whether writes of other replicas are heard; nothing from before a time without is used afterwards. */
  #hears(): boolean {
    const { hears } = this.#writes;
    if (!hears && this.#store.size > 0) this.#store.clear();
    return hears;
  }

  #touch(flight: Flight): void {
    flight.touch();
    this.#flights.delete(flight);
  }

  #sendRead(request: PaidRequest, receiver: PaidReceiver, { account, reader: key }: Purpose, endpoint: V1EndpointId): Sent {
    const { policy, workspace: group = '' } = account;
    const joins = mayJoin(policy, endpoint);
    const keeps = mayKeep(policy, endpoint);
    if (!joins && !keeps) return this.#next.send(request, receiver);
    // While one is under way, nobody knows whether what is asked now is asked before or after it: it is for nobody else.
    const resource = resources[endpoint];
    if (!this.#hears() || this.#open.touches(group, resource, this.#steady)) return this.#next.send(request, receiver);
    const found = keeps ? this.#find(key, request) : undefined;
    if (found !== undefined) {
      this.#spared(endpoint, 'stored');
      return readStored(found, request, receiver);
    }
    const flight = this.#flights.get(key, request.path);
    // One way of asking at a time is enough: where it does not suit, this one is asked by itself.
    if (flight !== undefined) {
      const suits = joins && this.#suits(flight, request, endpoint);
      return suits ? flight.join(request, receiver) : this.#next.send(request, receiver);
    }
    const of = { key, group, resource, asked: keeps ? this.#instant() : undefined, again: false };
    const asked = new Flight(request, of, this, receiver);
    this.#flights.add(asked);
    return asked.start(this.#next);
  }

  /** An answer that may be used again for this request. */
  #find(key: string, { path, fields }: PaidRequest): StoredAnswer | undefined {
    const asked = readAsked(fields);
    if (asked === undefined || asked.maxAge < 0) return undefined;
    const now = this.#instant();
    const kept = this.#store.get(identityOf(key, path, asked), now);
    return kept !== undefined && isFreshFor(asked, kept, now) ? new StoredAnswer(kept, currentAge(kept, now)) : undefined;
  }

  /** Whether a request can have the answer that another one is going to get. */
  #suits(flight: Flight, { fields }: PaidRequest, endpoint: V1EndpointId): boolean {
    if (!flight.mayBeJoined || (!flight.isCrowded && this.#crowded >= mostCrowded)) return false;
    const until = this.#unshared.get(endpoint);
    if (until !== undefined && until > this.#steady()) return false;
    const [mine, others] = [readAsked(fields), flight.identity];
    if (mine === undefined || mine.fields !== others?.fields) return false;
    return mine.maxAge === Infinity || (flight.asked !== undefined && since(flight.asked, this.#instant()) <= mine.maxAge);
  }

  closed(flight: Flight): void {
    this.#flights.delete(flight);
  }

  crowded(change: 1 | -1): void {
    this.#crowded += change;
  }

  spared({ request }: Flight): void {
    const endpoint = request.purpose?.endpoint;
    if (endpoint !== undefined) this.#spared(endpoint, 'in-flight');
  }

  parted(readings: readonly Reading[], { request, cacheability }: Flight): void {
    const endpoint = request.purpose?.endpoint;
    if (!cacheability.shared && endpoint !== undefined) this.#unshared.set(endpoint, this.#steady() + oneByOne);
    for (const reading of readings) reading.askAlone(this.#next);
  }

  again(readings: readonly Reading[], { key, group, resource, asked }: Flight): void {
    const [first] = readings;
    if (first === undefined) return;
    const now = asked === undefined ? undefined : this.#instant();
    const flight = new Flight(first.request, { key, group, resource, asked: now, again: true }, this);
    first.joined = false;
    flight.gather(readings);
    if (this.#flights.get(key, first.request.path) !== undefined || !this.#hears() || this.#open.touches(group, resource, this.#steady))
      flight.touch();
    else this.#flights.add(flight);
    flight.start(this.#next);
  }

  whole(flight: Flight): void {
    const { asked, request } = flight;
    // As nearly always: nothing is read of an answer that is not to be kept.
    if (asked === undefined || !this.#writes.hears) return;
    const { identity } = flight;
    const { purpose } = request;
    if (purpose?.endpoint === undefined || identity === undefined || !isWorthKeeping(flight)) return;
    const { reuse, final } = purpose.account.policy;
    const lasts = reuse[purpose.endpoint] ?? 0;
    const kept = keptOf(flight, { identity: identityOf(flight.key, flight.path, identity), asked, now: this.#instant() });
    if (lasts > 0) this.#store.set({ ...kept, lasts, final: false });
    if (final.states.length > 0 && showsState(purpose.endpoint))
      void this.#keepFinal(flight, { ...kept, lasts: Math.max(lasts, final.for), final: true }, final.states);
  }

  async #keepFinal(flight: Flight, kept: Kept, states: readonly string[]): Promise<void> {
    this.#read.add(flight);
    const yes = await isFinal(kept.body, { fields: kept.fields, states, longest: mostText });
    this.#read.delete(flight);
    if (yes && !flight.isTouched) this.#store.set(kept);
  }

  #instant(): Instant {
    return { steady: this.#steady(), wall: this.#now() };
  }
}

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const resources = Object.fromEntries(endpointIds(v1Endpoints).map((id) => [id, resourceOf(v1Endpoints[id].successor)])) as Record<
  V1EndpointId,
  Resource
>;

const mayJoin = ({ coalesce }: BudgetPolicy, endpoint: V1EndpointId): boolean =>
  coalesce === true || (coalesce !== false && coalesce[endpoint] !== false);

const mayKeep = ({ reuse, final }: BudgetPolicy, endpoint: V1EndpointId): boolean =>
  (reuse[endpoint] ?? 0) > 0 || (final.states.length > 0 && final.for > 0 && showsState(endpoint));

const identityOf = (key: string, path: string, { fields }: Asked): string => `${key}\n${path}\n${fields}`;

const ignore = (): void => undefined;
