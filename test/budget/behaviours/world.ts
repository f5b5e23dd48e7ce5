/** A workspace of the sandbox with its real limit, behind a real proxy, both by the sandbox's clock. */
import { pino } from 'pino';
import type { Budget } from '../../../src/budget/policy.ts';
import { hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import type { VirtualClock } from '../../../src/sandbox/clock/clock.ts';
import { startTestProxy, startUpstream } from '../../helpers/proxy.ts';
import { call, type Reply } from '../../helpers/sandbox.ts';
import { type Behaviour, second } from './behaviour.ts';
import { phone } from './behaviours.ts';
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
  /** v2's answers in each hour since the first: those that it counted, and those that it gave because it had counted enough. */
  readonly counted: readonly number[];
  readonly refused: readonly number[];
  /** The hour that the clock is in, since the first. */
  hour(): number;
  /** A call through the proxy; messages and contacts that it makes or changes are followed from then on. */
  ask(endpoint: string, json: object | undefined): Promise<Reply>;
}

/** @param hours how many the day has, and which of them is the first */
export async function startWorld(
  { plan, contacts }: Behaviour,
  hours: { readonly first: number; readonly count: number },
  budget: Budget,
): Promise<World> {
  const start = midnight + hours.first * hourInMs;
  // v2 does not show whom a duplicate contact is a duplicate of, so that the proxy has to look.
  const sandbox = createSandbox({ clock: start, dialect: 'nested' });
  const { clock, demo, dashboard } = sandbox;
  const workspace = sandbox.store.workspace(demo.workspaceId);
  if (workspace === undefined) throw new Error('the demo workspace is gone');
  workspace.plan = plan;
  const versions = new Versions(workspace, clock.now);
  const follow = (id: string): void => {
    versions.look(id);
    for (const [status, after] of life)
      clock.at(clock.now() + after, () => {
        dashboard.setMessageStatus(demo.workspaceId, id, status);
        versions.look(id);
      });
  };
  const messages: string[] = [];
  for (let made = 0; made < messagesBefore; made++) {
    const { messageId } = sandbox.store.addMessage(workspace, { channel: 'SMS', to: phone(made), content: 'Hello' });
    dashboard.setMessageStatus(demo.workspaceId, messageId, 'READ');
    versions.look(messageId);
    messages.push(messageId);
  }
  const contactIds = Array.from({ length: contacts }, (_, index) => {
    const added = sandbox.store.addContact(workspace, { phone: phone(index) });
    if ('clash' in added) throw new Error('two contacts have one phone number');
    versions.look(added.contact.id);
    return added.contact.id;
  });

  const hour = (): number => Math.floor((clock.now() - start) / hourInMs);
  const counted = Array.from({ length: hours.count + 1 }, () => 0);
  const refused = counted.slice();
  const v2 = await startUpstream((req, res) => {
    const now = hour();
    res.once('finish', () => {
      const counts = res.statusCode === 429 ? refused : counted;
      counts[now] = (counts[now] ?? 0) + 1;
    });
    sandbox.handler(req, res);
  });
  const proxy = await startTestProxy(v2.url, {
    logger: pino({ enabled: false }),
    now: clock.now,
    workspaces: [{ name: 'Acme', plan, keys: [demo.readWriteKey] }],
    budget,
  });

  return {
    clock,
    versions,
    counted,
    refused,
    hour,
    async ask(endpoint, json) {
      const target = endpoint.replace(/\{(message|contact):(\d+)\}/, (_, kind, index) =>
        String(kind === 'message' ? messages.at(-1 - Number(index)) : contactIds[Number(index)]),
      );
      const reply = await call(proxy.url, target, { key: demo.readWriteKey, ...(json !== undefined && { json }) });
      const id = reply.status < 300 ? madeBy(endpoint, reply) : undefined;
      if (id === undefined) return reply;
      if (target.startsWith('PUT')) versions.look(id);
      else {
        messages.push(id);
        follow(id);
      }
      return reply;
    },
    async [Symbol.asyncDispose]() {
      for (const each of [proxy, v2, sandbox]) await each[Symbol.asyncDispose]();
    },
  };
}

/** The id of the message that a call sent, or of the contact that it changed. */
function madeBy(endpoint: string, { body }: Reply): string | undefined {
  // The sandbox's own answers: their shape is known.
  const { messageId, data } = (body ?? {}) as { readonly messageId?: string; readonly data?: { readonly id?: string } };
  return endpoint.startsWith('PUT') ? data?.id : endpoint.endsWith('/messages/send') ? messageId : undefined;
}
