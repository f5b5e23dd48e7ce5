import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../helpers/build.ts';
import { useCommandLine } from '../run.ts';
import { newFolder, storeOfNow } from './stores.ts';

const run = useCommandLine();

const configuration = `workspaces:
  - { name: Acme, keys: [mk_acme_], contact: ada@acme.test, language: de-AT }
  - { name: '../../Bolt', keys: [mk_bolt_], note: internal }
`;

async function folderOf(config = configuration): Promise<string> {
  const folder = newFolder();
  await storeOfNow(
    folder,
    ['mk_acme_1', 'mk_bolt_1', 'mk_new_77'].map((key) => ({ key, daysAgo: 1 })),
  );
  writeFileSync(join(folder, 'migrate-v2.config.yaml'), config);
  return folder;
}

const german = join(projectRoot, 'examples/letters');
const write = (cwd: string, ...args: readonly string[]) => run(['report', '--store', 'usage.db', '--letters', 'out', ...args], { cwd });
const fileIn = (cwd: string, pattern: RegExp): string =>
  join(cwd, 'out', readdirSync(join(cwd, 'out')).find((name) => pattern.test(name)) ?? '');

describe('migrate-v2 report --letters', () => {
  test('writes three files for each who still calls, for their owner alone, and says for whom no address is known', async () => {
    const cwd = await folderOf();
    const { code, stdout, stderr } = await write(cwd, '--templates', german, '--from', 'API team <api@example.com>');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      `Wrote 2 letters to ${join(cwd, 'out')}, each as .md, .html and .eml; the mails open as drafts`,
      'No address is known of ../../Bolt: give the workspace a contact',
      'No letter for 1: it is a key that nobody knows: find out whose it is',
      '',
    ]);
    const names = readdirSync(join(cwd, 'out')).toSorted();
    expect(names.map((name) => name.replace(/-[0-9a-f]{10}\./, '.'))).toEqual([
      'acme.eml',
      'acme.html',
      'acme.md',
      'bolt.eml',
      'bolt.html',
      'bolt.md',
      'letters.json',
    ]);
    expect(statSync(join(cwd, 'out')).mode & 0o777).toBe(0o700);
    for (const name of names) expect(statSync(join(cwd, 'out', name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(fileIn(cwd, /^acme.*md$/), 'utf8')).toMatch(/^Guten Tag,\n\nv1 unserer API wird am 31\. Dezember 2026 /);
    expect(readFileSync(fileIn(cwd, /^bolt.*md$/), 'utf8')).toMatch(/^Hello,\n/);
  });

  test('replaces what it wrote itself, and nothing that somebody changed since', async () => {
    const cwd = await folderOf();
    const args = ['--templates', german];
    await write(cwd, ...args);
    expect((await write(cwd, ...args, '--workspace', 'Acme')).stderr).not.toContain('nobody needs');
    const letter = fileIn(cwd, /^bolt.*md$/);
    writeFileSync(letter, 'Dear Bolt,');
    const before = readFileSync(fileIn(cwd, /^acme.*eml$/), 'utf8');
    const { code, stderr } = await write(cwd, ...args);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: `migrate-v2: --letters: ${letter} was changed since it was written here, and is not replaced: move it away, or choose another folder\n`,
    });
    expect(readFileSync(letter, 'utf8')).toBe('Dear Bolt,');
    expect(readFileSync(fileIn(cwd, /^acme.*eml$/), 'utf8')).toBe(before);
  });

  test('replaces a link, and not what it leads to', async () => {
    const cwd = await folderOf();
    await write(cwd, '--templates', german);
    const name = fileIn(cwd, /^bolt.*md$/);
    const elsewhere = join(cwd, 'elsewhere.md');
    writeFileSync(elsewhere, readFileSync(name));
    const kept = readFileSync(name, 'utf8');
    const other = join(cwd, 'out2');
    mkdirSync(other);
    symlinkSync(elsewhere, join(other, name.slice(name.lastIndexOf('/') + 1)));
    expect((await run(['report', '--store', 'usage.db', '--letters', 'out2', '--templates', german], { cwd })).code).toBe(0);
    expect(readFileSync(elsewhere, 'utf8')).toBe(kept);
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'a name that there is not',
      { 'letter.md': 'a\n{{sunste}}' },
      /letter\.md:2: \{\{sunste\}\} is nothing that a letter has here; did you mean sunset\?$/,
    ],
    ['another part', { 'letter.htm': '' }, /letter\.htm: is no part of a letter; did you mean letter\.html\?$/],
    [
      'a sentence that there is not',
      { 'strings.json': '{\n"helo": "Hi"}' },
      /strings\.json:2: helo is no sentence of a letter; did you mean hello\?$/,
    ],
    ['no JSON', { 'strings.json': '{\n"hello": }' }, /strings\.json:2: is no JSON/],
    ['a language that is not whole', { 'fr/strings.json': '{"hello": "Bonjour"}' }, /fr\/strings\.json: has no subject, intro,/],
    ['no language for a workspace', {}, /^language de-AT: is the language of a workspace, and there is no folder de-AT with strings\.json/],
  ])('ends with 4 for templates with %s, and writes nothing', async (_what, files, line) => {
    const cwd = await folderOf();
    const templates = join(cwd, 'templates');
    mkdirSync(join(templates, 'fr'), { recursive: true });
    writeFileSync(join(templates, 'fr/strings.json'), readFileSync(join(german, 'de/strings.json')));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(templates, name), text);
    const { code, stderr } = await write(cwd, '--templates', templates);
    expect(code).toBe(4);
    expect(stderr.replace(/^migrate-v2: /, '').trimEnd()).toMatch(line);
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });

  test('takes parts of its own, with other sentences', async () => {
    const cwd = await folderOf(configuration.replace(', language: de-AT', ''));
    const templates = join(cwd, 'templates');
    mkdirSync(templates);
    writeFileSync(join(templates, 'letter.md'), '{{> hello}} {{workspace}}\n');
    writeFileSync(join(templates, 'strings.json'), '{ "hello": "Dear <{{sunset}}>" }');
    expect((await write(cwd, '--templates', templates)).code).toBe(0);
    expect(readFileSync(fileIn(cwd, /^acme.*md$/), 'utf8')).toBe('Dear &lt;31 December 2026&gt; Acme\n');
  });

  test.each([
    [['--check'], '--check: is for a report, and --letters writes none; leave one of them out (from the command line)'],
    [['--watch'], '--watch: is for a report, and --letters writes none; leave one of them out (from the command line)'],
    [['--from', 'nobody'], '--from: "nobody" is not an address: write ada@example.com, or Ada <ada@example.com> (from the command line)'],
    [['--workspace', 'acme'], '--workspace acme: no workspace or key of that name is in the report; did you mean Acme?'],
  ])('ends with 4 and one line for %j', async (args, line) => {
    expect(await write(await folderOf(), ...args)).toEqual({ code: 4, stdout: '', stderr: `migrate-v2: ${line}\n` });
  });

  test('has the settings of letters for letters alone', async () => {
    const { code, stderr } = await run(['report', '--store', 'usage.db', '--from', 'a@b.test']);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: 'migrate-v2: --from: is for --letters; give that as well, or leave it out (from the command line)\n',
    });
  });
});
