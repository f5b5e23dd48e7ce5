import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOf } from '../../helpers/usage-store.ts';
import { newFolder, storeOfNow } from '../report/stores.ts';
import { useCommandLine } from '../run.ts';

const run = useCommandLine();

const configuration = `workspaces:
  - { name: Acme Ltd, keys: [mk_acme_], status: snoozed }
  - { name: Bolt, keys: [mk_bolt_] }
`;

/** A folder with a store and a configuration. */
async function folderOf(): Promise<string> {
  const folder = newFolder();
  await storeOfNow(
    folder,
    ['mk_acme_1', 'mk_bolt_1', 'mk_new_77'].map((key) => ({ key, daysAgo: 1 })),
  );
  writeFileSync(join(folder, 'migrate-v2.config.yaml'), configuration);
  return folder;
}

const mark = (cwd: string, ...words: readonly string[]) => run(['usage', 'mark', ...words, '--store', 'usage.db'], { cwd });

/** How things stand, by the names of workspaces. */
async function marksIn(cwd: string): Promise<Readonly<Record<string, unknown>>> {
  const report = JSON.parse((await run(['report', '--format', 'json', '--store', 'usage.db'], { cwd })).stdout);
  return Object.fromEntries(report.workspaces.map(({ name, mark: noted }: { name: string; mark: unknown }) => [name, noted]));
}

test('usage mark notes how things stand with workspaces and unknown keys, and takes it back', async () => {
  const cwd = await folderOf();
  const unknown = `mk_new_7…${hashOf('mk_new_77').slice(0, 8)}`;
  expect(await mark(cwd, 'Acme Ltd', 'promised', '2099-12-10', '--note', 'asked\nAda')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Acme Ltd: promised 2099-12-10: asked Ada\n',
  });
  expect(await mark(cwd, unknown.replace('…', '...'), 'contacted')).toMatchObject({ code: 0, stderr: `${unknown}: contacted\n` });
  expect(await marksIn(cwd)).toEqual({
    'Acme Ltd': {
      status: 'promised',
      until: '2099-12-10T00:00:00.000Z',
      past: false,
      note: 'asked Ada',
      at: expect.any(String),
      from: 'record',
    },
    Bolt: null,
    [unknown]: expect.objectContaining({ status: 'contacted', from: 'record' }),
  });
  await mark(cwd, `hash:${hashOf('mk_new_77')}`, 'snoozed');
  expect(await mark(cwd, 'Acme Ltd', '--clear')).toMatchObject({
    stderr: 'Acme Ltd: what was noted is taken back; what the configuration says holds\n',
  });
  expect(await marksIn(cwd)).toMatchObject({ 'Acme Ltd': { status: 'snoozed', from: 'configuration' }, [unknown]: { status: 'snoozed' } });
});

const statuses = 'contacted, promised or snoozed: write contacted, promised 2026-12-10, snoozed or snoozed 2026-12-10';

test.each<[readonly string[], string]>([
  [[], 'usage mark: needs a workspace as the report shows it, and contacted, promised or snoozed, or --clear'],
  [['Bolt'], 'usage mark: needs how things stand: contacted, promised or snoozed, or --clear'],
  [['Bolt', 'gone'], `usage mark: "gone" is not ${statuses}`],
  [['Acme', 'Ltd', 'contacted'], `usage mark: "Ltd contacted" is not ${statuses}; put a name of several words in quotes`],
  [['acme', 'contacted'], 'usage mark acme: no workspace or key of that name is in the report; did you mean Acme Ltd?'],
  [['Bold', 'contacted'], 'usage mark Bold: no workspace or key of that name is in the report; did you mean Bolt?'],
  [['Xyzzy', 'contacted'], 'usage mark Xyzzy: no workspace or key of that name is in the report; migrate-v2 report lists them'],
  [['Bolt', 'promised'], `usage mark: "promised" is not ${statuses}`],
  [['Bolt', 'promised', 'soon'], `usage mark: "promised soon" is not ${statuses}; put a name of several words in quotes`],
  [['Bolt', 'contacted', '2099-12-10'], `usage mark: "contacted 2099-12-10" is not ${statuses}; put a name of several words in quotes`],
  [['Bolt', 'snoozed', '--clear'], 'usage mark --clear: takes back what was noted, and takes neither a status nor --note'],
  [['Bolt', 'contacted', '--key', 'hash:0123456789abcdef'], '--key: is a flag of usage erase, and none of usage mark'],
])('usage mark ends with 4 and one line for %j', async (words, line) => {
  expect(await mark(await folderOf(), ...words)).toEqual({ code: 4, stdout: '', stderr: `migrate-v2: ${line}\n` });
});
