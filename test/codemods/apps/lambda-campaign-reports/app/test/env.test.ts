import assert from 'node:assert/strict';
import test from 'node:test';
import { loadEnv } from '../src/env.ts';

test('has defaults', () => {
  const env = loadEnv({ MESSAGING_API_KEY: 'k' });
  assert.equal(env.MESSAGING_API_URL, 'https://api.example.com/v1');
  assert.equal(env.LOG_LEVEL, 'info');
});

test('leaves no slash at the end', () => {
  const { MESSAGING_API_URL } = loadEnv({ MESSAGING_API_KEY: 'k', MESSAGING_API_URL: 'http://localhost:8080/messaging/' });
  assert.equal(MESSAGING_API_URL, 'http://localhost:8080/messaging');
});

test('needs a key', (t) => {
  t.mock.method(console, 'error', () => {});
  assert.throws(() => loadEnv({}), /Invalid environment/);
});
