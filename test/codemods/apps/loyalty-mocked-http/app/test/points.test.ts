import assert from 'node:assert/strict';
import test from 'node:test';
import { pointsOf } from '../src/api/points.ts';

test('asks the provider of points', async (t) => {
  const fetched = t.mock.method(globalThis, 'fetch', async () => Response.json({ points: 7 }));
  assert.equal(await pointsOf('+1'), 7);
  const [url, init] = fetched.mock.calls[0]!.arguments;
  assert.equal(url, 'https://points.example.net/v1/members/+1');
  assert.ok('x-api-key' in (init!.headers as object));
});
