import { closeSync, openSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { JournalReader, JournalWriter } from '../../../src/usage/journal/journal.ts';
import { RingReader, RingWriter } from '../../../src/usage/journal/ring.ts';
import type { Use } from '../../../src/usage/use.ts';
import { storePath } from '../record.ts';

const use = (changes: Partial<Use> = {}): Use => ({
  at: 1_000,
  endpoint: 'GET /v1/contacts',
  method: 'GET',
  status: 200,
  outcome: 'translated',
  duration: 1.5,
  v2Calls: 1,
  key: { prefix: 'ak_test_', hash: '0123456789abcdef' },
  workspace: 'Acme',
  client: 'curl/8',
  name: null,
  resource: undefined,
  address: '127.0.0.1',
  ...changes,
});

function journal(size?: number) {
  const file = openSync(storePath(), 'wx+');
  onTestFinished(() => closeSync(file));
  const ring = new RingWriter(file, size);
  const uses: { readonly use: Use; readonly product: string | undefined }[] = [];
  const lost: number[] = [];
  const reader = new JournalReader(new RingReader(file, size), {
    use: (each, product) => uses.push({ use: each, product }),
    lost: (calls) => lost.push(calls),
  });
  return { writer: new JournalWriter(ring), ring, reader, uses, lost };
}

test('a use comes out as it went in, its resource as a hash', () => {
  const { writer, reader, uses } = journal();
  writer.add(use(), 'curl/8');
  writer.add(use({ resource: '/v1/contacts?page=2', key: undefined, outcome: 'passed' }));
  reader.read();
  expect(uses).toEqual([
    { use: use(), product: 'curl/8' },
    { use: use({ resource: expect.any(Number), key: undefined, outcome: 'passed' }), product: undefined },
  ]);
});

test('a call counts once that was told of before its answer left', () => {
  const { writer, reader, uses } = journal();
  const call = {};
  writer.answering(use({ duration: 1 }), 'curl/8', call);
  reader.read();
  expect(uses).toEqual([]);
  writer.add(use({ duration: 2 }), 'curl/8', call);
  writer.flush();
  reader.read();
  reader.end();
  expect(uses).toEqual([{ use: use({ duration: 2 }), product: 'curl/8' }]);
});

test('a call counts as it ended, where that is not as it was about to', () => {
  const { writer, reader, uses } = journal();
  const call = {};
  writer.answering(use(), 'curl/8', call);
  writer.add(use({ outcome: 'failed', duration: 7 }), 'curl/8', call);
  writer.flush();
  reader.end();
  expect(uses).toEqual([{ use: use({ outcome: 'failed', duration: 7 }), product: 'curl/8' }]);
});

test('how a call ended is written with the next one that must be', () => {
  const { writer, reader, uses } = journal();
  const call = {};
  writer.answering(use(), 'curl/8', call);
  writer.add(use({ duration: 2 }), 'curl/8', call);
  reader.read();
  expect(uses).toEqual([]);
  writer.answering(use(), 'curl/8', {});
  reader.read();
  expect(uses).toEqual([{ use: use({ duration: 2 }), product: 'curl/8' }]);
});

test('how a call ended is written soon, where no other one follows', async () => {
  const { writer, reader, uses } = journal();
  const call = {};
  writer.answering(use(), 'curl/8', call);
  writer.add(use(), 'curl/8', call);
  await vi.waitFor(() => {
    reader.read();
    expect(uses).toEqual([{ use: use(), product: 'curl/8' }]);
  });
});

test('a call whose answer was about to leave is recorded when its process is gone', () => {
  const { writer, reader, uses } = journal();
  writer.answering(use(), 'curl/8', {});
  reader.end();
  expect(uses).toEqual([{ use: use(), product: 'curl/8' }]);
});

test('any number of clients are told apart, however many came before', () => {
  const { writer, reader, ring, uses } = journal();
  for (let client = 0; client < 10_500; client++) {
    writer.add(use({ client: `client/${client}` }), `client/${client}`);
    if (client % 1_000 === 0) ring.wasRead(reader.read());
  }
  reader.read();
  expect(uses.map(({ use: { client } }) => client)).toEqual(Array.from({ length: 10_500 }, (_, client) => `client/${client}`));
});

test('calls that find no room are counted, and told once there is room', () => {
  const { writer, reader, ring, uses, lost } = journal(4096);
  for (let call = 0; call < 100; call++) writer.add(use(), 'curl/8');
  const room = uses.length;
  ring.wasRead(reader.read());
  const taken = uses.length - room;
  expect(taken).toBeLessThan(100);
  writer.add(use(), 'curl/8');
  reader.read();
  expect(lost.reduce((sum, calls) => sum + calls, 0)).toBe(100 - taken);
  expect(uses).toHaveLength(taken + 1);
});
