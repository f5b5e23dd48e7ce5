/** A process that serves calls of a proxy, and leaves to its primary whatever there is only one of. */
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { lookUpIn } from '../../../proxy/keys/key-map.ts';
import type { KeyTable } from '../../../proxy/keys/key-map.ts';
import type { ProxyServerOptions } from '../../../proxy/options.ts';
import { type Serving, createServing } from '../../../proxy/server.ts';
import type { Rollout, RolloutRules } from '../../rollout/rules.ts';
import { messageOf } from '../../config/errors.ts';
import { JournalWriter } from '../../usage/journal/journal.ts';
import { RingWriter } from '../../usage/journal/ring.ts';
import { setUpV8 } from '../v8.ts';
import { createLog, type Log } from '../logger.ts';
import { ignoreUserSignals, listenError } from '../serve.ts';
import { Channel } from './channel.ts';
import type { PrimaryDuties, Start, Started, WorkerDuties } from './duties.ts';
import { RemoteNotes } from './remote-notes.ts';

/** The descriptor under which the primary hands on the file of the journal. */
const journalFile = 4;

setUpV8();
const ring = new RingWriter(journalFile);
process.on('exit', () => ring.flush());
const notes = new RemoteNotes((text) => primary.tell('tell', text));
let keys: KeyTable | undefined;
let rules: { current: Rollout; close(): void } | undefined;
let serving: Serving | undefined;
let log: Log | undefined;

const duties: WorkerDuties = {
  async state() {
    const { connections, rollout, budget, recorder } = contextOf(serving);
    const isReady = (await connections.health.ready()) && (rollout === undefined || (await rollout.v1.health.ready()));
    const metrics = await recorder.metrics.registry.getMetricsAsJSON();
    return { hours: budget.hours(), isReady, isGone: rollout?.stages.isGone === true, metrics };
  },
  keys: (table) => void (keys = table),
  rollout: (rollout) => {
    if (rules !== undefined) rules.current = rollout;
  },
  road: async () => serving?.proxy.context.rollout?.stages.road.look(),
  note: (text) => notes.take(text),
  hears: (milliseconds) => notes.hear(milliseconds),
  read: (bytes) => ring.wasRead(bytes),
  async drain(delay) {
    await sleep(delay);
    await serving?.close();
  },
  exit: () => void exit(),
};
const primary = new Channel<PrimaryDuties>(process, duties);

// The primary hears them, and says what is to be done: a terminal sends them to all of its group.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
ignoreUserSignals();
// Without a primary nothing is recorded. No new connections come; what is under way ends.
process.on('disconnect', () => void (serving?.close() ?? Promise.resolve()).finally(exit));

primary.tell('started', await start(await primary.ask('begin', undefined)));

async function start(given: Start): Promise<Started> {
  log = await createLog({ logLevel: given.logLevel, logFormat: 'json' });
  keys = given.keys;
  try {
    serving = await createServing(optionsOf(given, log));
    const { url } = await serving.listen();
    if (given.warns) serving.warn();
    return { url };
  } catch (error) {
    const told = listenError(error, { '--listen': given.options.listen });
    return { failed: messageOf(told), code: told instanceof Error && 'code' in told ? String(told.code) : undefined };
  }
}

function optionsOf({ options, rollout, hasTelemetry }: Start, { logger }: Log): ProxyServerOptions {
  const journal = new JournalWriter(ring);
  rules = rollout && { current: rollout, close: () => undefined };
  const following: RolloutRules | undefined = rules;
  return {
    ...options,
    logger,
    now: Date.now,
    usage: {
      add: (use, product, call) => journal.add(use, product, call),
      answering: (use, product, call) => journal.answering(use, product, call),
      addComparison: (comparison) => primary.tell('compared', comparison),
      addSkipped: (skipped) => primary.tell('skipped', skipped),
      note: (step) => primary.ask('note', step),
      steps: () => primary.ask('steps', undefined),
    },
    ledgerStore: { exchange: (batch) => primary.ask('exchange', batch) },
    notes,
    rollout: following,
    guard: (ending) => primary.tell('ended', ending),
    ...(keys === undefined ? {} : { keyMap: { ...lookUpIn(() => keys), close: () => undefined } }),
    ...(hasTelemetry ? { telemetry: { follow: () => undefined, add: (line, use) => primary.tell('event', { line, use }) } } : {}),
  };
}

function contextOf(started: Serving | undefined) {
  if (started === undefined) throw new Error('This worker has not been started');
  return started.proxy.context;
}

async function exit(): Promise<never> {
  await log?.flush();
  process.exit();
}
