/** The proxy as `migrate-v2 proxy` starts it, on the tour's clock. */
import { pino } from 'pino';
import { startProxy } from '../../proxy/server.ts';
import { loadSettings } from '../../src/config/load.ts';
import { assume } from '../../src/contract/assumptions.ts';
import { openWriter } from '../../src/usage/store/open.ts';
import { UsageRecorder } from '../../src/usage/usage-recorder.ts';
import { TourClock } from './clock.ts';

export interface TourProxy {
  readonly url: string;
  /** Lets time pass in which the proxy serves whoever calls, which is nobody. */
  waitUntil(at: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param config path of its configuration
 * @param v2Base where v2 is
 * @param start what its clock shows, in epoch milliseconds
 */
export async function startTourProxy(config: string, v2Base: string, start: number): Promise<TourProxy> {
  const flags = { config, 'v2-base': v2Base, listen: '127.0.0.1:0', admin: '127.0.0.1:0' };
  const {
    keyMap: _keyMap,
    v2Ca: _v2Ca,
    tlsCert: _tlsCert,
    tlsKey: _tlsKey,
    v1Base: _v1Base,
    rollout: _rollout,
    ...settings
  } = await loadSettings('proxy', { flags, env: {}, cwd: process.cwd() });
  const clock = new TourClock(start);
  const writer = await openWriter(settings.store);
  const usage = new UsageRecorder({ writer, replica: 'tour', keepDays: settings.retention, now: clock.now });
  const proxy = await startProxy({
    ...settings,
    v2Base,
    hashSecret: writer.hashSecret,
    usage,
    assumptions: assume(settings.assumptions),
    logger: pino({ enabled: false }),
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
    waitUntil: (at) => clock.turnTo(at, written),
    close: async () => {
      await proxy.drain();
      await usage.close();
    },
  };
}
