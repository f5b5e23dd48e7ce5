/**
 * A fleet of replicas that share one account, in simulated time: their ledgers are the real ones, the store runs the real exchange, and between them
 * messages are late, lost, or carried out after they were given up. v2 counts by the hours of a clock of its own.
 */
import { LeasingLedger } from '../../proxy/budget/leasing.ts';
import { isDenied } from '../../src/budget/account.ts';
import { newFleet } from '../../src/budget/fleet.ts';
import { type LedgerAnswers, type LedgerBatch, type LedgerStore, answerAll } from '../../src/budget/ledger-store.ts';
import { type Shared, newShared } from '../../src/budget/leases.ts';
import { hourInMs } from '../../src/contract/times.ts';

export interface Plan {
  readonly seed: number;
  readonly limit: number;
  readonly replicas: number;
  /** Minutes past a full hour at which it begins, and how long it goes on. */
  readonly from: number;
  readonly minutes: number;
  /** Calls in an hour. */
  readonly demand: number;
  readonly writes: number;
  /** Seconds after the beginning. */
  readonly kills: readonly { readonly at: number; readonly back: number; readonly replica: number }[];
  readonly outages: readonly { readonly at: number; readonly seconds: number; readonly silent: boolean }[];
  /** The part of messages that get lost, on either way. */
  readonly loss: number;
  /** v2's clock against the store's, in milliseconds. */
  readonly apart: number;
  /** Whether replicas start while the store is away. */
  readonly startsWithout?: boolean;
}

export interface Result {
  /** What v2 counted, by its hours. */
  readonly counted: ReadonlyMap<number, number>;
  readonly asked: number;
  readonly refused: number;
  readonly kills: number;
  /** Replicas that started while the store was away. */
  readonly unknown: number;
  readonly exchanges: number;
}

/** Chance that is the same for the same seed: mulberry32. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Things to be done, in the order of their times. */
class Agenda {
  now: number;
  readonly #heap: { readonly at: number; readonly order: number; readonly work: () => void }[] = [];
  #order = 0;

  constructor(now: number) {
    this.now = now;
  }

  add(after: number, work: () => void): void {
    const heap = this.#heap;
    heap.push({ at: this.now + Math.max(0, after), order: ++this.#order, work });
    let at = heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  async run(until: number): Promise<void> {
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.at > until) return;
      const last = this.#heap.pop();
      if (last !== undefined && this.#heap.length > 0) {
        this.#heap[0] = last;
        this.#sink();
      }
      this.now = next.at;
      next.work();
      // What hangs on a promise comes before the next thing.
      for (let turn = 0; turn < 8; turn++) await undefined;
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      let least = at;
      if (left < this.#heap.length && this.#isBefore(left, least)) least = left;
      if (left + 1 < this.#heap.length && this.#isBefore(left + 1, least)) least = left + 1;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return false;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }
}

const patience = 1_500;
const account = (limit: number) => ({ id: 'Acme', terms: { limit, reserve: 0.5, window: { kind: 'fixed', phase: 0 } } }) as const;

/** The store, with its one clock: that of the simulation. Its rows are texts, as those of the real ones. */
class SimulatedStore {
  readonly #agenda: Agenda;
  readonly #plan: Plan;
  readonly #random: () => number;
  readonly #began: number;
  readonly #fleet = newFleet();
  #row = JSON.stringify(newShared());
  #wanted = 0;
  readonly #answered = new Map<string, number>();
  exchanges = 0;

  constructor(agenda: Agenda, plan: Plan, random: () => number) {
    this.#agenda = agenda;
    this.#plan = plan;
    this.#random = random;
    this.#began = agenda.now;
  }

  outage(): Plan['outages'][number] | undefined {
    const second = (this.#agenda.now - this.#began) / 1_000;
    return this.#plan.outages.find(({ at, seconds }) => second >= at && second < at + seconds);
  }

  /** Whether a replica has had no answer for long, without an outage. */
  isCutOff(replica: string): boolean {
    const last = this.#answered.get(replica) ?? this.#agenda.now;
    const second = (last - this.#began) / 1_000;
    return this.#agenda.now - last > patience && !this.#plan.outages.some(({ at, seconds }) => at + seconds > second && at < second + 4);
  }

  /** Whether a replica has had an answer: one that starts while the store is away takes its part of an hour that it does not know (docs/architecture/leases.md). */
  isKnown(replica: string): boolean {
    return this.#answered.has(replica);
  }

  /** The way of one replica to it. */
  of(isAlive: () => boolean): LedgerStore {
    return { exchange: (batch) => this.#send(batch, isAlive) };
  }

  #send(batch: LedgerBatch, isAlive: () => boolean): Promise<LedgerAnswers> {
    const random = this.#random;
    const late = (): number => (random() < 0.01 ? random() * 1_200 : 1 + random() * 20);
    return new Promise((resolve, reject) => {
      const give = (settle: () => void): void => {
        if (isAlive()) settle();
      };
      const outage = this.outage();
      if (outage?.silent === false) return this.#agenda.add(2, () => give(() => reject(new Error('refused'))));
      this.#agenda.add(patience, () => give(() => reject(new Error('no answer'))));
      const isLost = random() < this.#plan.loss;
      // Some are carried out long after they were given up.
      const way = random() < this.#plan.loss ? patience + random() * 2_000 : late();
      if (isLost || outage !== undefined) return undefined;
      return this.#agenda.add(way, () => {
        if (this.outage() !== undefined) return;
        const answers = this.#answer(batch);
        if (random() < this.#plan.loss) return;
        this.#agenda.add(late(), () =>
          give(() => {
            this.#answered.set(batch.replica, this.#agenda.now);
            resolve(answers);
          }),
        );
      });
    });
  }

  #answer(batch: LedgerBatch): LedgerAnswers {
    this.exchanges++;
    const { now } = this.#agenda;
    // Most only say that they are there.
    const shared: Shared = batch.messages.length === 0 ? newShared() : JSON.parse(this.#row);
    const answers = answerAll(
      batch,
      this.#fleet,
      batch.messages.map(() => shared),
      now,
      true,
    );
    if (batch.messages.length > 0) {
      this.#row = JSON.stringify(shared);
      this.#wanted = shared.wanted?.until ?? 0;
    }
    return { ...answers, wanted: batch.beats && this.#wanted > now ? ['Acme'] : [] };
  }
}

export async function simulate(plan: Plan): Promise<Result> {
  const random = chance(plan.seed);
  const began = Date.UTC(2026, 10, 22, 8) + plan.from * 60_000;
  const agenda = new Agenda(began);
  const store = new SimulatedStore(agenda, plan, random);
  const counted = new Map<number, number>();
  const shared = account(plan.limit);
  let [asked, refused, kills, unknown, starts] = [0, 0, 0, 0, 0];

  const sent = (): void =>
    agenda.add(random() * 80, () => {
      const hour = Math.floor((agenda.now + plan.apart) / hourInMs);
      counted.set(hour, (counted.get(hour) ?? 0) + 1);
    });
  const start = () => {
    const life = { alive: true };
    const name = `replica ${++starts}`;
    // Clocks are two seconds apart, and count from anywhere.
    const [wall, monotonic] = [(random() - 0.5) * 2_000, random() * 1e9];
    const ledger = new LeasingLedger({
      store: store.of(() => life.alive),
      replica: name,
      replicas: plan.replicas,
      logger: { info: () => undefined, warn: () => undefined },
      now: () => agenda.now + wall,
      clock: () => agenda.now - began + monotonic,
      later: (work, after) => agenda.add(after, () => life.alive && work()),
    });
    return { life, ledger, name };
  };
  const replicas = Array.from({ length: plan.replicas }, start);

  const kill = ({ replica, back }: Plan['kills'][number]): void => {
    const found = replicas[replica % plan.replicas];
    if (found?.life.alive !== true) return undefined;
    // One that is cut off alone, and is killed before it comes back: that is the one thing which nobody can tell.
    if (store.isCutOff(found.name) || (plan.startsWithout !== true && !store.isKnown(found.name)))
      return agenda.add(500, () => kill({ replica, back, at: 0 }));
    kills++;
    found.life.alive = false;
    const again = (): void => {
      const isAway = store.outage() !== undefined;
      if (isAway && plan.startsWithout !== true) return agenda.add(1_000, again);
      if (isAway) unknown++;
      replicas[replica % plan.replicas] = start();
      return undefined;
    };
    agenda.add(back * 1_000, again);
    return undefined;
  };
  for (const each of plan.kills) agenda.add(each.at * 1_000, () => kill(each));

  const call = (): void => {
    agenda.add((-Math.log(1 - random()) * hourInMs) / plan.demand, call);
    const replica = replicas[Math.floor(random() * plan.replicas)];
    if (replica?.life.alive !== true) return;
    asked++;
    const granted = replica.ledger.take(shared, random() < plan.writes ? 1 : 0);
    const decide = (place: Awaited<typeof granted>): void => {
      if (!replica.life.alive) return;
      if (isDenied(place)) refused++;
      else sent();
    };
    if (granted instanceof Promise) void granted.then(decide);
    else decide(granted);
  };
  agenda.add(0, call);
  await agenda.run(began + plan.minutes * 60_000);
  return { counted, asked, refused, kills, unknown, exchanges: store.exchanges };
}
