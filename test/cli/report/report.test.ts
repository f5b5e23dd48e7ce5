import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openWriter } from '../../../src/usage/store/open.ts';
import { useCommandLine } from '../run.ts';
import { newFolder, storeOfNow } from './stores.ts';

const run = useCommandLine();

const recent = [{ key: 'mk_acme_1', daysAgo: 1 }];

describe('migrate-v2 report', () => {
  test('shows the record with the names that the configuration gives', async () => {
    const cwd = newFolder();
    await storeOfNow(cwd, recent);
    writeFileSync(join(cwd, 'migrate-v2.config.yaml'), 'workspaces:\n  - { name: Acme, keys: [mk_acme], plan: Free, owner: Ada }\n');
    const { code, stdout, stderr } = await run(['report', '--store', 'usage.db'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^v1 usage from .*\n\nNOT YET: v1 is still in use\n/);
    expect(stdout).toMatch(/\nAcme +Ada +1 .* 24 h +Free +1 of 100 +NOT YET\n/);
  });

  test('cuts nothing where it is piped, but to the COLUMNS that somebody asks for', async () => {
    const cwd = newFolder();
    await storeOfNow(cwd, recent);
    const owner = 'The Department of Very Long Names that Nobody Can Remember';
    writeFileSync(join(cwd, 'migrate-v2.config.yaml'), `workspaces:\n  - { name: Acme, keys: [mk_acme], plan: Free, owner: ${owner} }\n`);
    const args = ['report', '--store', 'usage.db'];
    expect((await run(args, { cwd })).stdout).toMatch(new RegExp(`^Acme +${owner} +1 `, 'm'));
    const narrow = (await run(args, { cwd, env: { COLUMNS: '60' } })).stdout;
    expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  test('reads a store that a proxy is writing', async () => {
    const cwd = newFolder();
    const store = await storeOfNow(cwd, recent);
    const writer = await openWriter(store);
    try {
      expect(await run(['report', '--format', 'json', '--store', store])).toMatchObject({ code: 0, stderr: '' });
    } finally {
      await writer.close();
    }
  });

  test('writes a file that is for its owner alone, and says how it stands', async () => {
    const cwd = newFolder();
    await storeOfNow(cwd, recent);
    const { code, stdout, stderr } = await run(['report', '--store', 'usage.db', '--format', 'html', '--out', 'usage.html'], { cwd });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: `NOT YET: v1 is still in use\nWrote ${join(cwd, 'usage.html')}\n`,
    });
    expect(readFileSync(join(cwd, 'usage.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect(statSync(join(cwd, 'usage.html')).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['0 where v1 may be stopped', [{ key: 'mk_acme_1', daysAgo: 32 }], 63, 'SAFE', 0],
    ['1 while v1 is in use', recent, 60, 'NOT YET', 1],
    ['2 where the record is too short to tell', [{ key: 'mk_acme_1', daysAgo: 32 }], 61, 'UNKNOWN', 2],
  ])('--check exits with %s', async (_name, uses, recordedDays, title, code) => {
    const store = await storeOfNow(newFolder(), uses, recordedDays);
    const ended = await run(['report', '--check', '--store', store]);
    expect(ended.stdout).toContain(`\n${title}: `);
    expect(ended.code).toBe(code);
  });
});

describe('a report that cannot be made ends with one line', () => {
  test.each([
    [
      ['--since', '2026-11-20', '--until', '2026-11-01'],
      '--since: 2026-11-20T00:00:00.000Z is not before --until, which is 2026-11-01T00:00:00.000Z; give an earlier one',
    ],
    [['--watch'], '--watch: keeps the report on the screen of a terminal, and stdout is none; leave it out'],
    [
      ['--format', 'html', '--group-by', 'client'],
      '--group-by: is for table, csv and markdown, and html has rows of every kind; leave it out (from the command line)',
    ],
    [
      ['--format', 'json', '--group-by', 'key'],
      '--group-by: is for table, csv and markdown, and json has rows of every kind; leave it out (from the command line)',
    ],
    [['--chekc'], '--chekc: report has no such flag; did you mean --check?'],
    [['usage.db'], 'usage.db: report takes no arguments, only flags'],
  ])('and 4 for %j', async (args, line) => {
    const store = await storeOfNow(newFolder(), recent);
    expect(await run(['report', '--store', store, ...args])).toEqual({ code: 4, stdout: '', stderr: `migrate-v2: ${line}\n` });
  });

  test('and 4 where there is no store', async () => {
    const cwd = newFolder();
    const { code, stdout, stderr } = await run(['report', '--check', '--store', 'usage.db'], { cwd });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^migrate-v2: .*\/usage\.db does not exist: give --store [^\n]*\n$/);
  });

  test.each([
    ['is damaged', (path: string) => writeFileSync(path, 'no database, but text that is long enough'), 'is no usage record, or is damaged'],
    ['is of a newer version', (path: string) => withStore(path, 'PRAGMA user_version = 9999'), 'newer version'],
  ])('and 3 where the store %s', async (_name, spoil, said) => {
    const store = await storeOfNow(newFolder(), recent);
    spoil(store);
    const { code, stdout, stderr } = await run(['report', '--check', '--store', store]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^migrate-v2: [^\n]*\n$/);
    expect(stderr).toContain(said);
  });
});

function withStore(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}
