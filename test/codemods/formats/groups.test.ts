/** What binds places of one file, and what a variable proves of an address that begins with it. */
import { expect, test } from 'vitest';
import { runText } from './run.ts';

test.each([
  ['a name that goes on without a slash', 'curl -H "x-api-key: k" "${API_URL}messages"\n', ['base-not-proven 1']],
  [
    'a base with the version, and the version again',
    'B=https://api.example.com/v1\nB=https://api.example.com/v1/\ncurl -H "x-api-key: k" "$B/v1/messages"\n',
    ['unknown-route 3'],
  ],
])('%s proves nothing', (_what, text, said) => {
  expect(runText('shell', text, { env: ['API_URL'] })).toMatchObject({ edits: [], said });
});
