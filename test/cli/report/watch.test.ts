import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { type Screen, watch } from '../../../src/cli/report/watch.ts';
import type { Report } from '../../../src/report/model.ts';
import { sample } from '../../report/formats/sample.ts';

class FakeScreen extends EventEmitter implements Screen {
  columns = 80;
  rows = 30;
  written = '';

  write(text: string): void {
    this.written += text;
  }

  /** The pictures that were drawn, as lines without what a terminal obeys. */
  get pictures(): string[][] {
    return this.written
      .split('\u001b[H')
      .slice(1)
      .map((picture) => (picture.split('\u001b[J')[0] ?? '').replaceAll('\u001b[K', '').split('\r\n'));
  }
}

/** Watches for as many pauses as there are steps; each step happens in one of them. */
async function watched(screen: FakeScreen, steps: readonly (() => void)[], make: () => Promise<Report> = sample): Promise<void> {
  const controller = new AbortController();
  const left = [...steps];
  const pause = async (): Promise<void> => {
    left.shift()?.();
    if (left.length === 0) controller.abort();
  };
  await watch(screen, { make, groupBy: 'workspace', color: false, signal: controller.signal, pause });
}

const nothing = (): void => undefined;

describe('--watch', () => {
  test('draws the report on a screen of its own, and gives back the one before', async () => {
    const screen = new FakeScreen();
    await watched(screen, [nothing]);
    expect(screen.written.startsWith('\u001b[?1049h\u001b[?25l\u001b[H')).toBe(true);
    expect(screen.written.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
    expect(screen.pictures[0]?.[2]).toBe('NOT YET: v1 is still in use');
  });

  test('draws no more lines than the screen has, and says how many are hidden', async () => {
    const screen = new FakeScreen();
    await watched(screen, [nothing]);
    const [picture = []] = screen.pictures;
    expect(picture).toHaveLength(30);
    expect(picture.at(-3)).toMatch(/^… \d+ more lines: make the window higher$/);
    expect(picture.at(-1)).toMatch(/^As of \d\d:\d\d:\d\d UTC; Ctrl-C ends it$/);
  });

  test('draws anew for another size', async () => {
    const screen = new FakeScreen();
    const resize = (): void => {
      screen.rows = 12;
      screen.emit('resize');
    };
    await watched(screen, [resize]);
    expect(screen.pictures.map(({ length }) => length)).toEqual([30, 12]);
    expect(screen.listenerCount('resize')).toBe(0);
  });

  test('keeps the last report and says what is wrong where the next cannot be made', async () => {
    const screen = new FakeScreen();
    let made = 0;
    await watched(screen, [nothing, nothing, nothing], () =>
      ++made === 2 ? Promise.reject(new Error('usage.db is held\u001b[2J')) : sample(),
    );
    const [, second = [], third = []] = screen.pictures;
    expect(second[2]).toBe('NOT YET: v1 is still in use');
    expect(second.at(-1)).toBe('usage.db is held\\u{1b}[2J');
    expect(third.at(-1)).toMatch(/^As of /);
  });

  test('leaves the screen alone where not even the first can be made', async () => {
    const screen = new FakeScreen();
    await expect(watched(screen, [nothing], () => Promise.reject(new Error('no store')))).rejects.toThrow('no store');
    expect(screen.written).toBe('');
  });
});
