import { expect, test } from 'vitest';
import { dayInMs } from '../../../src/contract/times.ts';
import { openWriterHere } from '../../helpers/writer-here.ts';
import { batchOf } from '../../usage/rows.ts';
import { useCommandLine } from '../run.ts';
import { newFolder, storeOfNow } from '../report/stores.ts';

const run = useCommandLine();

/** A record to which one proxy wrote until two days ago, and fell silent, while another goes on. */
async function storeWithSilence(replica = 'two:8080'): Promise<string> {
  const store = await storeOfNow(newFolder(), [{ key: 'mk_acme_1', daysAgo: 40 }], 70);
  const now = Date.now();
  const writer = openWriterHere(store);
  const session = { since: now - 70 * dayInMs, seen: now - 2 * dayInMs, ended: false };
  await writer.write(batchOf([], { writer: 'two', replica, clock: now, session }));
  await writer.close();
  return store;
}

const retire = (store: string, ...names: readonly string[]) => run(['usage', 'retire', ...names, '--store', store]);

test('usage retire says that a proxy is gone: the report waits for it no longer', async () => {
  const store = await storeWithSilence();
  const report = async () => (await run(['report', '--store', store])).stdout.replaceAll(/\s+/g, ' ');
  expect(await report()).toMatch(/silent without having been stopped: two:8080 \(since .*say so with migrate-v2 usage retire NAME/);
  const { code, stderr } = await retire(store, 'two:8080');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^two:8080 is gone\. It last recorded on [^\n]*: calls that it may/),
  });
  // On a machine that is busy enough, the other one has been silent for a minute by now.
  expect(await report()).not.toMatch(/silent without having been stopped: [^.]*two:8080/);
  expect(await report()).toMatch(/two:8080 \([-\d]+ to [-\d]+, gone\)/);
});

test('usage retire takes the proxy of an older version by what the report calls it: it has no name in the record', async () => {
  const store = await storeWithSilence('');
  const { code, stderr } = await retire(store, 'a proxy without a name');
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^a proxy without a name is gone\./) });
  expect((await run(['report', '--store', store])).stdout).not.toMatch(/silent without having been stopped: [^.]*a proxy without a name/);
});

test.each([
  [[], /^usage retire: needs the names of proxies, as the report shows them$/],
  [['three'], /^usage retire three: no proxy of that name is in the record; there are one, two:8080$/],
  [['two:8080', 'one'], /^usage retire one: it is recording right now; end it first, or give it another --replica$/],
])('usage retire ends with 4 and one line for %j', async (names, line) => {
  const { code, stdout, stderr } = await retire(await storeWithSilence(), ...names);
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr.replace(/^migrate-v2: /, '').trimEnd()).toMatch(line);
});
