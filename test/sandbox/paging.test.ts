import { describe, expect, test as base } from 'vitest';
import { sandboxFixtures, type TestSandbox, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

/** Five contacts, `c1` the oldest. */
async function fiveContacts({ call }: TestSandbox): Promise<void> {
  for (const name of ['c1', 'c2', 'c3', 'c4', 'c5']) await call('POST /v1/contacts', { json: { phone: `+${name}`, name } });
}

describe.each(versions)('version %s', (version) => {
  describe('assumptions of paging', () => {
    test.override({ options: { assumptions: { limitDefault: 3, limitMax: 4 } } });
    test('page and limit choose the entries, newest first', async ({ sandbox }) => {
      await fiveContacts(sandbox);
      const pages = [
        ['page=1&limit=2', ['c5', 'c4']],
        ['page=2&limit=2', ['c3', 'c2']],
        ['page=3&limit=2', ['c1']],
        ['page=4&limit=2', []],
        ['page=9007199254740991&limit=2', []],
      ] as const;
      for (const [query, names] of pages) {
        const { body } = await sandbox.call(`GET ${version}/contacts?${query}`);
        expect({ query, body }).toMatchObject({ query, body: { data: names.map((name) => ({ name })), limit: 2, total: 5 } });
      }
    });
    test('values that make no sense count as absent', async ({ sandbox: { call } }) => {
      for (const value of ['', '0', '-1', '1.5', '1e3', 'x', '%00', '0x10', '99999999999999999999']) {
        const { body } = await call(`GET ${version}/contacts?page=${value}&limit=${value}`);
        expect({ value, body }).toMatchObject({ value, body: { page: 1, limit: 3 } });
      }
    });
    test('a limit over the largest is cut to it', async ({ sandbox: { call } }) => {
      expect((await call(`GET ${version}/messages?limit=5`)).body).toMatchObject({ limit: 4 });
    });
    test('parameters nobody knows change nothing', async ({ sandbox }) => {
      await fiveContacts(sandbox);
      expect((await sandbox.call(`GET ${version}/contacts?status=x&__proto__=y`)).body).toMatchObject({ total: 5 });
    });
  });
});
