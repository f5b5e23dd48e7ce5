import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Frame, RingReader, RingWriter } from '../../../src/usage/journal/ring.ts';
import { storePath } from '../record.ts';

/** A ring of so many bytes in a file of its own. */
function ringOf(size: number) {
  const file = openSync(storePath(), 'wx+');
  const reader = new RingReader(file, size);
  const texts = (): string[] => framesOf(reader, (frame) => `${frame.number(0)} ${frame.text(1).trim()}`);
  const writer = new RingWriter(file, size);
  const write = (numbers: readonly number[], text?: string): boolean => {
    const isAdded = writer.add(numbers, text);
    writer.flush();
    return isAdded;
  };
  return { file, writer, write, reader, texts, close: () => closeSync(file) };
}

/** What is read of each new frame. */
function framesOf<T>(reader: RingReader, of: (frame: Frame) => T): T[] {
  const read: T[] = [];
  reader.read((frame) => read.push(of(frame)));
  return read;
}

function usedRing(size: number) {
  const ring = ringOf(size);
  onTestFinished(ring.close);
  return ring;
}

test('what is written is read once and in its order, however often the file begins anew', () => {
  const step = fc.oneof(fc.constant('read' as const), fc.string({ maxLength: 60 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { writer, write, reader, texts, close } = ringOf(512);
      const [written, read]: [string[], string[]] = [[], []];
      const readAll = (): void => {
        read.push(...texts());
        writer.wasRead(reader.at);
      };
      for (const [index, text] of steps.entries()) {
        const shown = `${index} ${text.trim()}`;
        if (text === 'read') readAll();
        else if (write([index], text)) written.push(shown);
      }
      readAll();
      close();
      expect(read).toEqual(written);
    }),
  );
});

test('what finds no room is refused until something was read, and nothing is written over', () => {
  const { writer, write, reader, texts } = usedRing(256);
  const written = Array.from({ length: 100 }, (_, index) => write([index], 'text'));
  const room = written.indexOf(false);
  expect(written.slice(room)).not.toContain(true);
  expect(texts()).toEqual(Array.from({ length: room }, (_, index) => `${index} text`));
  expect(write([100], 'text')).toBe(false);
  writer.wasRead(reader.at);
  expect(write([100], 'text')).toBe(true);
  expect(texts()).toEqual(['100 text']);
});

test('a frame that is not whole is not read before it is', () => {
  const whole = usedRing(1024);
  const part = usedRing(1024);
  whole.write([1, 2, 3], 'some text');
  const bytes = Buffer.alloc(64);
  const length = 8 + 24 + 16;
  readSync(whole.file, bytes, 0, length, 0);
  writeSync(part.file, bytes, 0, length - 8, 0);
  expect(part.texts()).toEqual([]);
  writeSync(part.file, bytes, length - 8, 8, length - 8);
  expect(framesOf(part.reader, (frame) => [0, 1, 2].map((index) => frame.number(index)))).toEqual([[1, 2, 3]]);
});

test('what is added is in the file once it is flushed, and all of it in its order', () => {
  const { writer, write, texts } = usedRing(1024);
  writer.add([1], 'waits');
  writer.add([2], 'waits, too');
  expect(texts()).toEqual([]);
  write([3], 'is written');
  expect(texts()).toEqual(['1 waits', '2 waits, too', '3 is written']);
});
