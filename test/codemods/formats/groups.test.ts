/** What binds places of one file, and what a variable proves of an address that begins with it. */
import { expect, test } from 'vitest';
import type { Draft } from '../../../codemods/formats/candidate-edit.ts';
import { groupsOf } from '../../../codemods/formats/groups.ts';
import { ignoredIn } from '../../../codemods/verdict/ignore-comments.ts';
import { runText } from './run.ts';

const draft = (start: number, at: number): Draft => ({
  start,
  end: start + 1,
  edits: [{ start: at, end: at + 2, text: 'v2', what: 'base' }],
  reads: [],
  literals: [],
  stance: 'ours',
});

test('drafts that want the same edit are one group, and others are not', () => {
  const groups = groupsOf([draft(0, 50), draft(10, 50), draft(20, 60)], ignoredIn(''));
  expect(groups.map(({ drafts }) => drafts.map(({ start }) => start))).toEqual([[0, 10], [20]]);
});

test.each([
  ['a name that goes on without a slash', 'curl -H "x-api-key: k" "${API_URL}messages"\n', ['base-not-proven 1']],
  [
    'a base with the version, and the version again',
    'B=https://api.example.com/v1\nB=https://api.example.com/v1/\ncurl -H "x-api-key: k" "$B/v1/messages"\n',
    ['base-not-proven 3', 'unconsumed 1', 'unconsumed 2'],
  ],
])('%s proves nothing', (_what, text, said) => {
  expect(runText('shell', text, { env: ['API_URL'] })).toMatchObject({ edits: [], said });
});
