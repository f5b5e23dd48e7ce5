import { expect, it } from 'vitest';
import { build } from './app';

it('lists contacts', async () => {
  const app = await build();
  const response = await app.inject({ method: 'GET', url: '/v1/contacts', headers: { 'x-api-key': 'partner' } });
  expect(response.statusCode).toBe(200);
});
