/** A workspace of the sandbox with its real limit, behind a real proxy, both by the sandbox's clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Budget } from '../../../src/budget/policy.ts';
import { hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { VirtualClock } from '../../../src/sandbox/clock/clock.ts';
import type { Workspace } from '../../../src/sandbox/store/workspace.ts';
import { startTestProxy, startUpstream } from '../../helpers/proxy.ts';
import { call, type Reply } from '../../helpers/sandbox.ts';
import { type Behaviour, second } from './behaviour.ts';
import { phone } from './behaviours.ts';
import type { Counted } from './outcome.ts';
import { Versions } from './versions.ts';

const midnight = Date.parse('2026-08-01T00:00:00Z');
/** What becomes of a message, and how long after it was sent. */
const life = [
  ['SENT', 5 * second],
  ['DELIVERED', 45 * second],
  ['READ', 4 * minuteInMs],
] as const;
/** Messages that there are before the day begins. */
const messagesBefore = 10;

export interface World extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly versions: Versions;
  /** What v2 answered in each hour, from the first on. */
  readonly v2: readonly Counted[];
  /** The hour that the clock is in, from the first on. */
  hour(): number;
  /** A call through the proxy; messages and contacts that it makes or changes are followed from then on. */
  ask(endpoint: string, json: object | undefined): Promise<Reply>;
  /** Has a client do something that nobody waits for. */
  run(work: () => Promise<void>): void;
  /** The same at an instant to come; the clock goes on once it is settled. @returns leaves it undone */
  at(instant: number, work: () => Promise<void>): () => void;
  /** Resolves once no call is under way. @throws what a client failed with */
  settled(): Promise<void>;
}

/** @param first the hour of the day with which it begins */
export async function startWorld({ plan, contacts }: Behaviour, first: number, budget: Budget): Promise<World> {
  const start = midnight + first * hourInMs;
  // v2 does not show whom a duplicate contact is a duplicate of, so that the proxy has to look.
  const sandbox = createSandbox({ clock: start, dialect: 'nested' });
  const { clock, demo } = sandbox;
  const workspace = demoOf(sandbox);
  workspace.plan = plan;
  const records = new Records(sandbox, workspace, contacts);
  const hour = (): number => Math.floor((clock.now() - start) / hourInMs);
  const v2: Counted[] = [];
  const upstream = await startUpstream((req, res) => {
    const counted = (v2[hour()] ??= { counted: 0, refused: 0 });
    res.once('finish', () => counted[res.statusCode === 429 ? 'refused' : 'counted']++);
    sandbox.handler(req, res);
  });
  const underWay = new UnderWay(() => waitingIn(proxy.adminUrl));
  const at = (instant: number, work: () => void): (() => void) =>
    clock.at(instant, () => {
      work();
      return underWay.settled();
    });
  const proxy = await startTestProxy(upstream.url, {
    logger: pino({ enabled: false }),
    now: clock.now,
    timers: { now: clock.now, set: (run, delay) => at(clock.now() + delay, run) },
    workspaces: [{ name: 'Acme', plan, keys: [demo.readWriteKey] }],
    budget,
  });

  return {
    clock,
    versions: records.versions,
    v2,
    hour,
    run: (work) => underWay.add(work()),
    settled: () => underWay.settled(),
    at: (instant, work) => at(instant, () => underWay.add(work())),
    async ask(endpoint, json) {
      const options = { key: demo.readWriteKey, ...(json !== undefined && { json }) };
      const reply = await underWay.answer(call(proxy.url, records.fill(endpoint), options));
      if (reply.status < 300) records.take(endpoint, reply);
      return reply;
    },
    async [Symbol.asyncDispose]() {
      for (const each of [proxy, upstream, sandbox]) await each[Symbol.asyncDispose]();
    },
  };
}

/** What is done by clients just now, and how many of their calls have no answer yet. */
class UnderWay {
  readonly #work = new Set<Promise<void>>();
  readonly #waiting: () => Promise<number>;
  #calls = 0;

  /** @param waiting how many calls the proxy lets wait for an hour to come */
  constructor(waiting: () => Promise<number>) {
    this.#waiting = waiting;
  }

  add(work: Promise<void>): void {
    const ending = work.then(() => void this.#work.delete(ending));
    this.#work.add(ending);
  }

  async answer(reply: Promise<Reply>): Promise<Reply> {
    this.#calls++;
    return await reply.finally(() => this.#calls--);
  }

  /** Resolves once nothing happens any more unless the clock is turned. @throws what a client failed with */
  async settled(): Promise<void> {
    const isUnderWay = { value: true };
    const all = (async () => {
      while (this.#work.size > 0) await Promise.all(this.#work);
      isUnderWay.value = false;
    })();
    await Promise.race([all, this.#onlyWaiting(isUnderWay)]);
  }

  /** Resolves once whoever has no answer waits for the clock. */
  async #onlyWaiting(isUnderWay: { readonly value: boolean }): Promise<void> {
    // Most have theirs by then, and to ask takes longer.
    await sleep(20);
    // Reads that follow one which waits are not counted: where nothing has changed for a while, they are all that is left.
    for (let same = 0, before = 0; isUnderWay.value && same < 10; before = this.#calls) {
      const waiting = await this.#waiting();
      if (waiting >= this.#calls) return;
      same = waiting > 0 && before === this.#calls ? same + 1 : 0;
    }
  }
}

/** How many calls wait for a place in the hour, by the proxy's metrics. */
async function waitingIn(adminUrl: string): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^migrate_v2_budget_waiting (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

function demoOf({ store, demo }: Sandbox): Workspace {
  const workspace = store.workspace(demo.workspaceId);
  if (workspace === undefined) throw new Error('the demo workspace is gone');
  return workspace;
}

/** The messages and contacts of the workspace, as its clients know them. */
class Records {
  readonly versions: Versions;
  readonly #sandbox: Sandbox;
  readonly #ids: { readonly message: string[]; readonly contact: string[] } = { message: [], contact: [] };

  constructor(sandbox: Sandbox, workspace: Workspace, contacts: number) {
    this.#sandbox = sandbox;
    this.versions = new Versions(workspace, sandbox.clock.now);
    for (let made = 0; made < messagesBefore; made++) {
      const { messageId } = sandbox.store.addMessage(workspace, { channel: 'SMS', to: phone(made), content: 'Hello' });
      this.#setStatus(messageId, 'READ');
      this.#ids.message.push(messageId);
    }
    for (let made = 0; made < contacts; made++) {
      const added = sandbox.store.addContact(workspace, { phone: phone(made) });
      if ('clash' in added) throw new Error('two contacts have one phone number');
      this.versions.look(added.contact.id);
      this.#ids.contact.push(added.contact.id);
    }
  }

  /** An endpoint with the ids that it means: messages from the newest on, contacts from the first. */
  fill(endpoint: string): string {
    const { message, contact } = this.#ids;
    return endpoint
      .replace(/\{message:(\d+)\}/, (_, index) => message.at(-1 - Number(index)) ?? '')
      .replace(/\{contact:(\d+)\}/, (_, index) => contact[Number(index)] ?? '');
  }

  /** Takes note of what a call has made or changed. */
  take(endpoint: string, { body }: Reply): void {
    // The sandbox's own answers: their shape is known.
    const { messageId, data } = (body ?? {}) as { readonly messageId?: string; readonly data?: { readonly id?: string } };
    if (endpoint.startsWith('PUT') && data?.id !== undefined) this.versions.look(data.id);
    if (messageId === undefined || !endpoint.endsWith('/messages/send')) return;
    this.#ids.message.push(messageId);
    this.versions.look(messageId);
    const { clock } = this.#sandbox;
    for (const [status, after] of life) clock.at(clock.now() + after, () => this.#setStatus(messageId, status));
  }

  #setStatus(id: string, status: string): void {
    const { dashboard, demo } = this.#sandbox;
    dashboard.setMessageStatus(demo.workspaceId, id, status);
    this.versions.look(id);
  }
}
