/** What a file says as a whole is asked of it once, however many places hang on it. */
import { expect, it, vi } from 'vitest';
import { textLedger } from '../../../codemods/escape/ledger/text-ledger.ts';
import { changesByPlace } from '../../../codemods/verdict/changes/changes-by-place.ts';

it('a file of requests that were recorded is looked through no more often where it has twice as many', () => {
  const looksAt = (count: number): number => {
    const recorded = (_: unknown, index: number): string => `{ "scope": "https://api.example.com:443", "path": "/v1/contacts/c${index}" }`;
    const text = `[${Array.from({ length: count }, recorded).join(',\n')}]`;
    const test = vi.spyOn(RegExp.prototype, 'test');
    const { entries } = textLedger(
      { file: 'recorded.json', text, position: () => ({ line: 1, column: 1 }) },
      { elsewhere: [], prose: [] },
      {
        changes: changesByPlace([]),
        refusedFor: () => undefined,
        accounted: [],
        namesHeaders: false,
        explains: false,
        isUnread: false,
        isOfOthers: false,
        bases: { v1: ['https://api.example.com'], v2: undefined, env: new Set() },
      },
    );
    const looked = test.mock.calls.filter(([value]) => value === text);
    test.mockRestore();
    expect(entries.map(({ reason }) => reason)).toEqual(Array.from({ length: count }, () => 'unconsumed'));
    return looked.length;
  };

  expect(looksAt(40)).toBe(looksAt(20));
});
