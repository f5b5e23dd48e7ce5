/** Uses as the tests of the record need them. */
import type { Use } from '../../src/usage/use.ts';

/** 2026-11-02T00:00:00Z: the first minute of an hour and of a day. */
export const start = Date.parse('2026-11-02T00:00:00Z');

export const useOf = (changes: Partial<Use> = {}): Use => ({
  at: start,
  endpoint: 'GET /v1/messages/:id',
  method: 'GET',
  status: 200,
  outcome: 'translated',
  duration: 10,
  v2Calls: 1,
  key: { prefix: 'key_', hash: 'a'.repeat(16) },
  workspace: null,
  client: 'axios/1.7.0',
  name: null,
  resource: undefined,
  address: undefined,
  ...changes,
});
