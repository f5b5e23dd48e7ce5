/** One client that the record knows as several callers: its label changed, or the version of its product. */
import { describe, expect, test } from 'vitest';
import { buildReport, type ReportOptions } from '../../src/report/build.ts';
import type { Report } from '../../src/report/model.ts';
import { dayInMs } from '../../src/contract/times.ts';
import { daily, daysAgo, now, reportDefaults, type StoreContent, storeWith } from '../helpers/usage-store.ts';

async function report(content: StoreContent, options: Partial<ReportOptions> = {}): Promise<Report> {
  const { reader } = await storeWith(content);
  return buildReport(reader, { since: { ago: 90 * dayInMs }, ...reportDefaults, now, ...options });
}

describe('the newest label of a key', () => {
  // Several keys: by chance, the newest may also come last in the order of ids.
  test.each([1, 2, 3, 4, 5])('gives the workspace of the last call (key %i)', async (number) => {
    const key = `mk_old_${number}`;
    const { keys } = await report({
      traffic: [
        { key, workspace: 'Before', calls: [[daysAgo(60), 1]] },
        { key, workspace: 'After', calls: daily(20, 1, 1) },
        { key, workspace: 'Before', client: 'curl/8.5', calls: [[daysAgo(30), 1]] },
      ],
    });
    expect(keys.map(({ workspace }) => workspace)).toEqual(['After']);
  });

  test('is not known before it came', async () => {
    const label = async (until: number) => {
      const traffic = ['Before', 'After'].map((workspace, index) => ({
        key: 'mk_old_1',
        workspace,
        calls: daily(60 - 40 * index, 50 - 40 * index, 1),
      }));
      return (await report({ traffic }, { since: { at: daysAgo(90) }, until: { at: until } })).keys[0]?.workspace;
    };
    expect([await label(daysAgo(30)), await label(now)]).toEqual(['Before', 'After']);
  });
});

describe('the longest pause of a client', () => {
  const [once, again] = [daysAgo(110), daysAgo(60)];
  const key = 'mk_old_1';
  const recorded = [[150, 0]] as const;

  test.each([
    ['its label', { workspace: 'Before' }, { workspace: 'After' }],
    ['the version of its product', { client: 'axios/1.7.0' }, { client: 'axios/1.7.1' }],
    ['both', { client: 'axios/1.7.0', workspace: 'Before' }, { client: 'axios', workspace: 'After' }],
  ])('outlasts a change of %s', async (_, before, after) => {
    const { verdict, clients } = await report({
      recorded,
      traffic: [
        { key, ...before, calls: [[once, 5]] },
        { key, ...after, calls: [[again, 5]] },
      ],
    });
    expect(verdict.state).toBe('not_yet');
    expect(new Set(clients.map(({ quiet }) => quiet.longestPause))).toEqual(new Set([50 * dayInMs]));
  });

  test.each([
    ['another key', { key: 'mk_new_1' }],
    ['another product', { client: 'curl/8.5' }],
    ['another name', { name: 'nightly' }],
  ])('is not taken from calls with %s', async (_, other) => {
    const { clients } = await report({
      recorded,
      traffic: [
        { key, calls: [[once, 5]] },
        { key, ...other, calls: [[again, 5]] },
      ],
    });
    expect(clients.map(({ quiet }) => quiet.longestPause)).toEqual([null, null]);
  });

  test('is none where it called under another label meanwhile', async () => {
    const { clients } = await report({
      recorded,
      traffic: [
        {
          key,
          workspace: 'Before',
          calls: [
            [once, 1],
            [again, 1],
          ],
        },
        { key, workspace: 'After', calls: daily(110, 60, 1) },
      ],
    });
    expect(clients[0]?.quiet.longestPause).toBe(dayInMs);
  });

  test('is not cut by another version that calls meanwhile, as both may be in use', async () => {
    const { clients } = await report({
      recorded,
      traffic: [
        {
          key,
          client: 'axios/1.7.0',
          calls: [
            [once, 1],
            [again, 1],
          ],
        },
        { key, client: 'axios/1.7.1', calls: daily(109, 61, 100) },
      ],
    });
    expect(clients.map(({ product, quiet }) => [product, Math.round((quiet.longestPause ?? 0) / dayInMs)])).toEqual([
      ['axios/1.7.1', 1],
      ['axios/1.7.0', 50],
    ]);
  });
});
