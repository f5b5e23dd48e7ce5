/** Replays a behaviour: turns the clock to the instant of each call, makes it, and counts what became of it. */
import type { Budget } from '../../../src/budget/policy.ts';
import { v2RequestsPerHour } from '../../../src/contract/limits.ts';
import { hourInMs } from '../../../src/contract/times.ts';
import type { Reply } from '../../helpers/sandbox.ts';
import { type Behaviour, type Call, second } from './behaviour.ts';
import { startWorld, type World } from './world.ts';

/** What came of a clock hour. A send is any write; one that its client makes again once it may is still the same. */
export interface Hour {
  sends: number;
  sendsTaken: number;
  sendsRefused: number;
  reads: number;
  readsRefused: number;
  /** Calls of v2's limit. */
  used: number;
  /** 429s of v2 itself, and of the proxy in its place. */
  refusedByV2: number;
  refusedHere: number;
}

export interface Outcome {
  readonly limit: number;
  readonly hours: readonly Hour[];
  /** How many sends its clients wanted to make that day. */
  readonly sends: number;
  /** How long the one waited that waited longest until it was taken, in milliseconds. */
  readonly longestWait: number;
  /** The longest time, in milliseconds, for which what an answer showed was no longer so, by the call without its query and ids. */
  readonly oldest: ReadonlyMap<string, number>;
  /** Calls that were refused at the very time for which their client had been told to come again. */
  readonly toldTooEarly: number;
}

/** Sends that were lost, or had to wait for another hour, though the hour had room for them had fewer reads been let through before. */
export const needlesslyRefused = ({ limit, hours }: Outcome): number[] =>
  hours.map(({ sends, sendsTaken }) => Math.min(limit, sends) - sendsTaken);

export interface Day {
  readonly budget: Budget;
  /** The hour of the day with which to begin, and how many to replay. */
  readonly first?: number;
  readonly hours?: number;
}

export async function replay(behaviour: Behaviour, { budget, first = 0, hours: count = 24 }: Day): Promise<Outcome> {
  await using world = await startWorld(behaviour, { first, count }, budget);
  const run = new Replay(behaviour, world);
  const start = world.clock.now();
  for (let hour = 0; hour < count; hour++) {
    run.begin();
    const calls = behaviour.hour((first + hour) % 24).toSorted((a, b) => a.at - b.at);
    const instants = Map.groupBy(calls, ({ at }) => start + hour * hourInMs + at);
    for (const [instant, together] of instants) {
      await run.comeBack(instant);
      await world.clock.set(instant);
      await Promise.all(together.map((each) => run.make(each)));
    }
    await run.comeBack(start + (hour + 1) * hourInMs - 1);
  }
  return run.outcome();
}

interface App {
  /** Until when it was told to leave the service alone. */
  until: number;
  /** What it was refused, and sends once it may. */
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly call: Call;
  readonly since: number;
}

class Replay {
  readonly #behaviour: Behaviour;
  readonly #world: World;
  readonly #hours: Hour[] = [];
  readonly #oldest = new Map<string, number>();
  readonly #apps: ReadonlyMap<string, App>;
  #sends = 0;
  #longestWait = 0;
  #toldTooEarly = 0;

  constructor(behaviour: Behaviour, world: World) {
    this.#behaviour = behaviour;
    this.#world = world;
    this.#apps = new Map(Object.keys(behaviour.apps).map((name) => [name, { until: 0, waiting: [] }]));
  }

  /** A new hour: what still waits is wanted in it, too. */
  begin(): void {
    const sends = [...this.#apps.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
    const nothing = { sendsTaken: 0, sendsRefused: 0, reads: 0, readsRefused: 0, used: 0, refusedByV2: 0, refusedHere: 0 };
    this.#hours.push({ ...nothing, sends });
  }

  /** Has those who wait make their calls when they were told to, up to an instant. */
  async comeBack(last: number): Promise<void> {
    const next = (): App | undefined =>
      [...this.#apps.values()].filter(({ until, waiting }) => waiting.length > 0 && until <= last).toSorted((a, b) => a.until - b.until)[0];
    for (let app = next(); app !== undefined; app = next()) {
      const now = Math.max(app.until, this.#world.clock.now());
      await this.#world.clock.set(now);
      const [first] = app.waiting;
      if (first === undefined) return;
      const onTime = app.until === now;
      if (await this.#send(first.call, app)) {
        this.#longestWait = Math.max(this.#longestWait, this.#world.clock.now() - first.since);
        app.waiting.shift();
      } else if (onTime) this.#toldTooEarly++;
    }
  }

  async make(call: Call): Promise<void> {
    const app = this.#apps.get(call.app);
    if (app === undefined) throw new Error(`${this.#behaviour.name} has no app ${call.app}`);
    const comesBack = this.#behaviour.apps[call.app] === 'comes back';
    const isTold = comesBack && (app.until > this.#world.clock.now() || app.waiting.length > 0);
    if (call.endpoint.startsWith('GET')) {
      if (!isTold) await this.#read(call, app);
      return;
    }
    this.#hour.sends++;
    this.#sends++;
    const since = this.#world.clock.now();
    if (isTold || (!(await this.#send(call, app)) && comesBack)) app.waiting.push({ call, since });
  }

  outcome(): Outcome {
    const { counted, refused } = this.#world;
    this.#hours.forEach((hour, index) => {
      hour.used = counted[index] ?? 0;
      hour.refusedByV2 = refused[index] ?? 0;
      hour.refusedHere = hour.sendsRefused + hour.readsRefused - hour.refusedByV2;
    });
    const limit = new Map<string, number | undefined>(Object.entries(v2RequestsPerHour)).get(this.#behaviour.plan);
    if (limit === undefined) throw new Error(`the limit of ${this.#behaviour.plan} is not known`);
    return {
      limit,
      hours: this.#hours,
      sends: this.#sends,
      longestWait: this.#longestWait,
      oldest: this.#oldest,
      toldTooEarly: this.#toldTooEarly,
    };
  }

  get #hour(): Hour {
    const hour = this.#hours.at(-1);
    if (hour === undefined) throw new Error('no hour has begun');
    return hour;
  }

  async #read(call: Call, app: App): Promise<void> {
    const hour = this.#hour;
    hour.reads++;
    const reply = await this.#world.ask(call.endpoint, call.json);
    if (this.#isRefused(reply, app)) hour.readsRefused++;
    else {
      const about = call.endpoint.replace(/\?.*/, '').replace(/\{.*\}/, ':id');
      this.#oldest.set(about, Math.max(this.#oldest.get(about) ?? 0, this.#world.versions.age(reply.body)));
    }
  }

  /** @returns whether it was taken */
  async #send(call: Call, app: App): Promise<boolean> {
    const hour = this.#hour;
    const isRefused = this.#isRefused(await this.#world.ask(call.endpoint, call.json), app);
    if (isRefused) hour.sendsRefused++;
    else hour.sendsTaken++;
    return !isRefused;
  }

  #isRefused({ status, headers, text }: Reply, app: App): boolean {
    if (status < 300 || status === 409) return false;
    const wait = Number(headers['retry-after']);
    if (status !== 429 || !(wait >= 1)) throw new Error(`an answer that no client of this behaviour knows: ${status} ${text}`);
    app.until = this.#world.clock.now() + wait * second;
    return true;
  }
}
