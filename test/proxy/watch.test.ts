import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type FileWatch, watchFiles } from '../../proxy/watch.ts';

const interval = 5;
let folder: string;
let open: FileWatch[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-'));
  open = [];
});
afterEach(() => {
  for (const watch of open) watch.close();
  rmSync(folder, { recursive: true });
});

const at = (name: string, text?: string): string => {
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};

/** A folder of its own with a file `key` in it. */
const folderWithKey = (name: string): string => {
  const inside = mkdtempSync(join(folder, name));
  writeFileSync(join(inside, 'key'), 'same length');
  return inside;
};

/** Starts to watch; `next` waits for a call that is still to come and gives the number of calls so far. */
function start(...paths: string[]): { watch: FileWatch; calls: () => number; next: () => Promise<number> } {
  const changes = new EventEmitter();
  let calls = 0;
  const watch = watchFiles(paths, () => changes.emit('change', (calls += 1)), interval);
  open.push(watch);
  const next = async (): Promise<number> => {
    await once(changes, 'change');
    return calls;
  };
  return { watch, calls: () => calls, next };
}

describe('a watch notices', () => {
  test('content that was replaced in place', async () => {
    const path = at('a', 'one');
    const { next } = start(path);
    writeFileSync(path, 'two!');
    expect(await next()).toBe(1);
  });

  test('content of the same length under the old modification time', async () => {
    const path = at('a', 'one');
    const { atime, mtime } = statSync(path);
    utimesSync(path, atime, mtime);
    const { next } = start(path);
    const { ctimeNs } = statSync(path, { bigint: true });
    // The kernel's clock for files may tick only every few milliseconds.
    while (statSync(path, { bigint: true }).ctimeNs === ctimeNs) {
      writeFileSync(path, 'two');
      utimesSync(path, atime, mtime);
    }
    expect(await next()).toBe(1);
  });

  test('every rename over the file, not only the first', async () => {
    const path = at('a', 'one');
    const { next } = start(path);
    renameSync(at('b', 'two'), path);
    expect(await next()).toBe(1);
    renameSync(at('b', 'three'), path);
    expect(await next()).toBe(2);
  });

  test('a folder that is swapped by its symbolic link, as Kubernetes does', async () => {
    symlinkSync(folderWithKey('one'), at('..data'));
    symlinkSync('..data/key', at('key'));
    const { next } = start(at('key'));
    symlinkSync(folderWithKey('two'), at('..data_tmp'));
    renameSync(at('..data_tmp'), at('..data'));
    expect(await next()).toBe(1);
  });

  test('a removed file, and its return', async () => {
    const path = at('a', 'one');
    const { next } = start(path);
    rmSync(path);
    expect(await next()).toBe(1);
    at('a', 'one');
    expect(await next()).toBe(2);
  });

  test('a file that did not exist when the watch began', async () => {
    const { next } = start(at('a'));
    at('a', 'one');
    expect(await next()).toBe(1);
  });
});

test('several files that change together are one change', async () => {
  const [a, b, c] = [at('a', '1'), at('b', '1'), at('c', '1')];
  const { next } = start(a, b, c);
  // Synchronous: no look can fall between.
  writeFileSync(a, '22');
  writeFileSync(b, '22');
  await next();
  writeFileSync(c, '22');
  expect(await next()).toBe(2);
});

test('a file that is being written is told of once it has rested from one look to the next, and with it every other', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [written, other] = [at('written', ''), at('other', '1')];
  const { calls } = start(written, other);
  /** Lets the watch look once: it sets its next timer when it has looked. */
  const look = async (): Promise<number> => {
    vi.advanceTimersByTime(interval);
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    return calls();
  };
  writeFileSync(other, '22');
  for (let n = 0; n < 3; n++) {
    appendFileSync(written, 'more');
    expect(await look()).toBe(0);
  }
  expect([await look(), await look()]).toEqual([1, 1]);
});

test('a watch says whether the files are as it last saw them', async () => {
  const path = at('a', 'one');
  const { watch, next } = start(path);
  expect(watch.isCurrent()).toBe(true);
  writeFileSync(path, 'two!');
  expect(watch.isCurrent()).toBe(false);
  await next();
  expect(watch.isCurrent()).toBe(true);
});

test('after an update only the new paths count, and those that stay keep their state', async () => {
  const [stays, goes, comes] = [at('stays', '1'), at('goes', '1'), at('comes', '1')];
  const { watch, next } = start(stays, goes);
  writeFileSync(stays, '22');
  watch.update([stays, comes]);
  await next();
  writeFileSync(goes, '22');
  await settled();
  writeFileSync(comes, '22');
  expect(await next()).toBe(2);
});

test('a closed watch is silent', async () => {
  const path = at('a', 'one');
  const { watch, calls } = start(path);
  watch.close();
  writeFileSync(path, 'two!');
  await settled();
  expect(calls()).toBe(0);
});

test('a watch does not keep the process alive', async () => {
  const module = pathToFileURL(join(import.meta.dirname, '../../proxy/watch.ts')).href;
  const program = `import { watchFiles } from ${JSON.stringify(module)}; watchFiles(${JSON.stringify([at('a', 'one')])}, () => {});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  onTestFinished(() => void child.kill());
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

/** Waits until another watch has noticed a change: by then one that began before it has looked as well. */
async function settled(): Promise<void> {
  const path = at('settled', String(Math.random()));
  const { next, watch } = start(path);
  for (const text of ['a', 'bb']) {
    writeFileSync(path, text);
    await next();
  }
  watch.close();
}
