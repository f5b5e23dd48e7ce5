/** Which endpoints v2 has and v1 has not, by what a program asks for. */
import { expect, test } from 'vitest';
import { newInV2 } from '../../src/contract/route-templates.ts';

test.each([
  ['DELETE', '/v1/contacts/7', 'DELETE /v2/contacts/:id'],
  ['DELETE', '/contacts/7', 'DELETE /v2/contacts/:id'],
  ['PUT', '/v1/campaigns/7', 'PUT /v2/campaigns/:id'],
  ['POST', '/v1/webhooks', 'POST /v2/webhooks'],
  ['GET', '/v1/contacts/7', undefined],
  ['PATCH', '/v1/contacts/7', undefined],
  ['DELETE', '/v1/contacts/7/tags', undefined],
  ['DELETE', '/v2/contacts/7', undefined],
])('%s %s is %s', (method, path, label) => {
  expect(newInV2(method, path)).toBe(label);
});
