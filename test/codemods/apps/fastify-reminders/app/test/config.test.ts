import assert from 'node:assert/strict';
import test from 'node:test';
import { ConfigError, readConfig } from '../src/config.ts';

test('has defaults', () => {
  const config = readConfig({ MESSAGING_API_KEY: 'k' });
  assert.equal(config.port, 3000);
  assert.equal(config.messaging.baseUrl, 'https://api.example.com');
});

test('needs a key', () => assert.throws(() => readConfig({}), ConfigError));
