import { describe, expect, test } from 'vitest';
import { pollingOf } from '../../src/report/polling.ts';

const use = (endpoint: string, calls: number, repeats: number) => ({
  endpoint,
  successor: null,
  calls,
  v2Calls: calls,
  repeats,
  errors: 0,
  last: '2026-11-20T12:00:00.000Z',
});

describe('polling', () => {
  test('of the delivery status shows what asking costs, and that no event is known to tell of it', () => {
    expect(pollingOf([use('GET /v1/messages/:id', 100, 80)])).toEqual([
      { endpoint: 'GET /v1/messages/:id', calls: 100, v2Calls: 100, cacheSaves: 80, webhook: { saves: 100, event: null }, status: true },
    ]);
  });

  test('of the list of messages is what message.received would save', () => {
    expect(pollingOf([use('GET /v1/messages', 50, 40)])[0]).toMatchObject({
      webhook: { saves: 40, event: 'message.received' },
      status: false,
    });
  });

  test('of anything else is for a cache', () => {
    expect(pollingOf([use('GET /v1/contacts/:id', 50, 40)])[0]).toMatchObject({ cacheSaves: 40, webhook: null });
  });

  test('is what is repeated, the most repeated first', () => {
    const rows = pollingOf([use('GET /v1/messages/:id', 9, 0), use('GET /v1/contacts', 9, 1), use('GET /v1/messages', 9, 8)]);
    expect(rows.map(({ endpoint }) => endpoint)).toEqual(['GET /v1/messages', 'GET /v1/contacts']);
  });
});
