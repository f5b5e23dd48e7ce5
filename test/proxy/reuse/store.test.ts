import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instant, type Kept, Store, currentAge } from '../../../proxy/reuse/store.ts';
import type { Resource } from '../../../proxy/reuse/touched.ts';

const at = (steady: number, wall = steady): Instant => ({ steady, wall });

function kept(identity: string, different: Partial<Kept> = {}): Kept {
  return {
    identity,
    group: 'acme',
    resource: 'messages',
    item: undefined,
    final: false,
    lasts: 5_000,
    lifetime: Infinity,
    asked: at(0),
    initialAge: 0,
    apparentAge: 0,
    status: 200,
    statusText: 'OK',
    fields: [],
    body: Buffer.alloc(0),
    ...different,
  };
}

const roomy = { bytes: 1_000_000, entries: 100 };

function storeOf(...all: readonly Kept[]): Store {
  const store = new Store(roomy);
  for (const each of all) store.set(each);
  return store;
}

describe('an answer is used again', () => {
  it('for as long as its setting says, from when it was asked', () => {
    const store = storeOf(kept('a'));
    expect(store.get('a', at(5_000))).toBeDefined();
    expect(store.get('a', at(5_001))).toBeUndefined();
    expect(store.size).toBe(0);
  });

  it('no longer than v2 says', () => {
    const store = storeOf(kept('a', { lifetime: 2_000 }));
    expect(store.get('a', at(1_999))).toBeDefined();
    expect(store.get('a', at(2_000))).toBeUndefined();
  });

  it('less long where it was old when it came', () => {
    expect(storeOf(kept('a', { initialAge: 4_000 })).get('a', at(1_001))).toBeUndefined();
    expect(storeOf(kept('a', { apparentAge: 4_000, lifetime: 4_500 })).get('a', at(501))).toBeUndefined();
  });

  it('not where the clock on the wall was set back', () => {
    expect(storeOf(kept('a', { asked: at(0, 9_000) })).get('a', at(1_000, 8_999))).toBeUndefined();
  });

  it('not where the clock on the wall was set back and has come round again', () => {
    expect(storeOf(kept('a', { asked: at(0, 9_000) })).get('a', at(3_600_000, 9_001))).toBeUndefined();
  });

  it('not where the clock on the wall has jumped ahead', () => {
    expect(storeOf(kept('a')).get('a', at(1, 3_600_000))).toBeUndefined();
  });
});

it('its age is that of the answer, not of its being kept', () => {
  expect(currentAge({ asked: at(0), initialAge: 3_000, apparentAge: 1_000 }, at(2_000))).toBe(5_000);
  expect(currentAge({ asked: at(0), initialAge: 3_000, apparentAge: 9_000 }, at(2_000))).toBe(11_000);
});

describe('a write ends', () => {
  const final = kept('final', { final: true, item: 'msg_1' });

  it('what it touches, of its own group alone', () => {
    const store = storeOf(kept('a'), kept('b', { resource: 'campaigns' }), kept('c', { group: 'other' }));
    store.drop('acme', { resources: ['messages'], item: undefined });
    expect(['a', 'b', 'c'].map((identity) => store.get(identity, at(0)) !== undefined)).toEqual([false, true, true]);
  });

  it('no final state but that of its own item', () => {
    const store = storeOf(final);
    store.drop('acme', { resources: ['messages'], item: undefined });
    store.drop('acme', { resources: ['messages'], item: 'msg_2' });
    expect(store.get('final', at(0))).toBe(final);
    store.drop('acme', { resources: ['messages'], item: 'msg_1' });
    expect(store.get('final', at(0))).toBeUndefined();
  });

  it('final states as well where nobody knows what it does', () => {
    const store = storeOf(final);
    store.drop('acme', { resources: ['messages'], item: 'all' });
    expect([store.size, store.bytes]).toEqual([0, 0]);
  });
});

it('what was used least recently goes first', () => {
  const store = new Store({ bytes: 1_000_000, entries: 2 });
  store.set(kept('a'));
  store.set(kept('b'));
  store.get('a', at(0));
  store.set(kept('c'));
  expect(['a', 'b', 'c'].map((identity) => store.get(identity, at(0)) !== undefined)).toEqual([true, false, true]);
});

it('a newer answer takes the place of the older one', () => {
  const store = storeOf(kept('a'));
  const { bytes } = store;
  store.set(kept('a', { asked: at(1_000) }));
  expect([store.size, store.bytes, store.get('a', at(6_000)) !== undefined]).toEqual([1, bytes, true]);
});

it('an answer that is larger than all the room pushes nobody out', () => {
  const store = new Store({ bytes: 5_000, entries: 10 });
  store.set(kept('a'));
  store.set(kept('b', { body: Buffer.alloc(5_000) }));
  expect(store.get('a', at(0))).toBeDefined();
  expect(store.get('b', at(0))).toBeUndefined();
});

type Step =
  | {
      readonly does: 'set';
      readonly identity: string;
      readonly group: string;
      readonly resource: Resource;
      readonly final: boolean;
      readonly size: number;
      readonly lasts: number;
    }
  | { readonly does: 'get'; readonly identity: string }
  | { readonly does: 'write'; readonly group: string; readonly resource: Resource }
  | { readonly does: 'wait'; readonly time: number };

const identity = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const group = fc.constantFrom('acme', 'other');
const resource = fc.constantFrom<Resource>('messages', 'contacts');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('set' as const), identity, group, resource, final: fc.boolean(), size: fc.nat(3_000), lasts: fc.nat(100) }),
  fc.record({ does: fc.constant('get' as const), identity }),
  fc.record({ does: fc.constant('write' as const), group, resource }),
  fc.record({ does: fc.constant('wait' as const), time: fc.nat(60) }),
);

/** What a store must never do, as it did it. */
function faultsOf(steps: readonly Step[]): string[] {
  const bounds = { bytes: 8_000, entries: 4 };
  const store = new Store(bounds);
  const written = new Map<string, number>();
  const faults: string[] = [];
  let now = 0;
  const look = (identity: string): void => {
    const found = store.get(identity, at(now));
    if (found === undefined) return;
    if (now - found.asked.steady > found.lasts) faults.push('too old');
    if (!found.final && found.asked.steady <= (written.get(`${found.group} ${found.resource}`) ?? -1)) faults.push('from before a write');
  };
  const write = (group: string, resource: Resource): void => {
    store.drop(group, { resources: [resource], item: undefined });
    written.set(`${group} ${resource}`, now);
  };
  for (const next of steps) {
    // Each step has a moment of its own.
    now += next.does === 'wait' ? next.time : 1;
    if (next.does === 'set') store.set(kept(next.identity, { ...next, asked: at(now), item: 'x', body: Buffer.alloc(next.size) }));
    else if (next.does === 'write') write(next.group, next.resource);
    else if (next.does === 'get') look(next.identity);
    if (store.size > bounds.entries || store.bytes > bounds.bytes) faults.push('too much');
  }
  for (const each of ['acme', 'other']) store.drop(each, { resources: ['messages', 'contacts'], item: 'all' });
  if (store.size > 0 || store.bytes !== 0) faults.push('something is left');
  return faults;
}

it('whatever happens, it keeps its bounds, and no answer is older than its setting or from before a write', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      expect(faultsOf(steps)).toEqual([]);
    }),
  );
});
