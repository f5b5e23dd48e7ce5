/** Call sites beside who calls: which of them are taken for each other. */
import { describe, expect, test } from 'vitest';
import { joinCode } from '../../../src/report/code/join.ts';
import type { CodeFindings, CodeReport, FoundSite } from '../../../src/report/code/model.ts';
import { codeRemarks, unexplainedRemarks } from '../../../src/report/text/code-wording.ts';
import { daily, type Traffic } from '../../helpers/usage-store.ts';
import { reportOf } from '../formats/sample.ts';

const send = 'POST /v1/messages/send';
const list = 'GET /v1/contacts';

const site = (endpoint: string | null, more: Partial<FoundSite> = {}): FoundSite => ({
  file: 'src/send.ts',
  line: 41,
  endpoint,
  library: 'axios',
  state: 'found',
  ...more,
});

const repository = (name: string, ...sites: readonly FoundSite[]): CodeFindings => ({
  repository: name,
  bases: ['https://api.test'],
  sites,
});

/** A client that called an endpoint until so many days ago. */
const caller = (client: string, endpoint: string, until = 0, more: Partial<Traffic> = {}): Traffic => ({
  key: 'mk_acme_1',
  client,
  endpoint,
  calls: daily(until + 3, until, 2),
  ...more,
});

async function joined(traffic: readonly Traffic[], ...findings: readonly CodeFindings[]): Promise<CodeReport> {
  return joinCode(await reportOf({ traffic }), findings, []);
}

/** How each site is used, and by how many. */
const uses = ({ repositories }: CodeReport): readonly (readonly [string, number])[] =>
  repositories.flatMap(({ sites }) => sites.map(({ use, clients }) => [use, clients] as const));

describe('a call site', () => {
  test.each([
    ['called, where its endpoint was in the last seven days', caller('axios/1.7.0', send), send, ['called', 1]],
    ['quiet, where the last call is older', caller('axios/1.7.0', send, 8), send, ['quiet', 1]],
    ['called by nobody, where another endpoint is', caller('axios/1.7.0', list), send, ['never', 0]],
    ['not known, where its endpoint is not', caller('axios/1.7.0', send), null, ['unknown', 0]],
    ['not called by a client of another library', caller('python-requests/2.31', send), send, ['never', 0]],
    ['nor by one whose library says nothing of itself', caller('none', send), send, ['never', 0]],
    ['called by a phone, where the library goes through that of the platform', caller('okhttp/4.12.0', send), send, ['called', 1]],
    ['called by one with a name of its own, which hides its library', caller('acme-crm/2.1', send), send, ['called', 1]],
    ['called by one whose name only its hash tells', caller('other-0123abcd', send), send, ['called', 1]],
    ['called by one that tells its library beside its name', caller('acme-crm/2.1 via axios/1.7', send), send, ['called', 1]],
    ['not called by one that tells another one', caller('acme-crm/2.1 via got/14.0', send), send, ['never', 0]],
    [
      'not called by a key that v2 never accepted',
      caller('axios/1.7.0', send, 0, { status: 401, outcome: 'translated' }),
      send,
      ['never', 0],
    ],
  ])('is %s', async (_name, traffic, endpoint, expected) => {
    expect(uses(await joined([traffic], repository('billing', site(endpoint))))).toEqual([expected]);
  });

  test('of a library that nobody knows may be of any client', async () => {
    const found = repository('billing', site(send, { library: 'retrofit' }));
    expect(uses(await joined([caller('python-requests/2.31', send)], found))).toEqual([['called', 1]]);
  });

  test('is of the client that bears the name of its repository, however that is written and whatever it calls with', async () => {
    const { repositories } = await joined(
      [caller('Billing_Sync/2.1 via python-requests/2.31', send), caller('axios/1.7.0', send)],
      repository('billing-sync', site(send)),
    );
    expect(repositories[0]?.sites[0]?.callers.map(({ evidence }) => evidence)).toEqual(['name', 'library']);
  });

  test('is so by the name in the header that tells clients apart', async () => {
    const { repositories } = await joined([caller('got/14.0', send, 0, { name: 'billing sync' })], repository('billing-sync', site(send)));
    expect(repositories[0]?.sites[0]?.callers.map(({ evidence }) => evidence)).toEqual(['name']);
  });

  test('is not of the client that bears the name of another repository', async () => {
    const code = await joined([caller('crm/2.1', send)], repository('billing', site(send)), repository('crm', site(list)));
    expect(uses(code)).toEqual([
      ['never', 0],
      ['never', 0],
    ]);
    expect(code.unexplained).toMatchObject([{ endpoint: send, workspace: 'Acme' }]);
  });
});

describe('calls that are of no client of the report', () => {
  const findings = [repository('billing', site(send))];
  const ours = [{ reason: 'ours', client: 'axios' }];

  test('of ignored clients may be those of a site: it is not idle', async () => {
    const { code, ...rest } = await reportOf({ traffic: [caller('axios/1.7.0', send)] }, { findings, ignore: ours });
    expect(code?.repositories[0]?.sites).toMatchObject([{ use: 'called', clients: 0, last: null, besides: '2026-11-20T11:59:00.000Z' }]);
    expect(codeRemarks({ ...rest, ...(code && { code }) })).toEqual([
      '1 of 1 site of billing is still called: src/send.ts:41 (POST /v1/messages/send, 1 minute ago by an ignored client or past the proxies)',
    ]);
  });

  test('past the proxies may be, too, also where they are older than a week, and not where they are older than the period', async () => {
    const report = await reportOf({ traffic: [caller('axios/1.7.0', list)] });
    const used = (last: string) => uses(joinCode(report, findings, [{ endpoint: send, last }]));
    expect([used('2026-11-19T00:00:00.000Z'), used('2026-11-01T00:00:00.000Z'), used('2026-01-01T00:00:00.000Z')]).toEqual([
      [['called', 0]],
      [['quiet', 0]],
      [['never', 0]],
    ]);
  });
});

describe('calls', () => {
  test('that no site makes are told, the most called first, and old ones are not', async () => {
    const traffic = [
      caller('axios/1.7.0', list, 0, { calls: daily(3, 0, 1) }),
      caller('axios/1.7.0', 'unlisted', 0, { calls: daily(3, 0, 9) }),
      caller('curl/8.5', send, 8),
      caller('axios/1.7.0', send),
    ];
    const { unexplained } = await joined(traffic, repository('billing', site(send)));
    expect(unexplained.map(({ endpoint, calls }) => [endpoint, calls])).toEqual([
      ['unlisted', 36],
      [list, 4],
    ]);
  });

  test('of a site that was rewritten are those of an older deployment', async () => {
    const code = await joined([caller('axios/1.7.0', send)], repository('billing', site(send, { state: 'moved' })));
    expect([uses(code), code.unexplained]).toEqual([[['called', 1]], []]);
  });
});

describe('the sentences', () => {
  async function sentences(traffic: readonly Traffic[], ...findings: readonly CodeFindings[]): Promise<readonly string[]> {
    const report = await reportOf({ traffic }, { findings });
    return [...codeRemarks(report), ...unexplainedRemarks(report)];
  }

  test('say how many sites are still called, where, when and by whom; and what else there is', async () => {
    const sites = [
      site(send),
      site(send, { file: 'src/old.ts', line: 7, library: 'got' }),
      site(list, { file: 'src/list.ts', line: null }),
      site(null, { file: 'src/any.ts', line: 9, state: 'left' }),
      site(send, { file: 'src/done.ts', line: 1, state: 'moved' }),
    ];
    const traffic = [caller('axios/1.7.0', send), caller('axios/1.6.0', send, 1), caller('axios/1.7.0', list, 9), caller('curl/8.5', list)];
    expect(await sentences(traffic, repository('billing-sync', ...sites))).toEqual([
      '1 of 4 sites of billing-sync is still called: src/send.ts:41 (POST /v1/messages/send, 1 minute ago by axios/1.7.0 of Acme and 1 other)',
      'billing-sync: called since 2026-08-22, and not in the last 7 days: src/list.ts',
      'billing-sync: nobody has called since 2026-08-22: src/old.ts:7',
      'billing-sync: which endpoint is called cannot be told from the code: src/any.ts:9',
      'billing-sync: rewritten, and still called as v1: deploy it, or others call: src/done.ts:1',
      'curl/8.5 of Acme: GET /v1/contacts, 8 calls, the last 1 minute ago',
    ]);
  });

  test('say what a run without a base, without a call, and of code that is done are worth', async () => {
    const findings = [
      { repository: 'one', bases: [], sites: [] },
      repository('two'),
      repository('three', site(list, { state: 'moved' })),
      repository('four', site(list)),
    ];
    expect(await sentences([caller('axios/1.7.0', list, 20)], ...findings)).toEqual([
      'one: the run knew no base of v1, and so no call of it: find them anew with --v1-base',
      'two: no call of v1 was found in it',
      'three: nothing in it calls v1 any more',
      'four: none of 1 site was called in the last 7 days',
      'four: called since 2026-08-22, and not in the last 7 days: src/send.ts:41',
    ]);
  });

  test('say since when there is a record, where nobody could have been seen before', async () => {
    const report = await reportOf({ traffic: [], recorded: [[2, 0]] }, { findings: [repository('billing', site(list))] });
    expect(codeRemarks(report)).toEqual([
      'billing: none of 1 site was called in the last 7 days',
      'billing: nobody has called since 2026-11-18 12:00 UTC, when the record began: src/send.ts:41',
    ]);
  });

  test('name a few sites, and count the rest', async () => {
    const sites = Array.from({ length: 8 }, (_, index) => site(list, { line: index + 1 }));
    const [, never] = await sentences([caller('axios/1.7.0', send)], repository('billing', ...sites));
    expect(never).toBe(
      'billing: nobody has called since 2026-08-22: src/send.ts:1, src/send.ts:2, src/send.ts:3, src/send.ts:4, src/send.ts:5 and 3 more',
    );
  });
});
