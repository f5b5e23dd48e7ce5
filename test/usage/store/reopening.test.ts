import { expect, test } from 'vitest';
import { StoreError, type StoreErrorCode } from '../../../src/usage/store/error.ts';
import { ReopeningWriter } from '../../../src/usage/store/reopening.ts';
import type { UsageBatch, ProxyStore } from '../../../src/usage/store/store.ts';
import type { Step } from '../../../src/usage/model.ts';
import { batchOf, stepOf } from '../rows.ts';

/** A store that counts how often it is opened and closed, and fails with what is asked for. */
function storeThat() {
  const seen = {
    opened: 0,
    closed: 0,
    batches: [] as UsageBatch[],
    steps: [] as Step[],
    failsWith: undefined as StoreErrorCode | undefined,
    opens: true,
  };
  const open = async (): Promise<ProxyStore> => {
    if (!seen.opens) throw new StoreError('STORE_UNAVAILABLE', 'not there');
    seen.opened++;
    return {
      hashSecret: 'of the store',
      write: async (batch) => {
        if (seen.failsWith !== undefined) throw new StoreError(seen.failsWith, 'for this test');
        seen.batches.push(batch);
      },
      maintain: async () => undefined,
      note: async (step) => {
        if (seen.failsWith !== undefined) throw new StoreError(seen.failsWith, 'for this test');
        seen.steps.push(step);
      },
      steps: async () => seen.steps,
      exchange: async () => {
        if (seen.failsWith !== undefined) throw new StoreError(seen.failsWith, 'for this test');
        return { now: 0, answers: [], wanted: [], replicas: 1 };
      },
      close: async () => void seen.closed++,
    };
  };
  return { seen, open };
}

const batch = batchOf([]);

test('a store that could not be opened is opened by a later write', async () => {
  const { seen, open } = storeThat();
  seen.opens = false;
  const writer = new ReopeningWriter(open, undefined, 'own');
  await expect(writer.write(batch)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  seen.opens = true;
  await writer.write(batch);
  expect(seen).toMatchObject({ opened: 1, batches: [batch] });
});

test('a store that is gone is closed, and opened again by the next write', async () => {
  const { seen, open } = storeThat();
  const writer = new ReopeningWriter(open, await open(), 'own');
  seen.failsWith = 'STORE_UNAVAILABLE';
  await expect(writer.write(batch)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  seen.failsWith = undefined;
  await writer.write(batch);
  expect(seen).toMatchObject({ opened: 2, closed: 1, batches: [batch] });
});

test.each(['STORE_LOCKED', 'STORE_FULL'] as const)('a store that says %s stays open', async (code) => {
  const { seen, open } = storeThat();
  const writer = new ReopeningWriter(open, await open(), 'own');
  seen.failsWith = code;
  await expect(writer.write(batch)).rejects.toMatchObject({ code });
  expect(seen).toMatchObject({ opened: 1, closed: 0 });
});

test('steps are noted in a store that was opened again, and read from it', async () => {
  const { seen, open } = storeThat();
  const writer = new ReopeningWriter(open, await open(), 'own');
  seen.failsWith = 'STORE_UNAVAILABLE';
  await expect(writer.note(stepOf())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  seen.failsWith = undefined;
  await writer.note(stepOf());
  expect(await writer.steps()).toEqual([stepOf()]);
  expect(seen).toMatchObject({ opened: 2, closed: 1 });
});

test('a closed one opens nothing any more', async () => {
  const { seen, open } = storeThat();
  const writer = new ReopeningWriter(open, await open(), 'own');
  await writer.close();
  for (const use of [() => writer.write(batch), () => writer.note(stepOf()), () => writer.steps()])
    await expect(use()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(seen).toMatchObject({ opened: 1, closed: 1 });
});

test('its hashes are those of the process', () => {
  expect(new ReopeningWriter(storeThat().open, undefined, 'own').hashSecret).toBe('own');
});

test('a store that cannot share hours now goes on taking the record', async () => {
  const { seen, open } = storeThat();
  const writer = new ReopeningWriter(open, undefined, 'own');
  const exchange = { replica: 'one', clock: 0, beats: true, messages: [] };
  expect(await writer.exchange(exchange)).toMatchObject({ replicas: 1 });
  seen.failsWith = 'STORE_UNAVAILABLE';
  await expect(writer.exchange(exchange)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(seen).toMatchObject({ opened: 1, closed: 0 });
});
