import { describe, expect, test } from 'vitest';
import { equalitiesOf, type EqualityKind } from '../../../proxy/compare/equalities.ts';
import type { Equality } from '../../../src/rollout/rules.ts';
import { answer, compare, found } from './answers.ts';

const foundWith = (v1: string, v2: string, ...equalities: Equality[]): string[] => found(compare(answer(v1), answer(v2), equalities));

/** Compares two values of a field that is declared equal. */
const foundIn = (v1: string, v2: string, as: EqualityKind): string[] => foundWith(`{"x":${v1}}`, `{"x":${v2}}`, { path: 'x', as });

describe('instant', () => {
  test.each([
    ['"2026-05-01T10:00:00.000Z"', '"2026-05-01T10:00:00Z"'],
    ['"2026-05-01T10:00:00Z"', '"2026-05-01T12:00:00+02:00"'],
    ['"2026-05-01T10:00:00Z"', '"2026-05-01t04:30:00.0-0530"'],
    ['"2026-05-01T10:00:00Z"', '"2026-05-01 10:00Z"'],
    ['"2026-05-01T10:00:00.123456Z"', '"2026-05-01T10:00:00,123456000+00:00"'],
    ['"2026-05-01T10:00:00Z"', '1777629600'],
    ['"2026-05-01T10:00:00Z"', '"1777629600"'],
    ['"2026-05-01T10:00:00.250Z"', '1777629600250'],
    ['"2026-05-01T10:00:00.250Z"', '1777629600.25'],
    ['1777629600', '1777629600000'],
    ['1777629600', '1.7776296e9'],
    ['"1969-12-31T23:59:59.5Z"', '"1970-01-01T01:59:59.50+02:00"'],
  ])('%s is %s', (v1, v2) => {
    expect(foundIn(v1, v2, 'instant')).toEqual([]);
  });

  test.each([
    ['"2026-05-01T10:00:00Z"', '"2026-05-01T10:00:00+02:00"', 'value x: text of a time -> text of a time'],
    ['"2026-05-01T10:00:00.123Z"', '"2026-05-01T10:00:00Z"', 'value x: text of a time -> text of a time'],
    ['"2026-05-01T10:00:00Z"', '"2026-05-01T10:00:00"', 'value x: text of a time -> text of a time'],
    ['"2026-02-30T10:00:00Z"', '"2026-03-02T10:00:00Z"', 'value x: text of a time -> text of a time'],
    ['"2026-05-01T10:00:00Z"', '1777629601', 'type x: text of a time -> integer'],
    ['"2026-05-01T10:00:00Z"', 'null', 'type x: text of a time -> null'],
    ['"2026-05-01T24:00:00Z"', '"2026-05-02T00:00:00Z"', 'value x: text of a time -> text of a time'],
    ['"2026-05-01T10:60:00Z"', '"2026-05-01T11:00:00Z"', 'value x: text of a time -> text of a time'],
    ['"2026-13-01T10:00:00Z"', '"2027-01-01T10:00:00Z"', 'value x: text of a time -> text of a time'],
    ['"0026-05-01T10:00:00Z"', '"1926-05-01T10:00:00Z"', 'value x: text of a time -> text of a time'],
    ['"soon"', '"later"', 'value x: text -> text'],
    ['1e400', '1e401', 'value x: integer -> integer'],
  ])('%s is not %s', (v1, v2, expected) => {
    expect(foundIn(v1, v2, 'instant')).toEqual([expected]);
  });
});

describe('number', () => {
  test.each([
    ['1', '1.0'],
    ['1', '"1"'],
    ['100', '1E+2'],
    ['0', '-0.0'],
    ['0.00012', '"12e-5"'],
    ['12345678901234567890', '"12345678901234567890.0"'],
  ])('%s is %s', (v1, v2) => {
    expect(foundIn(v1, v2, 'number')).toEqual([]);
  });

  test.each([
    ['12345678901234567890', '12345678901234567000', 'value x: integer -> integer'],
    ['1', '"1 "', 'type x: integer -> text'],
    ['0', '""', 'type x: integer -> empty text'],
    ['1', 'true', 'type x: integer -> boolean'],
    ['1', '-1', 'value x: integer -> integer'],
  ])('%s is not %s', (v1, v2, expected) => {
    expect(foundIn(v1, v2, 'number')).toEqual([expected]);
  });
});

describe('anyOrder', () => {
  test('takes a list with the same items for the same', () => {
    expect(foundIn('[1,2,2,{"a":[]}]', '[2,{"a":[]},1,2]', 'anyOrder')).toEqual([]);
  });

  test('counts items that are there twice', () => {
    expect(foundIn('[1,2,2]', '[2,1,1]', 'anyOrder')).toEqual(['value x[]: integer -> integer']);
  });

  test('holds for that list alone', () => {
    expect(foundIn('[[1,2],[3]]', '[[3],[2,1]]', 'anyOrder')).toEqual(['order x[]: list -> list']);
  });

  test('finds items whose lists are in any order, too', () => {
    const inside: Equality[] = ['x', 'x[].tags'].map((path) => ({ path, as: 'anyOrder' }));
    expect(foundWith('{"x":[{"tags":[1,2]},{"tags":[3,4]}]}', '{"x":[{"tags":[4,3]},{"tags":[2,1]}]}', ...inside)).toEqual([]);
  });

  test('goes together with what is equal inside', () => {
    const inside: Equality[] = [
      { path: 'x', as: 'anyOrder' },
      { path: 'x[].at', as: 'instant' },
      { path: 'x[].tags', as: 'anyOrder' },
    ];
    const [v1, v2] = ['{"at":"2026-05-01T10:00:00Z","tags":[1,2]}', '{"at":1777629600,"tags":[2,1]}'];
    expect(foundWith(`{"x":[${v1},{"at":1}]}`, `{"x":[{"at":1},${v2}]}`, ...inside)).toEqual([]);
  });
});

describe('ignore', () => {
  test.each([
    ['another value', '{"x":1}', '{"x":2}'],
    ['what is missing', '{"x":1}', '{}'],
    ['another type, and all inside', '{"x":{"a":1}}', '{"x":[]}'],
  ])('passes over %s', (_what, v1, v2) => {
    expect(foundWith(v1, v2, { path: 'x', as: 'ignore' })).toEqual([]);
  });

  test('says what of two lists is the same', () => {
    const [v1, v2] = ['[{"at":1,"n":"a"},{"at":2,"n":"b"}]', '[{"at":4,"n":"b"},{"at":3,"n":"a"}]'];
    expect(foundWith(v1, v2, { path: '[].at', as: 'ignore' })).toEqual(['order : list -> list']);
  });

  test('of the items of a list passes over how many they are, and in which order', () => {
    expect(foundWith('{"x":[1]}', '{"x":[2,3]}', { path: 'x[]', as: 'ignore' })).toEqual([]);
    expect(foundWith('{"x":[1,2]}', '{"x":[2,1]}', { path: 'x[]', as: 'ignore' })).toEqual([]);
    const [v1, v2] = ['[{"n":1,"x":[1]},{"n":2,"x":[2]}]', '[{"n":2,"x":[3]},{"n":1,"x":[4,5]}]'];
    expect(foundWith(v1, v2, { path: '[].x[]', as: 'ignore' })).toEqual(['order : list -> list']);
  });

  test('goes before all else that is declared of a path', () => {
    expect(foundWith('{"x":1}', '{"x":2}', { path: '**.x', as: 'number' }, { path: 'x', as: 'ignore' })).toEqual([]);
  });

  test('of everything passes over the content, and not over the status', () => {
    const v2 = answer('{"x":2}', { status: 201 });
    expect(found(compare(answer('{"x":1}'), v2, [{ path: '**', as: 'ignore' }]))).toEqual(['status : 200 -> 201']);
  });
});

describe('paths of equalities', () => {
  const [v1, v2] = ['{"at":1,"data":[{"at":1,"by":{"at":1},"latest":1}]}', '{"at":2,"data":[{"at":2,"by":{"at":2},"latest":2}]}'];
  const all = ['value at', 'value data[].at', 'value data[].by.at', 'value data[].latest'];

  test.each([
    ['at', all.slice(1)],
    ['data[].at', [all[0], all[2], all[3]]],
    ['**.at', [all[3]]],
    ['**.by.at', [all[0], all[1], all[3]]],
    ['data[].*.at', [all[0], all[1], all[3]]],
    ['data[].*', [all[0]]],
    ['data.at', all],
    ['**.a', all],
    ['dat*[].at', [all[0], all[2], all[3]]],
  ])('%s', (path, left) => {
    expect(foundWith(v1, v2, { path, as: 'ignore' })).toEqual(left.map((place) => `${place}: integer -> integer`));
  });

  test('as they are printed match what they were printed of', () => {
    const texts = ['{"byId":{"c_12345":{"at":1}}}', '{"byId":{"c_12345":{"at":2}}}'] as const;
    const printed = compare(answer(texts[0]), answer(texts[1])).differences.map(({ path }) => path);
    expect(printed).toEqual(['byId.*.at']);
    expect(foundWith(...texts, ...printed.map((path): Equality => ({ path, as: 'ignore' })))).toEqual([]);
  });

  test('of another endpoint do not count', () => {
    expect(foundWith('{"x":1}', '{"x":2}', { endpoint: 'getMessage', path: 'x', as: 'ignore' })).toEqual(['value x: integer -> integer']);
    expect(foundWith('{"x":1}', '{"x":2}', { endpoint: 'listContacts', path: 'x', as: 'ignore' })).toEqual([]);
  });
});

test('paths beyond those that are kept are looked up each time', () => {
  const equalities = equalitiesOf([{ path: '**.at', as: 'instant' }], 'listContacts');
  const paths = Array.from({ length: 3_000 }, (_, index) => `a${index}.at`);
  for (let round = 0; round < 2; round++) expect(new Set(paths.map(equalities))).toEqual(new Set(['instant']));
});
