import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type BatchDestination, batched } from '../../src/cli/batch.ts';

/** A destination that remembers its writes and can be made to drop them. */
class Sink extends EventEmitter implements BatchDestination {
  readonly writes: string[] = [];
  dropping = false;

  write(text: string): void {
    if (this.dropping) this.emit('drop', text);
    else this.writes.push(text);
  }

  flush(callback: () => void): void {
    callback();
  }
}

describe('log lines in batches', () => {
  it('leave together once a batch is full', () => {
    const sink = new Sink();
    const batch = batched(sink);
    const line = `${'x'.repeat(1023)}\n`;
    for (let i = 0; i < 63; i++) batch.write(line);
    expect(sink.writes).toEqual([]);
    batch.write(line);
    expect(sink.writes).toEqual([line.repeat(64)]);
  });

  it('leave on their own after a while', async () => {
    const sink = new Sink();
    const left = new Promise((resolve) => {
      sink.write = resolve;
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
    expect(sink.writes).toEqual(['one\ntwo\n']);
  });

  it('are counted where nobody reads them, and the count is said once somebody does', async () => {
    const sink = new Sink();
    const batch = batched(sink);
    sink.dropping = true;
    batch.write('one\n');
    batch.write('two\n');
    await batch.flush();
    sink.dropping = false;
    batch.write('three\n');
    await batch.flush();
    expect(sink.writes[0]).toBe('three\n');
    expect(JSON.parse(sink.writes[1] ?? '')).toMatchObject({ event: 'log_lines_dropped', lines: 2 });
  });
});
