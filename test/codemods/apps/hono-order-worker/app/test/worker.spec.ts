import { createExecutionContext, env, fetchMock, SELF, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import worker from '../src/index.ts';

beforeAll(() => {
  fetchMock.activate();
  fetchMock.disableNetConnect();
});
afterEach(() => fetchMock.assertNoPendingInterceptors());

describe('the worker', () => {
  it('refuses calls without a token', async () => {
    const response = await SELF.fetch('https://orders.example.org/v1/contacts');
    expect(response.status).toBe(401);
  });

  it('gives the contacts', async () => {
    fetchMock
      .get('https://api.example.com')
      .intercept({ path: '/v1/contacts?page=1&limit=50', headers: { 'x-api-key': 'test-key' } })
      .reply(200, { data: [] });
    const request = new Request('https://orders.example.org/v1/contacts', { headers: { 'x-api-key': env.SHOP_TOKEN } });
    const ctx = createExecutionContext();
    const response = await worker.fetch(request, env, ctx);
    await waitOnExecutionContext(ctx);
    expect(await response.json()).toEqual({ data: [] });
  });
});
