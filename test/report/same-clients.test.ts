import { describe, expect, test } from 'vitest';
import { buildReport, type ReportOptions } from '../../src/report/build.ts';
import { sameClients } from '../../src/report/same-clients.ts';
import { hashOfProduct } from '../../src/usage/client-product.ts';
import { openReader } from '../../src/usage/store/open.ts';
import { dayInMs } from '../../src/contract/times.ts';
import { daily, daysAgo, fillStore, now, reportDefaults, type Traffic } from '../helpers/usage-store.ts';
import { callerOf } from '../usage/rows.ts';
import { storePath } from '../usage/record.ts';
import { openWriterHere } from '../helpers/writer-here.ts';

const hash = hashOfProduct('secret');

/** Which of these products, with one key, are one client. */
const joined = (...clients: string[]): string[] =>
  sameClients(
    clients.map((client) => callerOf({ client })),
    'secret',
  ).map(({ caller, same }) =>
    [caller.client, ...same.map(({ client }) => client).filter((client) => client !== caller.client)].join(' + '),
  );

describe('a hash and a name', () => {
  test.each<[string, string[], string[]]>([
    ['are one', [hash('acme'), 'acme/2.1 via axios/1.7'], [`acme/2.1 via axios/1.7 + ${hash('acme')}`]],
    ['are one, in any order', ['acme', hash('acme')], [`acme + ${hash('acme')}`]],
    ['are one with the lowest of several versions', ['acme/10.0', 'acme/9.1', hash('acme')], ['acme/10.0', `acme/9.1 + ${hash('acme')}`]],
    ['are not, where it is of another name', [hash('other'), 'acme/2.1'], [hash('other'), 'acme/2.1']],
    [
      'are one, of a library that was not known before',
      [hash('ReactorNetty'), 'ReactorNetty/1.1'],
      [`ReactorNetty/1.1 + ${hash('ReactorNetty')}`],
    ],
    ['are one, of a library behind its language', [hash('Python'), 'aiohttp/3.9'], [`aiohttp/3.9 + ${hash('Python')}`]],
    ['are not, of who has no name', [hash('none'), 'none'], [hash('none'), 'none']],
  ])('%s', (_name, clients, expected) => {
    expect(joined(...clients)).toEqual(expected);
  });

  test('are not, with another key or another header', () => {
    const named = callerOf({ client: 'acme/2.1' });
    for (const changes of [{ keyHash: 'b'.repeat(16) }, { name: 'crm' }])
      expect(sameClients([named, callerOf({ client: hash('acme'), ...changes })], 'secret')).toHaveLength(2);
  });
});

async function report(traffic: (hash: (product: string) => string) => readonly Traffic[], options: Partial<ReportOptions> = {}) {
  const path = storePath();
  const writer = openWriterHere(path);
  await writer.close();
  await fillStore(path, { traffic: traffic(hashOfProduct(options.hashSecret ?? writer.hashSecret)) });
  const reader = await openReader(path);
  const made = await buildReport(reader, { since: { ago: 90 * dayInMs }, ...reportDefaults, now, ...options });
  await reader.close();
  return made;
}

const key = 'mk_acme_1';
const before = (hashOf: (product: string) => string): Traffic[] => [
  { key, client: hashOf('acme-crm'), calls: daily(40, 20, 2), networks: ['192.0.2.0/24'] },
  { key, client: 'acme-crm/2.1 via axios/1.7', calls: daily(19, 0, 3), networks: ['198.51.100.0/24'] },
];

describe('in a report, a client whose name was not shown at first', () => {
  test.each([undefined, 'a secret of the user'])('is one, and each call counts once', async (hashSecret) => {
    const { clients, total, workspaces } = await report(before, { hashSecret });
    expect(clients).toMatchObject([
      {
        product: 'acme-crm/2.1 via axios/1.7',
        usage: { calls: 21 * 2 + 20 * 3 },
        firstSeen: new Date(daysAgo(40) - 60_000).toISOString(),
        sources: [{ network: '198.51.100.0/24' }, { network: '192.0.2.0/24' }],
      },
    ]);
    expect(total.calls).toBe(21 * 2 + 20 * 3);
    expect(workspaces).toMatchObject([{ clients: 1 }]);
  });

  test('is ignored by its name, also where the record has nothing but the hash', async () => {
    const ignore = [{ reason: 'ours', client: 'acme-crm' }];
    expect((await report(before, { ignore })).total.calls).toBe(0);
    expect((await report((hashOf) => before(hashOf).slice(0, 1), { ignore })).total.calls).toBe(0);
    expect((await report((hashOf) => before(hashOf).slice(0, 1), { ignore: [{ reason: 'ours', client: 'acme' }] })).total.calls).toBe(42);
  });

  test('is found under another key, as whom a workspace’s calls have moved to', async () => {
    const acme = { name: 'Acme', keys: ['mk_acme_'] };
    const { workspaces } = await report(
      (hashOf) => [
        { key, client: hashOf('acme-crm'), calls: daily(60, 30, 2), networks: ['192.0.2.0/24'] },
        { key: 'mk_new_1', client: 'acme-crm/2.1 via axios/1.7', calls: daily(29, 0, 2), networks: ['192.0.2.0/24'] },
      ],
      { workspaces: [acme] },
    );
    expect(workspaces.find(({ name }) => name === 'Acme')?.verdict.blockers.map(({ code }) => code)).toContain('moved_calls');
  });
});
