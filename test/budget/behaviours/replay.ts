/** Replays a behaviour: turns the clock to the instant of each call, makes it, and notes what became of it. */
import type { Budget } from '../../../src/budget/policy.ts';
import { hourInMs } from '../../../src/contract/times.ts';
import type { Reply } from '../../helpers/sandbox.ts';
import { type Behaviour, type Call, second } from './behaviour.ts';
import { type Outcome, type Read, type Send, tally } from './outcome.ts';
import { startWorld, type World } from './world.ts';

export interface Day {
  readonly budget: Budget;
  /** The hour of the day with which to begin, and how many to replay. */
  readonly first?: number;
  readonly hours?: number;
}

export async function replay(behaviour: Behaviour, { budget, first = 0, hours = 24 }: Day): Promise<Outcome> {
  await using world = await startWorld(behaviour, first, budget);
  const run = new Replay(behaviour, world);
  const { clock } = world;
  const start = clock.now();
  for (let hour = 0; hour < hours; hour++) {
    const calls = behaviour.hour((first + hour) % 24).toSorted((a, b) => a.at - b.at);
    const instants = Map.groupBy(calls, ({ at }) => start + hour * hourInMs + at);
    for (const [instant, together] of instants) {
      await clock.set(instant);
      for (const call of together) run.make(call);
      await world.settled();
    }
  }
  await clock.set(start + hours * hourInMs - 1);
  return tally(behaviour.plan, hours, { ...run, v2: world.v2 });
}

/** One that comes back: it leaves the service alone until then, and makes its writes in their order after it. */
interface App {
  until: number;
  readonly waiting: Waiting[];
  cancel: () => void;
}

interface Waiting {
  readonly call: Call;
  readonly send: Send;
}

class Replay {
  readonly sends: Send[] = [];
  readonly reads: Read[] = [];
  readonly #world: World;
  readonly #apps: ReadonlyMap<string, App | undefined>;

  constructor({ apps }: Behaviour, world: World) {
    this.#world = world;
    this.#apps = new Map(
      Object.entries(apps).map(([name, kind]) => [
        name,
        kind === 'comes back' ? { until: 0, waiting: [], cancel: () => undefined } : undefined,
      ]),
    );
  }

  make(call: Call): void {
    const app = this.#apps.get(call.app);
    const isTold = app !== undefined && (app.until > this.#world.clock.now() || app.waiting.length > 0);
    if (call.endpoint.startsWith('GET')) {
      if (!isTold) this.#world.run(() => this.#read(call, app));
      return;
    }
    const send: Send = { wanted: this.#hour, since: this.#world.clock.now(), comesBack: app !== undefined, refused: [] };
    this.sends.push(send);
    if (isTold) app.waiting.push({ call, send });
    else
      this.#world.run(async () => {
        if (!(await this.#send(call, send, app))) app?.waiting.push({ call, send });
      });
  }

  get #hour(): number {
    return this.#world.hour();
  }

  async #read(call: Call, app: App | undefined): Promise<void> {
    const about = call.endpoint.replace(/\?.*/, '').replace(/\{.*\}/, ':id');
    const hour = this.#hour;
    const reply = await this.#world.ask(call.endpoint, call.json);
    const isRefused = this.#isRefused(reply, app);
    this.reads.push({ hour, about, isRefused, age: isRefused ? 0 : this.#world.versions.age(reply.body) });
  }

  /** @returns whether it was taken */
  async #send(call: Call, send: Send, app: App | undefined): Promise<boolean> {
    const isRefused = this.#isRefused(await this.#world.ask(call.endpoint, call.json), app);
    if (isRefused) send.refused.push(this.#hour);
    else send.taken = { hour: this.#hour, after: this.#world.clock.now() - send.since };
    return !isRefused;
  }

  #isRefused({ status, headers, text }: Reply, app: App | undefined): boolean {
    if (status < 300 || status === 409) return false;
    const wait = Number(headers['retry-after']);
    if (status !== 429 || !(wait >= 1)) throw new Error(`an answer that no client of this behaviour knows: ${status} ${text}`);
    if (app !== undefined) {
      app.cancel();
      app.until = this.#world.clock.now() + wait * second;
      app.cancel = this.#world.at(app.until, () => this.#comeBack(app));
    }
    return true;
  }

  async #comeBack(app: App): Promise<void> {
    const { until } = app;
    for (let [first] = app.waiting; first !== undefined; [first] = app.waiting) {
      const isTaken = await this.#send(first.call, first.send, app);
      if (!isTaken) {
        first.send.wasToldTooEarly ||= this.#world.clock.now() === until;
        return;
      }
      app.waiting.shift();
    }
  }
}
