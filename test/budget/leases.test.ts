import { describe, expect, it } from 'vitest';
import type { Terms } from '../../src/budget/account.ts';
import { beat, newFleet } from '../../src/budget/fleet.ts';
import { answerAll } from '../../src/budget/ledger-store.ts';
import { type Answer, type Message, type Places, newShared, noPlaces } from '../../src/budget/leases.ts';

const began = Date.UTC(2026, 10, 22, 9);
const minute = 60_000;
const hour = 60 * minute;
const terms: Terms = { limit: 100, reserve: 0, window: { kind: 'fixed', phase: 0 } };
const reads = (calls: number): Places => ({ calls, sends: 0 });

/** A store with one account, whose clock the test turns. */
function store() {
  const shared = newShared();
  const fleet = newFleet();
  let now = began + 10 * minute;
  let number = 0;
  return {
    turn: (ms: number) => void (now += ms),
    beat: (id: string) => beat(fleet, id, now, true),
    shared,
    say(id: string, said: Partial<Message> & { readonly sent?: number; readonly wanted?: number }): Answer {
      const { sent = 0, wanted = 0, ...rest } = said;
      const hourNow = now - (now % hour);
      const wants = wanted > 0 ? [{ weight: 0, places: wanted }] : [];
      const used = [{ hour: hourNow, ...reads(sent) }];
      const message = {
        number: ++number,
        hour: hourNow,
        used,
        places: noPlaces,
        share: noPlaces,
        next: noPlaces,
        wants,
        writes: 0,
        ...rest,
      };
      const batch = { replica: id, clock: now, beats: true, messages: [{ account: 'Acme', terms, message }] };
      const [answer] = answerAll(batch, fleet, [shared], now, true).answers;
      if (answer === undefined) throw new Error('There is no answer');
      return answer;
    },
  };
}

describe('what replicas hold of an account', () => {
  it('is reserved: what one was leased, no other gets', () => {
    const { say } = store();
    expect(say('a', { wanted: 70 }).granted).toEqual([70]);
    expect(say('b', { wanted: 70 }).granted[0]).toBeLessThanOrEqual(30);
  });

  it('is what a message says, once an answer was lost', () => {
    const { say } = store();
    say('a', { wanted: 100 });
    expect(say('b', { wanted: 1 }).granted).toEqual([0]);
    say('a', { sent: 0 });
    expect(say('b', { wanted: 1 }).granted).toEqual([1]);
  });

  it('counts what was sent once, however often it is said', () => {
    const { say, shared } = store();
    say('a', { wanted: 10 });
    for (let times = 0; times < 3; times++) say('a', { sent: 4, places: reads(6) });
    expect(shared.account.slots.map(({ calls }) => calls)).toEqual([4]);
  });

  it('is not changed by a message that comes after a later one', () => {
    const { say, shared } = store();
    say('a', { wanted: 10 });
    say('a', { number: 9, sent: 10 });
    const late = say('a', { number: 8, sent: 2, places: reads(8), wanted: 50 });
    expect(late.granted).toEqual([0]);
    expect(shared.held['a']).toMatchObject({ number: 9, places: noPlaces });
  });

  it('is as large as the share of before, as long as nobody knows that a smaller one has come', () => {
    const { say } = store();
    const { share } = say('a', {});
    expect(share).toEqual(reads(50));
    expect(say('b', { wanted: 40 }).granted).toEqual([40]);
    // Its answer has a smaller share, and is lost.
    expect(say('a', { share }).share.calls).toBeLessThan(50);
    expect(say('b', { sent: 40, wanted: 50 }).granted).toEqual([10]);
  });

  it('comes free with what was leased when a place is given back', () => {
    const { say, shared } = store();
    say('a', { wanted: 5 });
    say('a', { sent: 5 });
    say('a', { sent: 4, places: reads(1) });
    expect(shared.account.slots.map(({ calls }) => calls)).toEqual([4]);
    expect(shared.held['a']?.places).toEqual(reads(1));
  });

  it('ends with the hour, less what clocks are apart; places of the next one count in both', () => {
    const { say, turn, shared } = store();
    expect(say('a', { wanted: 10 }).until).toBe(began + hour - 2_000);
    turn(50 * minute - 1_000);
    const { hour: leased, granted } = say('a', { sent: 0, wanted: 5, hour: began + hour, used: [] });
    expect([leased, granted]).toEqual([began + hour, [5]]);
    expect(shared.account.slots).toEqual([
      { start: began, calls: 5, sends: 0 },
      { start: began + hour, calls: 0, sends: 0 },
    ]);
  });
});

describe('what a replica held that is gone', () => {
  it('counts as sent as far as it was leased, and its share comes free, where the store was there', () => {
    const { say, turn, beat } = store();
    expect(say('a', { wanted: 10 }).share.calls).toBe(45);
    for (let second = 0; second < 11; second++) {
      turn(1_000);
      beat('b');
    }
    expect(say('b', { wanted: 100 }).granted).toEqual([90]);
  });

  it('counts as sent with its share, where the store was away meanwhile, and is there again if it comes back', () => {
    const { say, turn } = store();
    say('b', {});
    const { share } = say('a', { wanted: 10 });
    turn(60_000);
    say('b', { share: noPlaces });
    turn(11_000);
    expect(say('b', { wanted: 100 }).granted).toEqual([90 - share.calls]);
    say('a', { sent: 12, share: reads(share.calls - 2) });
    say('a', { sent: 12, leaves: true });
    expect(say('b', { sent: 90 - share.calls, wanted: 100 }).granted).toEqual([100 - 12 - (90 - share.calls)]);
  });
});

it('others are asked for what they hold, and take no share while somebody wants it', () => {
  const { say } = store();
  const { share } = say('a', {});
  expect(say('b', { wanted: 80 })).toMatchObject({ granted: [50], more: true });
  expect(say('a', { share: noPlaces }).share).toEqual(noPlaces);
  expect(share.calls).toBe(50);
  expect(say('b', { sent: 50, wanted: 30 })).toMatchObject({ granted: [30], more: false });
});

it('a clock that is turned back does not bring back the hour before', () => {
  const { say, turn } = store();
  turn(50 * minute + 30_000);
  expect(say('a', { wanted: 60 })).toMatchObject({ hour: began + hour, granted: [60] });
  turn(-5 * minute);
  // Of what is left, half is the share of the other.
  expect(say('b', { wanted: 60 })).toMatchObject({ hour: began + hour, granted: [20] });
});
