import { expect, test } from 'vitest';
import { toldWrites } from '../../../proxy/reuse/told-writes.ts';
import { touchedBy } from '../../../proxy/reuse/touched.ts';
import { type Write, unheard } from '../../../proxy/reuse/writes.ts';
import type { NoteListener, Notes } from '../../../src/usage/store/notes.ts';

/** Replicas whose notes reach each other at once, as texts. */
class Room {
  readonly #listeners: NoteListener[] = [];
  readonly state = { hears: true };

  enter() {
    const own: { listener: NoteListener | undefined } = { listener: undefined };
    const heard: unknown[] = [];
    const { state } = this;
    const notes: Notes = {
      get hears() {
        return state.hears;
      },
      tell: (text) => this.#listeners.filter((each) => each !== own.listener).forEach((each) => each.note(text)),
      listen: (listener) => void this.#listeners.push((own.listener = listener)),
      close: () => Promise.resolve(),
    };
    const writes = toldWrites(
      notes,
      unheard(() => 2),
    );
    writes.heard({
      began: (write) => void heard.push({ began: write }),
      over: (write) => void heard.push({ over: write }),
      missed: () => void heard.push('missed'),
    });
    return { writes, heard, notes };
  }
}

const write: Write = { id: 'one 1', group: 'Acme', touched: touchedBy('PUT', '/v2/contacts/con_1') };
const all: Write = { id: 'one 2', group: '', touched: touchedBy('POST', '/v2/elsewhere') };

test('a write is told to the others as it is, when it begins and when it is over', () => {
  const room = new Room();
  const [one, two] = [room.enter(), room.enter()];
  for (const each of [write, all]) {
    one.writes.began(each);
    one.writes.over(each);
  }
  expect(two.heard).toEqual([{ began: write }, { over: write }, { began: all }, { over: all }]);
  expect(one.heard).toEqual([]);
});

test.each(['', '[]', '{"began":{"id":1}}', '{"began":{"id":"a","group":"","touched":{"resources":["money"]}}}', '{"over":null}'])(
  'a note that is not understood, %j, may be about anything',
  (text) => {
    const room = new Room();
    const [one, two] = [room.enter(), room.enter()];
    one.notes.tell(text);
    expect(two.heard).toEqual(['missed']);
  },
);

test('who does not hear the others says so', () => {
  const room = new Room();
  const { writes } = room.enter();
  expect(writes.hears).toBe(true);
  room.state.hears = false;
  expect(writes.hears).toBe(false);
});
