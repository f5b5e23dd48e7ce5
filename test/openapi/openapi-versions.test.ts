import { describe, expect, test } from 'vitest';
import type { Api } from '../../src/openapi/types.ts';
import { apis, document, operation, operations } from './documents.ts';

describe('a document speaks of its own version', () => {
  const descriptions = (api: Api, id: string): string =>
    Object.values(operation(document(api), id).responses)
      .map(({ description }) => description)
      .join('; ');

  test('x-api-key is v1’s, and the Bearer token v2’s', () => {
    expect(descriptions('v1', 'listMessages')).toContain('x-api-key is missing, or the key came as Authorization: Bearer');
    expect(JSON.stringify(document('v2'))).not.toContain('x-api-key');
    expect(descriptions('v2', 'listMessages')).toContain('Authorization: Bearer is missing');
  });

  test('what a 409 holds is shown for v1', () => {
    expect(descriptions('v1', 'createContact')).toContain('data holds it');
    expect(descriptions('v2', 'createContact')).not.toContain('data holds it');
  });

  test.each(apis)('in %s, a field that is not accepted is met where a contact is written, and nowhere else', (api) => {
    const met = operations(document(api)).filter(({ operationId }) => /not accepted|unaccepted/.test(descriptions(api, operationId)));
    expect(met.map(({ operationId }) => operationId).toSorted()).toEqual(['createContact', 'updateContact']);
  });

  test.each(apis)('in %s, a 404 says which resource is not there, and x-unlisted that the path is no endpoint', (api) => {
    const described = (id: string): string | undefined => operation(document(api), id).responses['404']?.description;
    expect([described('getMessage'), described('sendCampaign')]).toEqual([
      'The message is not in the workspace',
      'The campaign is not in the workspace',
    ]);
    expect(document(api)['x-unlisted'].responses['404']?.description).toBe('The path is no endpoint');
  });

  test('what v1 does not have is not assumed to be like v1', () => {
    const mark = (id: string): unknown => operation(document('v2'), id).requestBody?.['x-assumption'];
    expect(mark('createCampaign')).toBe('Request bodies of v2 are not shown; assumed to be those of v1');
    for (const id of ['createWebhook', 'updateCampaign']) expect(mark(id), id).toBe('Request bodies of v2 are not shown');
    const paging = ['listMessages', 'listContacts', 'listWebhooks'].map(
      (id) => operation(document('v2'), id).parameters?.find(({ name }) => name === 'page')?.['x-assumption'],
    );
    const like = 'The parameters of paging in v2 are not shown; assumed to be those of v1’s list of contacts';
    expect(paging).toEqual([like, like, like]);
  });

  test.each(apis)('in %s, HEAD and methods that are not listed are spoken of, and marked', (api) => {
    const { head, methods } = document(api)['x-unlisted'];
    expect(head?.['x-assumption']).toBe('headLikeGet');
    expect(methods['x-assumption']).toContain('not shown');
    expect(document(api, { headLikeGet: false })['x-unlisted']).not.toHaveProperty('head');
  });
});
