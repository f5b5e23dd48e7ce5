import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../run.ts';
import { base, clean, cleanAfter, repository, type Workspace, workspace } from './workspace.ts';

/** Sends itself a signal once a function of the file system was called that often. */
const hooks = `
const [name, times, signal] = process.env.KILL.split(' ');
const files = require(name === 'rename' ? 'node:fs/promises' : 'node:fs');
const before = files[name];
let called = 0;
files[name] = (...args) => {
  const result = before(...args);
  const count = () => ++called === Number(times) && process.kill(process.pid, signal);
  if (result === undefined) count();
  else result.then(count);
  return result;
};
require('node:module').syncBuiltinESMExports();
`;

const files = Array.from({ length: 30 }, (_, index) => `src/${index}.js`);
const sources = { ...Object.fromEntries(files.map((file) => [file, clean])), 'hooks.cjs': hooks };
const args = ['src', '--v1-base', base];
const runKilled = ({ cwd }: Workspace, kill: string) =>
  run([...args, '--force'], { cwd, env: { KILL: kill, NODE_OPTIONS: `--require ${JSON.stringify(join(cwd, 'hooks.cjs'))}` } });
const textsOf = ({ read }: Workspace): string[] => [...new Set(files.map(read))];

describe('a signal while files are written', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('changes none of them where none has its new text, and leaves nothing beside them: %s', async (signal, code) => {
    const folder = workspace(sources);
    expect(await runKilled(folder, `fsync 10 ${signal}`)).toEqual({
      code,
      stdout: '',
      stderr: '\nStopping; press again to stop at once\nStopped: nothing was changed; run again\n',
    });
    expect([textsOf(folder), readdirSync(join(folder.cwd, 'src'))]).toEqual([[clean], files.map((file) => file.slice(4)).toSorted()]);
  });

  test('comes too late where one has, and the others follow', async () => {
    const folder = workspace(sources);
    const { code, stdout, stderr } = await runKilled(folder, 'rename 2 SIGTERM');
    expect([code, stderr]).toEqual([
      143,
      '\nStopping; press again to stop at once\nThe signal came too late to stop: 30 of 30 files written\n',
    ]);
    expect([textsOf(folder), readdirSync(join(folder.cwd, 'src'))]).toEqual([[cleanAfter], files.map((file) => file.slice(4)).toSorted()]);
    expect(stdout).toContain('30 calls');
  });
});

describe('what a run that was killed while it wrote has left', () => {
  test('is told by a run that writes nothing, completed by one that does, and no reason to call a tree changed', async () => {
    const folder = repository(sources);
    await runKilled(folder, 'rename 2 SIGKILL');
    const told = await run([...args, '--check'], folder);
    expect(told.stderr).toMatch(
      /^A run was killed while it wrote 30 files, of which \d+ have their new texts: the next run that writes here sees to the others\n$/,
    );
    expect(textsOf(folder).toSorted()).toEqual([clean, cleanAfter].toSorted());
    const next = await run(args, folder);
    expect([next.code, next.stderr]).toEqual([
      4,
      expect.stringMatching(
        /^A run was killed while it wrote 30 files, of which \d+ had their new texts: it is now completed\n.*src\/0.js and 29 more have changes/,
      ),
    ]);
    expect(textsOf(folder)).toEqual([cleanAfter]);
    folder.git('commit', '--all', '--quiet', '--message', 'Move');
    expect(folder.git('status', '--porcelain')).toBe('');
  });

  test('is told as put back where a file that belongs to it was changed since, and the run goes on', async () => {
    const client = `import axios from 'axios';\nexport const api = axios.create({ baseURL: '${base}', headers: { 'x-api-key': process.env.KEY } });\n`;
    const user = "import { api } from './0.js';\nexport const list = () => api.get('/v1/contacts');\n";
    const folder = workspace({ ...sources, ...Object.fromEntries(files.map((file, index) => [file, index === 0 ? client : user])) });
    await runKilled(folder, 'rename 2 SIGKILL');
    const left = files.slice(1).find((file) => folder.read(file) === user) ?? '';
    writeFileSync(join(folder.cwd, left), `${user}// changed\n`);
    const next = await run([...args, '--force'], folder);
    expect([next.code, next.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^A run was killed while it wrote 30 files, of which (\d+) had their new texts: \1 have their old texts again, as not all that belongs together could be written\n$/,
      ),
    ]);
    expect(files.slice(1).filter((file) => !folder.read(file).includes("'/v2/contacts'"))).toEqual([]);
  });

  test('is removed where nothing was written yet, and the run goes on', async () => {
    const folder = repository(sources);
    await runKilled(folder, 'fsync 10 SIGKILL');
    const next = await run(args, folder);
    expect([next.code, next.stderr]).toEqual([
      0,
      'A run was killed while it wrote 30 files: none had its new text, and what it left is removed\n',
    ]);
    expect([textsOf(folder), readdirSync(join(folder.cwd, 'src'))]).toEqual([[cleanAfter], files.map((file) => file.slice(4)).toSorted()]);
  });
});
