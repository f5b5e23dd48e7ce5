/** The part of the service that delivers, and receivers for it. */
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { assume, type Assumptions } from '../../../src/contract/assumptions.ts';
import { eventKindNames, type EventKind } from '../../../src/contract/events.ts';
import { VirtualClock } from '../../../src/sandbox/clock/clock.ts';
import type { NextId } from '../../../src/sandbox/values/ids.ts';
import { Store } from '../../../src/sandbox/store/store.ts';
import type { WebhookEndpoint, Workspace } from '../../../src/sandbox/store/workspace.ts';
import { createAddressRules, type AddressRules } from '../../../src/sandbox/webhooks/address.ts';
import { Deliveries, type DeliveriesParts } from '../../../src/sandbox/webhooks/deliveries.ts';
import { createEvents, type Events } from '../../../src/sandbox/webhooks/events.ts';
import { startHttp } from './attempts.ts';

export const start = '2026-08-01T12:00:00.000Z';

/** Longer than any event waits, in milliseconds. */
export const day = 24 * 60 * 60 * 1_000;

/** An instant so many seconds after the start. */
export const after = (seconds: number): string => new Date(Date.parse(start) + seconds * 1_000).toISOString();

export interface Service {
  readonly clock: VirtualClock;
  readonly parts: DeliveriesParts;
  readonly store: Store;
  readonly workspace: Workspace;
  readonly deliveries: Deliveries;
  readonly events: Events;
  /** @param kinds all where absent */
  register(url: string, kinds?: readonly EventKind[]): WebhookEndpoint;
}

export interface ServiceOptions {
  /** Whether the clock runs; it stands at `start` where absent. */
  readonly running?: boolean;
  readonly assumptions?: Partial<Assumptions>;
  /** Any address is allowed where absent. */
  readonly addresses?: AddressRules;
  /** Much more than is needed where absent. */
  readonly timeout?: number;
  readonly maxRecords?: number;
  /** Is told of events that were given up; fails where absent. */
  readonly onEvict?: (count: number) => void;
}

/** For one test. */
export function startService(options: ServiceOptions = {}): Service {
  const { running = false, timeout = 20_000, maxRecords = 100, addresses = createAddressRules({ allowPrivate: true, timeout }) } = options;
  const assumptions = assume(options.assumptions);
  let made = 0;
  const nextId: NextId = (kind) => `${kind}_${++made}`;
  const failed = (error: unknown): never => {
    throw error;
  };
  const { onEvict = failed } = options;
  const clock = new VirtualClock(running ? undefined : Date.parse(start), failed);
  const store = new Store({ clock, nextId, assumptions, maxRecords: 1_000, onEvict: failed });
  const workspace = store.createWorkspace('Test', 'Agency');
  const parts: DeliveriesParts = { clock, store, nextId, assumptions, addresses, timeout, maxRecords, onEvict };
  const deliveries = new Deliveries(parts);
  onTestFinished(() => deliveries.stop());
  return {
    clock,
    parts,
    store,
    workspace,
    deliveries,
    events: createEvents({ ...parts, store, deliveries }),
    register: (url, events = eventKindNames) => store.addWebhook(workspace, { url, events }),
  };
}

/** Raises an event and waits for its first round. @returns the event's id */
export async function raise({ events, workspace, clock }: Service, data: object = { a: 1 }): Promise<string> {
  const { id } = events.raise(workspace, 'lead.created', { ...data });
  await clock.idle();
  return id;
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves once so many deliveries have come. */
  count(least: number): Promise<void>;
}

/** A status, or what to do with a request that has been read. */
export type Answer = number | RequestListener;

/** A receiver for one test. @param answers one for each delivery in turn, the last one for all further ones; 200 where absent */
export async function startReceiver(...answers: readonly Answer[]): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Map<number, () => void>();
  const port = await startHttp((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const answer = answers[received.length] ?? answers.at(-1) ?? 200;
      received.push({ headers: req.headers, body: Buffer.concat(chunks) });
      waiting.get(received.length)?.();
      // The time would differ from run to run.
      res.sendDate = false;
      if (typeof answer === 'number') res.writeHead(answer).end();
      else answer(req, res);
    });
  });
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    count: (least) =>
      new Promise((resolve) => {
        if (received.length >= least) resolve();
        else waiting.set(least, resolve);
      }),
  };
}
