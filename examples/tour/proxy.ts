/** The proxy as `migrate-v2 proxy` starts it, on the tour's clock. */
import { EventEmitter, once } from 'node:events';
import { pino } from 'pino';
import { startProxy } from '../../proxy/server.ts';
import type { OwnRecord } from '../../proxy/options.ts';
import { followRollout } from '../../src/cli/rollout/follow.ts';
import { loadSettings } from '../../src/config/load.ts';
import { assume } from '../../src/contract/assumptions.ts';
import { openWriter } from '../../src/usage/store/open.ts';
import { UsageRecorder } from '../../src/usage/usage-recorder.ts';
import type { TourClock } from './clock.ts';

export interface TourProxy {
  readonly url: string;
  /** Resolves once the log has such a line that nobody has waited for yet. */
  logged(event: string): Promise<void>;
  /** Resolves once so many calls of this proxy were compared. */
  compared(calls: number): Promise<void>;
  /** Lets time pass in which the proxy serves whoever calls, which is nobody. */
  waitUntil(at: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param config path of its configuration
 * @param service where v2 is, and v1 where the configuration has a roll-out
 * @param clock what the time is
 */
export async function startTourProxy(config: string, service: string, clock: TourClock): Promise<TourProxy> {
  const flags = { config, 'v1-base': service, 'v2-base': service, listen: '127.0.0.1:0', admin: '127.0.0.1:0' };
  const {
    keyMap: _keyMap,
    v2Ca: _v2Ca,
    tlsCert: _tlsCert,
    tlsKey: _tlsKey,
    v1Base: _v1Base,
    rollout,
    ...settings
  } = await loadSettings('proxy', { flags, env: {}, cwd: process.cwd() });
  const news = new EventEmitter();
  const seen = new Map<string, number>();
  const tell = (event: string): void => {
    seen.set(event, (seen.get(event) ?? 0) + 1);
    news.emit('news');
  };
  const waited = new Map<string, number>();
  const waitFor = async (event: string, times: number): Promise<void> => {
    while ((seen.get(event) ?? 0) < times) await once(news, 'news');
  };
  const logger = pino({ base: null }, { write: (line: string) => tell(String(JSON.parse(line).event)) });
  const writer = await openWriter(settings.store);
  const usage = new UsageRecorder({ writer, replica: 'tour', keepDays: settings.retention, now: clock.now });
  const assumptions = assume(settings.assumptions);
  const surroundings = {
    cwd: process.cwd(),
    workspaces: settings.workspaces.map(({ name }) => name),
    sunset: Date.parse(assumptions.sunsetAt),
  };
  const rules = rollout && (await followRollout({ rollout, config, logger, interval: 20, ...surroundings }));
  const proxy = await startProxy({
    ...settings,
    v1Base: service,
    v2Base: service,
    rollout: rules,
    hashSecret: writer.hashSecret,
    usage: told(usage, () => tell('compared')),
    assumptions,
    logger,
    now: clock.now,
  });
  const written = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = usage.onWritten(() => {
        stop();
        resolve();
      });
    });
  return {
    url: proxy.url,
    logged: (event) => {
      const times = (waited.get(event) ?? 0) + 1;
      waited.set(event, times);
      return waitFor(event, times);
    },
    compared: (calls) => waitFor('compared', calls),
    waitUntil: (at) => clock.turnTo(at, written),
    close: async () => {
      await proxy.drain();
      await usage.close();
    },
  };
}

/** A record that says when a call was compared. */
const told = (usage: UsageRecorder, compared: () => void): OwnRecord => ({
  add: (use) => usage.add(use),
  addComparison: (comparison) => {
    usage.addComparison(comparison);
    compared();
  },
  addSkipped: (skipped) => {
    usage.addSkipped(skipped);
    compared();
  },
  note: (step) => usage.note(step),
  steps: () => usage.steps(),
  get state() {
    return usage.state;
  },
});
