/** A proxy that records, and serves the page about it, for one test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createUsagePages } from '../../../src/report/live/pages.ts';
import { UsageRecorder } from '../../../src/usage/usage-recorder.ts';
import { startRecordingUpstream, startTestProxy, type TestProxy } from '../../helpers/proxy.ts';
import { reportDefaults } from '../../helpers/usage-store.ts';
import { openWriterHere } from '../../helpers/writer-here.ts';

const day = 86_400_000;

export const workspaces = [
  { name: 'Acme', keys: ['mk_acme'], plan: 'Free', owner: 'Ada Lovelace' },
  { name: 'Bolt Logistics', keys: ['mk_bolt'], plan: 'Pro', owner: 'Team Rivet' },
] as const;

export interface LiveProxy {
  readonly proxy: TestProxy;
  /** The address of the page. */
  readonly page: string;
  /** Makes v1 calls through the proxy. */
  call(key: string, options?: { readonly client?: string; readonly times?: number }): Promise<void>;
  /** Ends the proxy, and begins it again on the same ports and store. */
  restart(): Promise<void>;
}

interface How {
  readonly adminToken?: string;
}

/** Starts it; all of it goes with the test. */
export async function startLiveProxy(how: How = {}): Promise<LiveProxy> {
  const live = await startLasting(how);
  onTestFinished(() => live.end());
  return live;
}

/** One for tests that only look at it: for each of them, a process would make its reports. */
export function useLiveProxy(calls: (live: LiveProxy) => Promise<void>): () => LiveProxy {
  let live: Lasting;
  beforeAll(async () => {
    live = await startLasting();
    await calls(live);
  });
  afterAll(() => live.end());
  return () => live;
}

interface Lasting extends LiveProxy {
  end(): Promise<void>;
}

async function startLasting({ adminToken }: How = {}): Promise<Lasting> {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-live-'));
  const store = join(folder, 'usage.db');
  const v2 = await startRecordingUpstream();
  const start = async (port: number) => {
    const recorder = new UsageRecorder({ writer: openWriterHere(store), replica: 'live', keepDays: 400 * day });
    const pages = createUsagePages({
      store,
      ...reportDefaults,
      workspaces,
      changed: (listener) => recorder.onWritten(listener),
      hours: () => proxy.hours(),
    });
    const proxy = await startTestProxy(v2.url, {
      usage: recorder,
      workspaces,
      pages: pages.handle,
      now: Date.now,
      admin: { host: '127.0.0.1', port },
      ...(adminToken === undefined ? {} : { adminToken }),
    });
    const end = async (): Promise<void> => {
      await pages.close();
      await proxy.drain();
      await recorder.close();
    };
    return { proxy, end };
  };

  let running = await start(0);
  const page = `${running.proxy.adminUrl}/usage`;
  return {
    get proxy() {
      return running.proxy;
    },
    page,
    async call(key, { client = 'legacy/1.0', times = 1 } = {}) {
      for (let time = 0; time < times; time++) {
        const answer = await fetch(`${running.proxy.url}/v1/contacts`, { headers: { 'x-api-key': key, 'user-agent': client } });
        await answer.text();
      }
    },
    async restart() {
      await running.end();
      running = await start(Number(new URL(page).port));
    },
    async end() {
      await running.end();
      await v2[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
