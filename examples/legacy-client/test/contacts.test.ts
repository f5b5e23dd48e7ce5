import { afterEach, expect, test, vi } from 'vitest';
import { config } from '../src/config.ts';
import { contactPage, ensureContact } from '../src/contacts.ts';

const fetched = vi.spyOn(globalThis, 'fetch');
const answer = (status: number, body: object): void => void fetched.mockResolvedValueOnce(Response.json(body, { status }));

afterEach(() => fetched.mockReset());

test('a contact is created with our key', async () => {
  answer(201, { success: true, data: { id: 'con_1', phone: '+15550100' } });
  expect(await ensureContact({ phone: '+15550100' })).toMatchObject({ id: 'con_1' });
  expect(fetched).toHaveBeenCalledWith(`${config.baseUrl}/v1/contacts`, {
    method: 'POST',
    headers: { 'x-api-key': config.apiKey, 'Content-Type': 'application/json' },
    body: '{"phone":"+15550100"}',
  });
});

test('a contact that is there already is returned', async () => {
  answer(409, { success: false, error: 'Contact already exists', existed: true, data: { id: 'con_1' } });
  expect(await ensureContact({ phone: '+15550100' })).toEqual({ id: 'con_1' });
});

test('contacts are read page by page', async () => {
  answer(200, { success: true, data: [] });
  expect(await contactPage(2)).toEqual([]);
  expect(fetched).toHaveBeenCalledWith(`${config.baseUrl}/v1/contacts?page=2&limit=50`, expect.objectContaining({ method: 'GET' }));
});
