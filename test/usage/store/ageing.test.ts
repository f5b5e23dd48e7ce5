import { describe, expect, it } from 'vitest';
import { dayInMs, minuteInMs } from '../../../src/contract/times.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { everything } from '../record.ts';
import { batchOf, rowOf } from '../rows.ts';
import { start } from '../uses.ts';
import { reading, storeKinds, writingPlainly } from './stores.ts';

const minute = start / minuteInMs;
const days = 400 * dayInMs;
const retention = { minutes: 2 * dayInMs, hours: 35 * dayInMs, days };

describe.each(storeKinds(useDatabases()))('$name', (kind) => {
  it('lets the record begin where it is kept from, and goes on to tell of a proxy that fell silent before', async () => {
    const address = await kind.address();
    const writer = await writingPlainly(address);
    const later = { writer: 'two', replica: 'two', session: { since: start, seen: start + 500 * dayInMs, ended: false } };
    await writer.write(batchOf([rowOf(minute)], { session: { since: start, seen: start + 9, ended: false } }));
    await writer.write(batchOf([], later));
    await writer.maintain(start + 3 * dayInMs, retention);
    await writer.maintain(start + 500 * dayInMs, retention);
    await writer.write(batchOf([], later));
    const [silent, running] = await reading(address, (reader) => reader.sessions(everything));
    expect(silent).toMatchObject({ writer: 'one', since: start + 9, seen: start + 9, ended: false });
    expect(running).toMatchObject({ writer: 'two', seen: start + 500 * dayInMs });
    // Days go in blocks of sixteen.
    const kept = start + 500 * dayInMs - (running?.since ?? 0);
    expect(kept).toBeGreaterThanOrEqual(days);
    expect(kept).toBeLessThan(days + 17 * dayInMs);
  });
});
