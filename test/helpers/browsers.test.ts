import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startBrowser, unpacked } from './browsers.ts';

/** As a temporary folder, to see what is left there. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-v2-browsers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => vi.unstubAllEnvs());

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the browser that comes with the packages needs nothing of the system, and leaves nothing behind',
  async () => {
    const started = await startBrowser([unpacked]);
    if (!('browser' in started)) throw new Error(started.lack);
    const page = await started.browser.newPage();
    await page.setContent('<p>letters need a font</p>');
    expect((await page.locator('p').boundingBox())?.height).toBeGreaterThan(5);
    await started.end();
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('of a browser that is there and does not start, what it says is told, and of one that is not there nothing', async () => {
  const broken = join(folder, 'chromium');
  writeFileSync(broken, '#!/bin/sh\necho "chromium: no libnspr4.so" >&2\nexit 127\n');
  chmodSync(broken, 0o755);
  const started = await startBrowser([() => ({ executablePath: join(folder, 'none') }), () => ({ executablePath: broken })]);
  expect(started).toEqual({
    lack: 'a browser (apt-get install chromium, or say in CHROMIUM where one is; there is one that does not start: chromium: no libnspr4.so)',
  });
  expect(readdirSync(folder)).toEqual(['chromium']);
});

test('where CHROMIUM names none that starts, no other is taken', async () => {
  vi.stubEnv('CHROMIUM', '/nowhere/chromium');
  await expect(startBrowser()).rejects.toThrow(/^CHROMIUM names no browser that starts: .*\/nowhere\/chromium/);
});
