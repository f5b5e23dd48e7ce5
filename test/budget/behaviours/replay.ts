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
  /** It makes the first call since then. */
  comesBack: boolean;
}

/** A job goes on where it was stopped; while it is so far behind, what is due is left out. */
const longestRun = 60;

/** What it was refused: made again, and whether that went well. */
type Waiting = () => Promise<boolean>;

class Replay {
  readonly sends: Send[] = [];
  readonly reads: Read[] = [];
  /** Calls that were refused at the very time at which their client had been told to come again. */
  readonly toldTooEarly: Call[] = [];
  /** Lists that did not show a message which had been sent before. */
  readonly forgetful: Call[] = [];
  readonly #world: World;
  readonly #apps: ReadonlyMap<string, App | undefined>;

  constructor({ apps }: Behaviour, world: World) {
    this.#world = world;
    this.#apps = new Map(
      Object.entries(apps).map(([name, kind]) => [
        name,
        kind === 'comes back' ? { until: 0, waiting: [], cancel: () => undefined, comesBack: false } : undefined,
      ]),
    );
  }

  make(call: Call): void {
    const app = this.#apps.get(call.app);
    const isTold = app !== undefined && (app.until > this.#world.clock.now() || app.waiting.length > 0);
    const isRead = call.endpoint.startsWith('GET');
    if (isRead && isTold && app.waiting.length >= longestRun)
      return void this.reads.push({ hour: this.#hour, about: aboutOf(call), became: 'held back', age: 0 });
    const again = isRead ? () => this.#read(call, app) : this.#newSend(call, app);
    if (isTold) app.waiting.push(again);
    else
      this.#world.run(async () => {
        if (!(await again())) app?.waiting.push(again);
      });
  }

  #newSend(call: Call, app: App | undefined): Waiting {
    const send: Send = { wanted: this.#hour, since: this.#world.clock.now(), comesBack: app !== undefined, refused: [] };
    this.sends.push(send);
    return () => this.#send(call, send, app);
  }

  get #hour(): number {
    return this.#world.hour();
  }

  /** @returns whether it was answered */
  async #read(call: Call, app: App | undefined): Promise<boolean> {
    const hour = this.#hour;
    const reply = await this.#world.ask(call.endpoint, call.json);
    const isRefused = this.#isRefused(reply, call, app);
    const { versions } = this.#world;
    const age = isRefused ? 0 : versions.age(reply.body);
    if (!isRefused && call.endpoint.includes('/messages?') && versions.lacksTheNewest(reply.body)) this.forgetful.push(call);
    this.reads.push({ hour, about: aboutOf(call), became: isRefused ? 'refused' : 'answered', age });
    return !isRefused;
  }

  /** @returns whether it was taken */
  async #send(call: Call, send: Send, app: App | undefined): Promise<boolean> {
    const isRefused = this.#isRefused(await this.#world.ask(call.endpoint, call.json), call, app);
    if (isRefused) send.refused.push(this.#hour);
    else send.taken = { hour: this.#hour, after: this.#world.clock.now() - send.since };
    return !isRefused;
  }

  #isRefused({ status, headers, text }: Reply, call: Call, app: App | undefined): boolean {
    if (status < 300 || status === 409) return false;
    const wait = Number(headers['retry-after']);
    if (status !== 429 || !(wait >= 1)) throw new Error(`an answer that no client of this behaviour knows: ${status} ${text}`);
    if (app === undefined) return true;
    const now = this.#world.clock.now();
    if (app.comesBack) this.toldTooEarly.push(call);
    app.cancel();
    app.until = now + wait * second;
    app.cancel = this.#world.at(app.until, () => this.#comeBack(app));
    return true;
  }

  /** It makes what it was refused, in order, until it is told to wait again. */
  async #comeBack(app: App): Promise<void> {
    const { waiting } = app;
    app.comesBack = true;
    for (let [first] = waiting; first !== undefined && (await first()); [first] = waiting) {
      app.comesBack = false;
      waiting.shift();
    }
    app.comesBack = false;
  }
}

const aboutOf = ({ endpoint }: Call): string => endpoint.replace(/\?.*/, '').replace(/\{.*\}/, ':id');
