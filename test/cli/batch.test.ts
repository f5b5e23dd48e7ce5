import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { batched } from '../../src/cli/batch.ts';

/** A destination that remembers its writes; while it stalls it takes nothing. */
class Sink extends Writable {
  readonly writes: string[] = [];
  stalled = false;
  #resume = (): void => undefined;

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(text: string, _encoding: string, done: () => void): void {
    this.writes.push(text);
    if (this.stalled) this.#resume = done;
    else done();
  }

  goOn(): void {
    this.stalled = false;
    this.#resume();
  }
}

const line = `${'x'.repeat(1023)}\n`;

describe('log lines in batches', () => {
  it('leave together once a batch is full', () => {
    const sink = new Sink();
    const batch = batched(sink);
    for (let i = 0; i < 63; i++) batch.write(line);
    expect(sink.writes).toEqual([]);
    batch.write(line);
    expect(sink.writes).toEqual([line.repeat(64)]);
  });

  it('leave on their own after a while', async () => {
    const sink = new Sink();
    const left = new Promise((resolve) => {
      sink._write = resolve;
    });
    batched(sink).write('one\n');
    expect(await left).toBe('one\n');
  });

  it('leave when the log is flushed', async () => {
    const sink = new Sink();
    const batch = batched(sink);
    batch.write('one\n');
    batch.write('two\n');
    await batch.flush();
    expect(sink.writes.join('')).toBe('one\ntwo\n');
  });

  it('do not hold up a flush where nobody reads them', async () => {
    const sink = new Sink();
    sink.stalled = true;
    const batch = batched(sink);
    batch.write('one\n');
    await batch.flush();
    expect(sink.writes).toEqual(['one\n']);
  });

  it('are dropped and counted where too many wait, and the count is said once lines leave again', () => {
    const sink = new Sink();
    const batch = batched(sink);
    sink.stalled = true;
    const large = 'y'.repeat(32 * 1024 * 1024);
    for (let i = 0; i < 3; i++) batch.write(large);
    batch.write('dropped\n');
    batch.drain();
    sink.goOn();
    batch.write('back\n');
    batch.drain();
    expect(sink.writes.join('')).not.toContain('dropped\n');
    const [back, count] = sink.writes.at(-1)?.split('\n') ?? [];
    expect(back).toBe('back');
    expect(JSON.parse(count ?? '')).toMatchObject({ event: 'log_lines_dropped', lines: 1 });
  });
});
