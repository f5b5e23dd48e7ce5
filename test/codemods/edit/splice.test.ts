import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splice } from '../../../codemods/edit/splice.ts';
import { verify } from '../../../codemods/edit/verify.ts';
import { edited } from './edits.ts';

test('edits in any order take the place of their characters', () => {
  const edits = [
    { start: 8, end: 11, text: 'C' },
    { start: 0, end: 3, text: 'A' },
    { start: 4, end: 7, text: '' },
  ];
  expect(splice('one two six!', edits)).toBe('A  C!');
});

test('insertions at one place stay in their order, before what begins there and after what ends there', () => {
  const edits = [
    { start: 3, end: 5, text: 'X' },
    { start: 3, end: 3, text: '1' },
    { start: 3, end: 3, text: '2' },
    { start: 1, end: 3, text: 'Y' },
    { start: 0, end: 0, text: '^' },
    { start: 6, end: 6, text: '$' },
  ];
  expect(splice('abcdef', edits)).toBe('^aY12Xf$');
});

test('without edits the text is as it was', () => {
  expect(splice('\uFEFFa\r\n', [])).toBe('\uFEFFa\r\n');
});

test.each([
  ['EDITS_OVERLAP', { start: 2, end: 5 }],
  ['EDITS_OVERLAP', { start: 1, end: 3 }],
  ['EDITS_OVERLAP', { start: 2, end: 2 }],
  ['EDIT_OUT_OF_RANGE', { start: -1, end: 0 }],
  ['EDIT_OUT_OF_RANGE', { start: 5, end: 7 }],
  ['EDIT_OUT_OF_RANGE', { start: 5, end: 4 }],
])('%s where beside 1-3 there is %j', (code, span) => {
  const edits = [
    { start: 1, end: 3, text: 'x' },
    { ...span, text: 'y' },
  ];
  expect(() => splice('abcdef', edits)).toThrow(expect.objectContaining({ code }));
});

describe('verify', () => {
  const parses = (): void => undefined;
  const edits = [{ start: 1, end: 2, text: 'XX' }];
  const one = { path: 'a.ts', before: 'abc', edits };

  test('finds nothing wrong with what splice made', async () => {
    await fc.assert(
      fc.asyncProperty(edited, async ({ before, edits }) => {
        expect(await verify({ path: 'a.ts', before, after: splice(before, edits), edits }, parses)).toBeUndefined();
      }),
    );
  });

  test.each(['aXXd', 'bXXc', 'aXXcc', 'aXX', 'aXc', 'abc', ''])('tells that %j is not what the edits say', async (after) => {
    expect(await verify({ ...one, after }, parses)).toMatchObject({ code: 'TEXT_CHANGED' });
  });

  test('tells any other change of a character', async () => {
    await fc.assert(
      fc.asyncProperty(edited, fc.nat(), async ({ before, edits }, place) => {
        const after = splice(before, edits);
        const at = place % (after.length + 1);
        const changed = `${after.slice(0, at)}\u0001${after.slice(at + 1)}`;
        expect(await verify({ path: 'a.ts', before, after: changed, edits }, parses)).toMatchObject({ code: 'TEXT_CHANGED' });
      }),
    );
  });

  test('tells that the result does not parse, with the cause', async () => {
    const cause = new Error('unexpected');
    const parse = (path: string, text: string): void => {
      if (path === 'a.ts' && text === 'aXXc') throw cause;
    };
    expect(await verify({ ...one, after: 'aXXc' }, parse)).toMatchObject({ code: 'SYNTAX', cause });
  });
});
