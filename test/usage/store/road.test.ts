/** What both stores keep of the road from v1 to v2. */
import { describe, expect, it } from 'vitest';
import { minuteInMs } from '../../../src/contract/times.ts';
import { outcomes } from '../../../src/usage/deprecated-use.ts';
import { useCluster } from '../../helpers/postgres.ts';
import { collect, everything } from '../record.ts';
import { batchOf, callerOf, kindOf, rowOf } from '../rows.ts';
import { start } from '../uses.ts';
import { reading, storeKinds, writing } from './stores.ts';

const minute = start / minuteInMs;

describe.each(storeKinds(useCluster()))('$name', (kind) => {
  it('gives how calls were answered as it was recorded', async () => {
    const address = await kind.address();
    const writer = await writing(address);
    await writer.write(batchOf(outcomes.map((outcome, index) => rowOf(minute, { calls: index + 1 }, callerOf(), kindOf({ outcome })))));
    const totals = await reading(address, (reader) => collect(reader.totals(everything)));
    expect(new Map(totals.map((row) => [row.kind.outcome, row.counts.calls]))).toEqual(
      new Map(outcomes.map((outcome, index) => [outcome, index + 1])),
    );
  });
});
