import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differencesOf } from '../../../proxy/compare/differences.ts';
import { equalitiesOf } from '../../../proxy/compare/equalities.ts';
import type { Equality } from '../../../src/rollout/rules.ts';
import { answer, answerOf, compare } from './answers.ts';

/** Prints its seed where it fails. */
const runs = { numRuns: 300 };
const fieldNames = ['id', 'name', 'createdAt', 'data', 'items', 'status', 'phone'];

/** JSON with ordinary names. Few different scalars, so that two of them often have some in common. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      1,
      1.5,
      '1',
      '',
      'a',
      'A',
      'a b',
      '2026-05-01T10:00:00Z',
      '2026-05-01T12:00:00+02:00',
      1_777_629_600,
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...fieldNames), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const digits = fc.stringMatching(/^\d{4,12}$/);
/** Texts that must never be told: of values, and of names that are data. */
const secret = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 3 }).filter((text) => !/^[\w$@-]*$/.test(text)),
  fc.uuid(),
  fc.emailAddress(),
  fc.base64String({ minLength: 24, maxLength: 40 }),
  fc.stringMatching(/^[0-9a-f]{24}$/),
  fc.ulid(),
  digits,
  digits.map((text) => `+${text}`),
  digits.map((text) => `c_${text}`),
  digits.map((text) => `sk_live_x${text}`),
  fc.stringMatching(/^[a-z]{41,60}$/),
);
const secrets = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    secret,
    fc.double({ noNaN: true, noDefaultInfinity: true, min: 1000 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(secret, fc.constantFrom(...fieldNames)), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

/** Values, and names that are none of fields, as texts. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  const names = Array.isArray(value) ? [] : Object.keys(value).filter((name) => !fieldNames.includes(name));
  return [...names, ...Object.values(value).flatMap(textsIn)];
}

const asKind = fc.constantFrom<Equality['as']>('instant', 'number', 'anyOrder', 'ignore');
const path = fc.oneof(
  fc.constantFrom('**', '', '[]', '**.id', '**.createdAt', '**.data', '**.items[]'),
  fc.array(fc.constantFrom(...fieldNames), { minLength: 1, maxLength: 2 }).map((names) => names.join('.')),
);
const equalities = fc.array(fc.record({ path, as: asKind }), { maxLength: 4 });

const placesOf = (v1: unknown, v2: unknown, declared: readonly Equality[] = []): Set<string> =>
  new Set(compare(answerOf(v1), answerOf(v2), declared).differences.map(({ kind, path }) => `${kind} ${path}`));

describe('for any JSON', () => {
  test('no value, and no name that may be one, is ever in what is found', () => {
    const property = fc.property(secrets, secrets, fc.oneof(fc.uuid(), fc.emailAddress()), (v1, v2, mediaType) => {
      const told = JSON.stringify(differencesOf({ ...answerOf(v1), mediaType }, { ...answerOf(v2), mediaType: undefined }).differences);
      // Short texts may stand in words of shapes and names: only as a whole are they those of an answer.
      const parts = new Set(told.split(/["\\,:{}]+/).flatMap((text) => [text, ...text.split(/[.[\]]+/)]));
      const texts = [mediaType, ...textsIn(v1), ...textsIn(v2)].filter((text) => text.length > 2);
      expect(texts.filter((text) => parts.has(text) || (text.length > 7 && told.includes(text)))).toEqual([]);
    });
    fc.assert(property, runs);
  });

  test('nothing differs from itself, with its members and lists read again', () => {
    fc.assert(
      fc.property(json, equalities, (value, declared) => {
        expect(compare(answerOf(value), answerOf(value), declared)).toEqual({ differences: [] });
      }),
      runs,
    );
  });

  test('something is found wherever something differs', () => {
    fc.assert(
      fc.property(json, json, (v1, v2) => {
        expect(placesOf(v1, v2).size > 0).toBe(!isEqual(v1, v2));
      }),
      { numRuns: 300 },
    );
  });

  test('the other way round, missing is added and all else the same', () => {
    const turned: Record<string, string> = { missing: 'added', added: 'missing' };
    fc.assert(
      fc.property(json, json, equalities, (v1, v2, declared) => {
        const back = [...placesOf(v2, v1, declared)].map((place) => place.replace(/^\w+/, (kind) => turned[kind] ?? kind));
        expect(new Set(back)).toEqual(placesOf(v1, v2, declared));
      }),
      { numRuns: 300 },
    );
  });

  test('what is declared equal makes nothing differ that was the same', () => {
    fc.assert(
      fc.property(json, json, equalities, (v1, v2, declared) => {
        const plain = placesOf(v1, v2);
        const more = [...placesOf(v1, v2, declared)].filter((place) => !plain.has(place));
        // Items that count as the same are found elsewhere in their list, and the rest is held against others: only without lists is it so.
        expect(plain.size > 0 && hasLists(v1) ? [] : more).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('any text is read, as JSON.parse reads it or as no JSON', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((text) => text.slice(1)),
        ),
        (text) => {
          const { differences } = compare(answer(text), answerOf(jsonOf(text)));
          const read = differences.filter(({ v1 }) => v1 !== 'number (written otherwise)');
          expect(read.map(({ v1 }) => v1)).toEqual(isJson(text) ? [] : [/^[ \t\r\n]*$/.test(text) ? 'absent' : 'no JSON']);
        },
      ),
      runs,
    );
  });
});

test('the equalities of no endpoint are none', () => {
  expect(equalitiesOf([], 'listContacts')('x')).toBeUndefined();
});

function hasLists(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasLists));
}

function isEqual(v1: unknown, v2: unknown): boolean {
  try {
    expect(v1).toStrictEqual(v2);
    return true;
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const jsonOf = (text: string): unknown => (isJson(text) ? JSON.parse(text) : null);
