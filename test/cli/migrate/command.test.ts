import { execFile } from 'node:child_process';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanEnvironment } from '../../helpers/process.ts';
import { givenLine } from '../../../src/cli/migrate/paths.ts';
import { bin } from '../../helpers/build.ts';
import { run as start, useCommandLine } from '../run.ts';
import { base, careless, carelessAfter, clean, cleanAfter, key, once, repository, workspace } from './workspace.ts';
import { needs } from '../../helpers/tools.ts';

const v1 = ['--v1-base', base];
const run = useCommandLine();

describe('migrate-v2 [paths..]', () => {
  test('rewrites the code that is among the paths, reports on stdout alone and exits with 0', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean, 'lib/send.js': careless, 'other/list.js': clean });
    const { code, stdout, stderr } = await run(['src', 'lib', ...v1, '--force'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('2 calls moved to v2, 2 files changed.');
    expect([read('src/list.js'), read('lib/send.js'), read('other/list.js')]).toEqual([cleanAfter, carelessAfter, clean]);
  });

  test('looks at the working directory where only flags are given', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    expect((await run([...v1, '--force'], { cwd })).code).toBe(0);
    expect(read('src/list.js')).toBe(cleanAfter);
  });

  test('counts no project as tests because of the folder that it lies in', async () => {
    const own = `import express from 'express';\nimport { list } from './list.js';\nexport const app = express();\napp.get('/v1/contacts', async (req, res) => res.json(await list(req.headers['x-api-key'])));\n`;
    const { cwd, read } = workspace({ 'test/app/package.json': '{}', 'test/app/list.js': clean, 'test/app/server.js': own });
    const { stdout, stderr } = await run(['test/app', ...v1, '--force', '--explain', 'test/app/list.js:1'], { cwd });
    expect(stderr).toContain('All paths are relative to test/app: a folder above it is called as those of tests are.');
    expect(stdout).toMatch(/^list\.js:1/m);
    await run(['test/app', ...v1, '--force'], { cwd });
    expect([read('test/app/list.js'), read('test/app/server.js')]).toEqual([cleanAfter, own]);
  });

  test('has nothing to change the second time, and asks for no git then', async () => {
    const { cwd, read } = workspace({ 'src/list.js': cleanAfter, 'lib/send.js': carelessAfter });
    const { code, stdout } = await run(['src', 'lib', ...v1], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing to change\./);
    expect([read('src/list.js'), read('lib/send.js')]).toEqual([cleanAfter, carelessAfter]);
  });

  test('takes paths, bases and flags from the file and the environment; --format json goes to stdout alone', async () => {
    const { cwd, read } = workspace({
      'src/list.js': clean,
      'src/send.js': careless,
      'migrate-v2.config.yaml': `migrate:\n  paths: [src]\n  v1Base: [${base}/v1]\n  dryRun: true\n`,
    });
    const dry = await run(['--format', 'json'], { cwd });
    expect({ code: dry.code, stderr: dry.stderr }).toEqual({ code: 0, stderr: '' });
    expect(dry.stdout).toMatch(/^\{\n {2}"version": 1,/);
    expect(dry.stdout).not.toContain(key);
    expect(JSON.parse(dry.stdout)).toMatchObject({ mode: 'dry-run', v1Base: [base], summary: { calls: 2 } });
    await run(['--format', 'json', '--force'], { cwd, env: { MIGRATE_V2_DRY_RUN: 'false' } });
    expect(read('src/list.js')).toBe(cleanAfter);
  });

  test('takes everything behind -- for a path', async () => {
    const { cwd, read } = workspace({ '--odd/list.js': clean });
    expect((await run([...v1, '--force', '--', '--odd'], { cwd })).code).toBe(0);
    expect(read('--odd/list.js')).toBe(cleanAfter);
  });

  test('exits with 2 where a person has to decide, and says what', async () => {
    const file = `import axios from 'axios';\nconst api = axios.create({ headers: { 'x-api-key': process.env.K } });\nexport const a = () => api.get('${base}/v1/contacts');\nexport const b = () => api.get('https://other.example/x');\n`;
    const { cwd, read } = workspace({ 'src/both.js': file });
    const { code, stdout } = await run(['src', ...v1], { cwd });
    expect(code).toBe(2);
    expect(stdout).toContain('(shared-with-other-host)');
    expect(read('src/both.js')).toBe(file);
  });

  test('exits with 3 where a file failed, and changes the others', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean, 'src/broken.js': `${clean}\n)))` });
    const { code, stdout } = await run(['src', ...v1, '--force'], { cwd });
    expect(code).toBe(3);
    expect(stdout).toMatch(/Failed: 1 file\n.*\(syntax\)\n +src\/broken\.js:/);
    expect(read('src/list.js')).toBe(cleanAfter);
  });
});

describe('an error of the tool itself', () => {
  test('exits with 3, on one line that says what to do', async () => {
    const { cwd } = workspace({ 'src/list.js': clean });
    const breaks = "data:text/javascript,Map.groupBy=()=>{throw new TypeError('groups are broken')}";
    const { code, stdout, stderr } = await start(['src', ...v1, '--jobs', '1'], { cwd, env: { NODE_OPTIONS: `--import "${breaks}"` } });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toBe(
      'migrate-v2: groups are broken: an error of migrate-v2 itself; run again with --verbose and report what it says, without keys\n',
    );
  });
});

describe('--dry-run and --check', () => {
  test('--dry-run writes nothing, and asks for no git', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    const { code, stdout } = await run(['src', ...v1, '--dry-run'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('1 call would be moved to v2, 1 file to change.');
    expect(read('src/list.js')).toBe(clean);
  });

  test('--check exits with 1 while v1 is used, writes nothing, and with 0 once it is not', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean, 'lib/list.js': cleanAfter });
    const before = await run(['src', ...v1, '--check'], { cwd });
    expect(before.code).toBe(1);
    expect(before.stdout).toContain('1 call still on v1');
    expect(read('src/list.js')).toBe(clean);
    const after = await run(['lib', ...v1, '--check'], { cwd });
    expect(after.code).toBe(0);
    expect(after.stdout).toMatch(/^Nothing that can be moved is left on v1\./);
  });
});

describe('--diff', () => {
  test('prints a patch with which git apply makes what a run would', needs('git'), async () => {
    const { cwd, read, git } = repository({ 'src/list.js': clean, 'src/ü name.js': clean, 'src/crlf.js': clean.replaceAll('\n', '\r\n') });
    const { code, stdout, stderr } = await run(['src', ...v1, '--diff'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('3 calls would be moved to v2');
    expect(read('src/list.js')).toBe(clean);
    writeFileSync(join(cwd, 'v2.patch'), stdout);
    git('apply', 'v2.patch');
    expect(read('src/list.js')).toBe(cleanAfter);
    expect(read('src/ü name.js')).toBe(cleanAfter);
    expect(read('src/crlf.js')).toBe(cleanAfter.replaceAll('\n', '\r\n'));
  });

  describe('of files with keys', () => {
    /** Each key is a word of its own, that looks like none. */
    const others = {
      'is another service': `const word = 'firstword';\n${clean}fetch('https://other.example/x', { headers: { 'x-api-key': word } });\n`,
      'is given another credential': `const word = 'secondword';\n${clean}fetch('https://other.example/x', { headers: { Authorization: 'Basic ' + word } });\n`,
      'stays on v1': `const word = 'thirdword';\n${clean}fetch(\`\${base}/v1/unknown\`, { headers: { 'x-api-key': word } });\n`,
    };
    const ran = once(() => {
      const files = Object.entries(others).map(([name, text]) => [`src/${name}.js`, text]);
      const { cwd } = workspace({ 'src/list.js': clean, 'src/send.js': careless, ...Object.fromEntries(files) });
      return run(['src', ...v1, '--diff'], { cwd });
    });
    test('leaves these out, says so, and exits with 2', async () => {
      const { code, stdout, stderr } = await ran();
      expect(code).toBe(2);
      expect(stdout).toContain('src/list.js');
      expect(stdout + stderr).not.toContain(key);
      expect(stdout).not.toContain('src/send.js');
      expect(stderr).toContain('src/send.js: a key stands in the changed lines\n');
      expect(stderr).toContain('--diff --out FILE');
    });

    test.each(Object.keys(others))('leaves the line out with the key of a call that %s, whatever the key looks like', async (name) => {
      const { stdout, stderr } = await ran();
      expect(stdout).toContain(`src/${name}.js`);
      expect(stdout + stderr).not.toMatch(/(?:first|second|third)word/);
    });
  });

  test('with --out writes the whole patch, for its owner alone', needs('git'), async () => {
    const { cwd, read, git } = repository({ 'src/list.js': clean, 'src/send.js': careless });
    writeFileSync(join(cwd, 'v2.patch'), 'older');
    chmodSync(join(cwd, 'v2.patch'), 0o644);
    const { code, stdout, stderr } = await run(['src', ...v1, '--diff', '--out', 'v2.patch'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).not.toContain(key);
    expect(statSync(join(cwd, 'v2.patch')).mode & 0o777).toBe(0o600);
    git('apply', 'v2.patch');
    expect(read('src/send.js')).toBe(carelessAfter);
  });

  test('of what lies outside of the working directory is refused, as git apply would', async () => {
    const { cwd } = workspace({ 'src/list.js': clean, 'lib/send.js': clean });
    const { code, stdout, stderr } = await run(['..', ...v1, '--diff'], { cwd: join(cwd, 'src') });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^migrate-v2: --diff: \.\. lies outside of the working directory, .*; run in a folder that holds all paths\n$/);
  });

  test('goes together with --check', async () => {
    const { cwd } = workspace({ 'src/list.js': clean });
    const { code, stdout } = await run(['src', ...v1, '--diff', '--check'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^--- a\/src\/list\.js$/m);
  });
});

describe('--format and --out', () => {
  test.each([
    ['sarif', /"version": "2\.1\.0"/],
    ['markdown', /^## From v1 to v2\n/],
  ])('--format %s goes to stdout alone', async (format, pattern) => {
    const { cwd } = workspace({ 'src/send.js': careless });
    const { code, stdout, stderr } = await run(['src', ...v1, '--dry-run', '--format', format], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(pattern);
    expect(stdout).not.toContain(key);
  });

  test('--out takes the report, and people still see the summary', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    const { code, stdout, stderr } = await run(['src', ...v1, '--check', '--format', 'sarif', '--out', 'v1.sarif'], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(JSON.parse(read('v1.sarif'))).toMatchObject({ version: '2.1.0' });
    expect(stderr).toContain('1 call still on v1');
    expect(stderr).toContain(`Wrote ${join(cwd, 'v1.sarif')}\n`);
  });

  test.each([
    ['absent/x', 'ENOENT: .*'],
    ['src', 'it is a folder'],
  ])('a file that cannot be written is one line, and exit code 4, before anything is changed: %s', async (out, why) => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    const { code, stdout, stderr } = await run(['src', ...v1, '--out', out], { cwd });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^migrate-v2: --out: cannot write .* \\(${why}\\); choose another file\\n$`));
    expect(read('src/list.js')).toBe(clean);
  });

  test('FORCE_COLOR colours what goes into a pipe, and 0 does not', async () => {
    const { cwd } = workspace({ 'src/list.js': clean });
    const outputs = await Promise.all(['1', '0'].map((FORCE_COLOR) => run(['src', ...v1, '--check'], { cwd, env: { FORCE_COLOR } })));
    expect(outputs.map(({ stdout }) => stdout.startsWith('\u001b['))).toEqual([true, false]);
  });

  test('--verbose says on stderr what took most', async () => {
    const { cwd } = workspace({ 'src/list.js': clean });
    const { stdout, stderr } = await run(['src', ...v1, '--dry-run', '--format', 'json', '--verbose'], { cwd });
    expect(JSON.parse(stdout)).not.toHaveProperty('costs');
    expect(stderr).toMatch(/^The evaluation took \d+ steps\. .*\n(?: +\d+ {2}src\/list\.js:\d\n)+and .*\n +\d+ {2}src\/list\.js\n$/);
  });

  test('a reader that leaves early is no failure', needs('bash'), async () => {
    const { cwd } = workspace(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`src/${i}.js`, clean])));
    const command = `set -o pipefail; "$0" "$1" src --v1-base ${base} --dry-run --format json | head -c 1`;
    const ended = await new Promise<object>((resolve) => {
      execFile('bash', ['-c', command, process.execPath, bin], { cwd, env: cleanEnvironment() }, (error, stdout, stderr) =>
        resolve({ error, stdout, stderr }),
      );
    });
    expect(ended).toEqual({ error: null, stdout: '{', stderr: '' });
  });
});

describe('a git tree with changes', needs('git'), () => {
  test('is refused with what to do, and nothing is written', async () => {
    const { cwd, read, write } = repository({ 'src/list.js': clean, 'src/a.js': '1;\n' });
    write('src/a.js', '2;\n');
    const { code, stdout, stderr } = await run(['src', ...v1], { cwd });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^migrate-v2: src\/a\.js has changes that .*--force\n$/);
    expect(read('src/list.js')).toBe(clean);
  });

  test('is no reason where nothing is written, nor with --force', async () => {
    const { cwd, read, write } = repository({ 'src/list.js': clean, 'src/a.js': '1;\n' });
    write('src/a.js', '2;\n');
    expect((await run(['src', ...v1, '--dry-run'], { cwd })).code).toBe(0);
    expect((await run(['src', ...v1, '--force'], { cwd })).code).toBe(0);
    expect(read('src/list.js')).toBe(cleanAfter);
  });
});

describe('a folder that is in no git repository', needs('git'), () => {
  test('is refused with what to do where something would change, and nothing is written', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    const { code, stdout, stderr } = await run(['src', ...v1], { cwd });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^migrate-v2: \S+src is not under version control \(not a git repository\), .*--dry-run --diff.*--force\n$/);
    expect(read('src/list.js')).toBe(clean);
  });
});

describe('without a base', () => {
  test('the candidates and a command for each go to stderr, without user names and passwords, and the exit code is 4', async () => {
    const other = clean.replaceAll(base, 'https://me:secret@api.other.example');
    const { cwd, read } = workspace({ 'it is/list.js': clean, 'it is/other.js': other });
    const { code, stdout, stderr } = await run(['it is', '--check'], { cwd });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(`  ${base}\n    1 call of 1 route that v1 has, 1 with an x-api-key\n    it is/list.js:3  GET /v1/contacts\n`);
    expect(stderr.match(/^  npx .*$/gm)).toEqual(
      [base, 'https://api.other.example'].map((each) => `  npx migrate-v2 'it is' --check --v1-base ${each}`),
    );
    expect(stderr).not.toContain('secret');
    expect(read('it is/list.js')).toBe(clean);
  });

  test('a command for all stages of one service stands by itself', async () => {
    const code = `export const list = () =>
  fetch(\`\${process.env.TEXTS_API ?? '${base}/v1'}/contacts\`, { headers: { 'x-api-key': 'k' } });\n`;
    const { cwd } = workspace({ 'src/list.js': code, 'src/.env.staging': 'TEXTS_API=https://sandbox.example.com/v1\n' });
    const { stderr } = await run(['src'], { cwd });
    expect(stderr).toContain(
      `as one variable is set to them:\n  npx migrate-v2 src --v1-base ${base} --v1-base https://sandbox.example.com\n`,
    );
  });

  test('--yes chooses none', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    expect((await run(['src', '--yes'], { cwd })).code).toBe(4);
    expect(read('src/list.js')).toBe(clean);
  });

  test('programs get the candidates in their form', async () => {
    const { cwd } = workspace({ 'src/list.js': clean });
    const { code, stdout } = await run(['src', '--format', 'json'], { cwd });
    expect(code).toBe(4);
    expect(JSON.parse(stdout).candidates).toMatchObject([{ base, routes: 1, calls: [{ route: 'GET /v1/contacts', withKey: true }] }]);
  });

  test('what a comment leaves alone is nothing to ask about', async () => {
    const { cwd } = workspace({ 'src/list.js': clean.replace('export', '// migrate-v2-ignore: stays until it is deleted\nexport') });
    const { code, stdout, stderr } = await run(['src'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Nothing to change\./);
  });

  test('nothing that looks like v1 is nothing to do', async () => {
    const { cwd } = workspace({ 'src/other.js': 'export const x = 1;\n' });
    const { code, stdout, stderr } = await run(['src'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Nothing to change\./);
  });
});

describe('--explain', () => {
  const explain = async (at: string) => {
    const { cwd, read } = workspace({ 'src/list.js': clean, 'src/other.js': 'export const x = 1;\n' });
    const ended = await run(['src', ...v1, '--explain', at], { cwd });
    expect(read('src/list.js')).toBe(clean);
    return ended;
  };

  test('shows the chain from the call to the base', async () => {
    const { code, stdout } = await explain('src/list.js:3');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^src\/list\.js:3:27: GET \/v1\/contacts -> GET \/v2\/contacts, called with fetch\n/);
    expect(stdout).toMatch(/^ +\d\. base +src\/list\.js:1:15 +https:\/\/api\.example\.com$/m);
    expect(stdout).toMatch(/^ +path +src\/list\.js:3:\d+$/m);
  });

  test('says that nothing stands there', async () => {
    expect(await explain('src/other.js:1')).toEqual({
      code: 0,
      stdout: 'src/other.js:1: no call, change or finding stands here; what calls take from here is told where they stand.\n',
      stderr: '',
    });
  });

  test('what cannot be explained is refused', async () => {
    expect(await explain('src/no.js:1')).toEqual({ code: 4, stdout: '', stderr: 'migrate-v2: --explain: src/no.js is not there\n' });
  });

  test.each([
    ['src/list.js', '"src/list.js" is not FILE:LINE: write src/api.ts:12'],
    ['src/list.js:9', 'src/list.js has no line 9, but 4'],
    ['/etc/passwd:1', '/etc/passwd is not within what is looked at; add it to the paths'],
  ])('%s is refused', async (at, problem) => {
    const { cwd } = workspace({ 'src/list.js': clean });
    await expect(givenLine('--explain', at, [join(cwd, 'src')], cwd)).rejects.toThrow(`--explain: ${problem}`);
  });
});
