/** What was noted of customers, in both kinds of store. */
import { describe, expect, it } from 'vitest';
import { minuteInMs } from '../../../src/contract/times.ts';
import type { Mark } from '../../../src/usage/model.ts';
import { openEraser } from '../../../src/usage/store/open.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { rowOf } from '../rows.ts';
import { start } from '../uses.ts';
import { leaveBehind, reading, storeKinds } from './stores.ts';

describe.each(storeKinds(useDatabases()))('$name', (kind) => {
  it('remembers what was noted of customers, in the order in which it was, and forgets it with the key', async () => {
    const address = await leaveBehind(await kind.address());
    const eraser = await openEraser(address);
    const { keyHash } = rowOf(start / minuteInMs).caller;
    const marks: readonly Mark[] = [
      { subject: `hash:${keyHash}`, at: start + 9, status: 'contacted', until: null, note: 'a\u2028"b' },
      { subject: 'Acme', at: start + 5, status: 'promised', until: start, note: null },
      { subject: 'Acme', at: start + 4, status: 'snoozed', until: null, note: 'later' },
      { subject: 'Acme', at: start + 6, status: null, until: null, note: null },
    ];
    for (const mark of marks) await eraser.mark(mark);
    expect(await reading(address, (reader) => reader.marks())).toEqual(marks);
    await eraser.erase(String(keyHash));
    await eraser.close();
    expect(await reading(address, (reader) => reader.marks())).toEqual(marks.slice(1));
  });
});
