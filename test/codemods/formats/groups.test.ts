/** What binds places of one file, and what a variable proves of an address that begins with it. */
import { expect, test } from 'vitest';
import { runText } from './run.ts';

test.each([
  // A base that may end in a slash is one all the same; what is no path of v1 behind it is none in front of it.
  ['a name that goes on as no path of v1', 'curl -H "x-api-key: k" "${API_URL}invoices"\n', ['base-not-proven 1']],
  [
    'a base with the version, and the version again',
    'B=https://api.example.com/v1\nB=https://api.example.com/v1/\ncurl -H "x-api-key: k" "$B/v1/messages"\n',
    ['unknown-route 3'],
  ],
])('%s proves nothing', (_what, text, said) => {
  expect(runText('shell', text, { env: ['API_URL'] })).toMatchObject({ edits: [], said });
});
