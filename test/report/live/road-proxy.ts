/** A proxy with a roll-out that records, and serves the pages about both, for one test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createUsagePages } from '../../../src/report/live/pages.ts';
import { createRoadPages } from '../../../src/report/live/road-pages.ts';
import { UsageRecorder } from '../../../src/usage/usage-recorder.ts';
import { startRecordingUpstream, startTestProxy, type TestProxy } from '../../helpers/proxy.ts';
import { reportDefaults } from '../../helpers/usage-store.ts';
import { rulesOf } from '../../proxy/rollout/road.ts';
import { workspaces } from './live-proxy.ts';
import { openWriterHere } from '../../helpers/writer-here.ts';

const dayInMs = 86_400_000;

export const rules = [
  { name: 'acme', stage: 'translate', match: { workspace: 'Acme' }, fallback: { errors: '5%', over: '5m', atLeast: 3 } },
  { name: 'bolt', stage: 'compare', match: { workspace: 'Bolt Logistics', percent: '100%' } },
  { name: 'rest', stage: 'observe' },
  { name: 'never', stage: 'translate', match: { workspace: 'Bolt Logistics' } },
];
/** Ten in the morning of a day so many days from now. */
const morning = (days: number): string => `${new Date(Date.now() + days * dayInMs).toISOString().slice(0, 10)}T10:00:00Z`;
/** Brownouts of which one is over, and one comes again and again. */
const brownouts = [
  { name: 'rehearsal', at: morning(-10), for: '5m', status: 410 },
  { name: 'weekly', at: morning(3), for: '10m', every: '7d', until: morning(40), exempt: 'Acme' },
];

export interface RoadProxy {
  readonly proxy: TestProxy;
  /** The address of the page. */
  readonly page: string;
  readonly rules: ReturnType<typeof rulesOf>;
  /** Makes calls through the proxy, and waits until they are in the record. */
  call(key: string, times?: number): Promise<void>;
}

interface Options {
  readonly adminToken?: string;
  readonly isRecorded?: boolean;
  /** The status that v2 answers with. */
  readonly v2Status?: number;
}

/** Starts it; all of it goes with the test. */
export async function startRoadProxy({ adminToken, isRecorded = true, v2Status = 200 }: Options = {}): Promise<RoadProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-road-'));
  const store = join(folder, 'usage.db');
  const [v1, v2] = [await startRecordingUpstream(), await startRecordingUpstream((_req, res) => void res.writeHead(v2Status).end('{}'))];
  const rollout = rulesOf({ rules, brownouts });
  const recorder = isRecorded ? new UsageRecorder({ writer: openWriterHere(store), replica: 'road', keepDays: 400 * dayInMs }) : undefined;
  const usagePages =
    recorder &&
    createUsagePages({
      store,
      ...reportDefaults,
      workspaces,
      rollout: () => rollout.current,
      changed: (listener) => recorder.onWritten(listener),
    });
  const roadPages = createRoadPages({ count: usagePages?.count, mayAct: adminToken !== undefined, hasUsage: usagePages !== undefined });
  const proxy = await startTestProxy(v2.url, {
    v1Base: v1.url,
    rollout,
    replica: 'road',
    assume: { sunsetAt: morning(60) },
    workspaces,
    pages: (req, res, road) => usagePages?.handle(req, res) === true || roadPages(req, res, road),
    // The record goes by the real time.
    ...(recorder === undefined ? {} : { usage: recorder, now: Date.now }),
    ...(adminToken === undefined ? {} : { adminToken }),
  });
  onTestFinished(async () => {
    await usagePages?.close();
    await proxy.drain();
    await recorder?.close();
    await v1[Symbol.asyncDispose]();
    await v2[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  return {
    proxy,
    rules: rollout,
    page: `${proxy.adminUrl}/rollout`,
    async call(key, times = 1) {
      const written = Promise.withResolvers<void>();
      const end = recorder?.onWritten(() => written.resolve());
      for (let time = 0; time < times; time++) {
        const answer = await fetch(`${proxy.url}/v1/contacts`, { headers: { 'x-api-key': key, 'user-agent': 'legacy/1.0' } });
        await answer.text();
      }
      if (recorder !== undefined) await written.promise;
      end?.();
    },
  };
}
