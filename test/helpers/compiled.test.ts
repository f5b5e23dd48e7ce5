import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dropWhereMuch } from './compiled-run.ts';

test('what was compiled is kept up to a bound, counted through its folders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const version of ['one', 'other']) {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'module'), '');
  }
  dropWhereMuch(folder, 2);
  expect(existsSync(join(folder, 'other', 'module'))).toBe(true);
  dropWhereMuch(folder, 1);
  expect(existsSync(folder)).toBe(false);
  dropWhereMuch(folder, 1);
});

test('what another run writes there meanwhile stays, and is no fault', () => {
  const root = mkdtempSync(join(tmpdir(), 'compiled-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'compiled');
  mkdirSync(folder);
  writeFileSync(join(folder, 'old'), '');
  dropWhereMuch(folder, 0, (dropped) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'new'), '');
    rmSync(dropped, { recursive: true });
  });
  expect(readdirSync(root, { recursive: true })).toEqual(['compiled', join('compiled', 'new')]);
});
