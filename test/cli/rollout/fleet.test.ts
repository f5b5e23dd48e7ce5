import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useDatabases } from '../../helpers/postgres.ts';
import { listening, type Running } from '../../helpers/process.ts';
import { startUpstream } from '../../helpers/proxy.ts';
import { newFolder } from '../report/stores.ts';
import { serve, useCommandLine } from '../run.ts';

const run = useCommandLine();

const databases = useDatabases();

const stores = {
  'a file': async (folder: string) => join(folder, 'usage.db'),
  PostgreSQL: async () => databases.address(),
} as const;

/** A version of the service that says which one it is. */
const versionOf = (name: string) =>
  startUpstream((_req, res) => void res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ from: name })));

test.each(['a file', 'PostgreSQL'] as const)(
  'with %s, one command stops and resumes two proxies, and one that is started again stays stopped',
  async (kind) => {
    await using v1 = await versionOf('v1');
    await using v2 = await versionOf('v2');
    const cwd = newFolder();
    const store = await stores[kind](cwd);
    const rollout = { rules: [{ name: 'all', stage: 'translate' }] };
    writeFileSync(join(cwd, 'migrate-v2.config.json'), JSON.stringify({ v1Base: v1.url, v2Base: v2.url, rollout }));
    const where = { cwd, env: { MIGRATE_V2_STORE: store } };
    const start = (replica: string): Running => serve(['proxy', '--listen', '0', '--admin', '0', '--replica', replica], where);
    const answerOf = async (proxy: Running) => {
      const { url } = await listening(proxy);
      const answer = await fetch(`${url}/v1/contacts`, { headers: { 'x-api-key': 'ak_1' } });
      return answer.json();
    };
    const answers = async (...proxies: readonly Running[]) => Promise.all(proxies.map(answerOf));
    const command = async (...args: readonly string[]): Promise<void> => {
      expect(await run(['rollout', ...args], where)).toMatchObject({ code: 0, stderr: expect.stringContaining('within seconds') });
    };

    await using one = start('one');
    await using two = start('two');
    expect(await answers(one, two)).toEqual([{ from: 'v2' }, { from: 'v2' }]);

    await command('stop');
    await Promise.all([one, two].map((proxy) => proxy.line(/"event":"rollout_stopped"/)));
    expect(await answers(one, two)).toEqual([{ from: 'v1' }, { from: 'v1' }]);

    const { adminUrl } = await listening(two);
    const shown = await fetch(`${adminUrl}/rollout`, { headers: { Accept: 'application/json' } });
    expect(await shown.json()).toMatchObject({ proxy: 'two', stopped: { replica: 'command line' }, rules: [{ inForce: 'observe' }] });

    expect(await one.stop()).toBe(0);
    await using again = start('one');
    expect(await answers(again, two)).toEqual([{ from: 'v1' }, { from: 'v1' }]);

    await command('resume');
    await Promise.all([again, two].map((proxy) => proxy.line(/"event":"rollout_resumed"/)));
    expect(await answers(again, two)).toEqual([{ from: 'v2' }, { from: 'v2' }]);
  },
);
