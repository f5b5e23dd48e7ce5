import { describe, expect, test } from 'vitest';
import { equalitiesOf } from '../../../proxy/compare/equalities.ts';
import type { Equality } from '../../../src/rollout/rules.ts';
import { type ComparedAnswer, differencesOf } from '../../../proxy/compare/differences.ts';
import { marked } from '../../../proxy/compare/noise.ts';
import { isNoise, type NoiseCounts, usualThresholds } from '../../../src/rollout/noise.ts';
import { answerOf } from './answers.ts';

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Source {
  readonly random: () => number;
  /** How many answers there were before, of all. */
  readonly answers: number;
  /** A number below, or an id of such digits. */
  below(limit: number): number;
  id(): string;
}

type Noise = (source: Source) => unknown;

const shuffled = <T>(items: readonly T[], { random }: Source): T[] =>
  items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);

const contact = (number: number): object => ({ id: `c_${number}`, firstName: `Name ${number}`, vip: number % 2 === 0, score: number * 7 });
const ten = Array.from({ length: 10 }, (_, number) => contact(number));

/** Each makes one part of an answer, another one each time. */
const kinds: Record<string, Noise> = {
  'times of the server': ({ answers, below }) => ({ now: new Date(1_777_629_600_000 + answers * 1000 + below(900)).toISOString() }),
  'times of the server in seconds, often the same': ({ answers }) => ({ now: 1_777_629_600 + Math.floor(answers / 7) }),
  'random ids': ({ id }) => ({ data: ten.map((item) => ({ ...item, id: id() })) }),
  'ids of requests': ({ id }) => ({ meta: { requestId: id() } }),
  counters: ({ answers }) => ({ served: answers, quota: { left: 100_000 - answers } }),
  'a random order of two': (source) => ({ data: shuffled(ten.slice(0, 2), source) }),
  'a random order of ten': (source) => ({ data: shuffled(ten, source) }),
  'a random sample of a list': (source) => ({ data: shuffled(ten, source).slice(0, 3) }),
  'a sample of a random length': (source) => ({ data: shuffled(ten, source).slice(0, 1 + source.below(4)) }),
  durations: ({ random }) => ({ took: random() < 0.5 ? Math.round(random() * 30) : random() * 30 }),
  tokens: ({ id }) => ({ next: `${id()}.${id()}`, links: { next: `https://api.example.com/x?cursor=${id()}` } }),
  'hashes of the content': ({ id }) => ({ etag: `"${id()}${id()}"` }),
  'a field that is there half of the time': ({ random }) => ({ ...(random() < 0.5 && { hint: 'try again' }) }),
  'a field that is hardly ever absent': ({ random }) => ({ ...(random() < 0.9 && { hint: 'try again' }) }),
  'a field that is hardly ever there': ({ random }) => ({ ...(random() < 0.1 && { hint: 'try again' }) }),
  'a type that changes': ({ random, below }) => ({ load: random() < 0.4 ? null : random() < 0.5 ? below(3) : String(below(3)) }),
  'one of two servers': ({ random }) => ({ server: random() < 0.3 ? 'a' : 'b', region: { name: random() < 0.5 ? 'north' : 'south' } }),
  'errors now and then': ({ random, id }) =>
    random() < 0.15 ? { status: 503 } : { requestId: id(), ...(random() < 0.5 && { hint: 'again' }) },
  'names of properties': ({ id }) => ({ byKey: { [id()]: { at: 1 }, [id()]: { at: 2 } } }),
};

const calls = 200;

/** An answer whose noise may say its status. */
const sent = (value: unknown): ComparedAnswer => ({ ...answerOf(value), status: Object(Object(value).noise).status ?? 200 });

/** What is left as a difference after calls to v1 and v2 that both have some noise, as `kind path`. */
function leftAfter(noise: Noise, change: (answer: Answer) => unknown, seed: number, equalities: readonly Equality[] = []): string[] {
  const random = randomFrom(seed);
  let answers = 0;
  const below = (limit: number): number => Math.floor(random() * limit);
  const id = (): string => Array.from({ length: 12 }, () => below(36).toString(36)).join('');
  const next = (): Answer => ({ ...stable, noise: noise({ random, answers: answers++, below, id }) });
  const counts = new Map<string, NoiseCounts>();
  for (let call = 0; call < calls; call++) {
    const [v1, v2] = [sent(next()), sent(change(next()))];
    const equal = equalitiesOf(equalities, 'listContacts');
    const { differences } = differencesOf(v1, v2, equal);
    if (differences.length === 0) continue;
    const again = sent(next());
    const [own, other] = [differencesOf(v1, again, equal).differences, differencesOf(again, v2, equal).differences];
    for (const { kind, path, noise: isOwn } of marked(differences, own, other)) {
      const before = counts.get(`${kind} ${path}`);
      counts.set(`${kind} ${path}`, { count: (before?.count ?? 0) + 1, noise: (before?.noise ?? 0) + Number(isOwn), calls });
    }
  }
  return [...counts].flatMap(([place, count]) => (isNoise(count) ? [] : place)).toSorted();
}

interface Answer {
  readonly data: readonly object[];
  readonly total: number;
  readonly noise: unknown;
}

const stable = { data: [contact(11), contact(12)], total: 2 };
const seeds = [1, 2, 3];

describe.each(Object.entries(kinds))('%s', (_kind, noise) => {
  test.each(seeds)('are noise after 200 calls (seed %i)', (seed) => {
    expect(leftAfter(noise, (answer) => answer, seed)).toEqual([]);
  });

  test.each(seeds)('hide no difference beside them (seed %i)', (seed) => {
    const change = (answer: Answer): unknown => ({ ...answer, total: String(answer.total), data: answer.data.slice(1) });
    expect(leftAfter(noise, change, seed)).toEqual(['missing data[]', 'type total']);
  });
});

describe('a difference where there is noise', () => {
  const withNoise =
    (change: (part: Record<string, unknown>) => unknown) =>
    (answer: Answer): unknown => ({ ...answer, noise: change({ ...Object(answer.noise) }) });

  test.each<[string, string, (part: Record<string, unknown>) => unknown, string[]]>([
    ['a time as a number', 'times of the server', ({ now }) => ({ now: Date.parse(String(now)) }), ['type noise.now']],
    ['a counter that is missing', 'counters', ({ quota }) => ({ quota }), ['missing noise.served']],
    ['a random id as a number', 'ids of requests', () => ({ meta: { requestId: 17 } }), ['type noise.meta.requestId']],
    [
      'a field of items with random ids',
      'random ids',
      ({ data }) => ({ data: list(data).map(({ score, ...item }) => ({ ...item, points: score })) }),
      ['added noise.data[].points', 'missing noise.data[].score'],
    ],
    [
      'a type in a list in random order',
      'a random order of ten',
      ({ data }) => ({ data: list(data).map((item) => ({ ...item, vip: String(item['vip']) })) }),
      ['type noise.data[].vip'],
    ],
    [
      'a field in a random sample',
      'a random sample of a list',
      ({ data }) => ({ data: list(data).map(({ vip: _vip, ...item }) => item) }),
      ['missing noise.data[].vip'],
    ],
    ['a field that v1 gives half of the time and v2 never', 'a field that is there half of the time', () => ({}), ['missing noise.hint']],
    [
      'a field that v1 gives half of the time and v2 always',
      'a field that is there half of the time',
      () => ({ hint: 'try again' }),
      ['added noise.hint'],
    ],
    ['a field that v1 hardly ever leaves out and v2 always', 'a field that is hardly ever absent', () => ({}), ['missing noise.hint']],
    ['a server that v1 does not know', 'one of two servers', (part) => ({ ...part, server: 'c' }), ['value noise.server']],
  ])('%s is found', (_what, kind, change, expected) => {
    for (const seed of seeds) expect(leftAfter(kinds[kind] ?? failing, withNoise(change), seed)).toEqual(expected);
  });

  const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);
  const failing: Noise = () => {
    throw new Error('There is no such noise');
  };
});

describe('one call', () => {
  const kindsOf = (v1: ComparedAnswer, v2: ComparedAnswer, again: ComparedAnswer): (string | boolean)[][] => {
    const between = (one: ComparedAnswer, other: ComparedAnswer) => differencesOf(one, other).differences;
    return marked(between(v1, v2), between(v1, again), between(again, v2)).map(({ kind, noise }) => [kind, noise]);
  };
  const [one, two, three, empty] = [answerOf({ a: 1 }), answerOf({ a: 2 }), answerOf({ a: 3 }), answerOf({})];

  test.each([
    ['v2 alone differs', one, two, one, [['value', false]]],
    [
      'all three differ',
      one,
      two,
      three,
      [
        ['value', false],
        ['value', true],
      ],
    ],
    [
      'v1 alone differs, which is counted the other way round as well',
      one,
      two,
      two,
      [
        ['value', false],
        ['value', true],
        ['value', true],
      ],
    ],
    [
      'v1 alone lacks something',
      empty,
      one,
      one,
      [
        ['added', false],
        ['added', true],
        ['missing', true],
      ],
    ],
    ['v1 is an error when it is asked again', one, two, { ...one, status: 503 }, [['status', true]]],
    [
      'v1 was an error before',
      { ...one, status: 503 },
      two,
      three,
      [
        ['status', false],
        ['status', true],
      ],
    ],
    ['v2 alone is an error', one, { ...two, status: 502 }, three, [['status', false]]],
    ['all three are errors', { ...one, status: 404 }, { ...two, status: 404 }, { ...one, status: 404 }, [['value', false]]],
  ])('in which %s', (_what, v1, v2, again, expected) => {
    expect(kindsOf(v1, v2, again)).toEqual(expected);
  });
});

describe('thresholds', () => {
  test.each([
    ['nothing', { count: 0, noise: 0, calls: 100 }, true],
    ['one call of a hundred where v1 never differs from itself', { count: 1, noise: 0, calls: 100 }, false],
    ['one call of 10,000: below 0.03 %', { count: 1, noise: 0, calls: 10_000 }, true],
    ['0.03 %, which is not above', { count: 3, noise: 0, calls: 10_000 }, true],
    ['0.04 %', { count: 4, noise: 0, calls: 10_000 }, false],
    ['as often as v1 from itself', { count: 200, noise: 100, calls: 200 }, true],
    ['less often than v1 from itself', { count: 40, noise: 30, calls: 200 }, true],
    ['a fifth more, of both together', { count: 10_000, noise: 4000, calls: 10_000 }, true],
    ['more than that', { count: 10_000, noise: 3999, calls: 10_000 }, false],
    ['twice as often in three calls, which is chance', { count: 3, noise: 1, calls: 3 }, true],
    ['twice as often in many', { count: 300, noise: 100, calls: 300 }, false],
  ])('%s', (_what, counts, expected) => {
    expect(isNoise(counts)).toBe(expected);
  });

  test('can be others', () => {
    const counts = { count: 400, noise: 100, calls: 1000 };
    expect([isNoise(counts), isNoise(counts, { ...usualThresholds, relative: 0.5 })]).toEqual([false, true]);
    expect([isNoise(counts, { ...usualThresholds, absolute: 0.199 }), isNoise(counts, { ...usualThresholds, absolute: 0.2 })]).toEqual([
      false,
      true,
    ]);
  });
});
