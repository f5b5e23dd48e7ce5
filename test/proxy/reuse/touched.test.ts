import { describe, expect, it } from 'vitest';
import { itemOf, resourceOf, touchedBy } from '../../../proxy/reuse/touched.ts';
import { endpointIds, v2Endpoints } from '../../../src/contract/endpoints.ts';

describe('a write touches', () => {
  it.each(endpointIds(v2Endpoints).filter((id) => v2Endpoints[id].access === 'write'))('what it is about: %s', (id) => {
    const { method, path } = v2Endpoints[id];
    expect(touchedBy(method, path.replace(':id', 'x_1')).resources).toContain(resourceOf(id));
  });

  it.each<[string, string, readonly string[]]>([
    ['POST', '/v2/messages/send', ['messages', 'contacts']],
    ['POST', '/v2/campaigns/cmp_1/send?now=1', ['campaigns', 'messages', 'contacts']],
    ['POST', '/v2/campaigns', ['campaigns']],
    ['DELETE', '/v2/contacts/con_1', ['contacts', 'messages', 'campaigns']],
  ])('what api.md lets one think of: %s %s', (method, path, resources) => {
    expect(touchedBy(method, path).resources).toEqual(resources);
  });

  it.each([
    ['POST', '/v2/imports'],
    ['PATCH', '/v2/contacts/con_1'],
    ['PUT', '/v2/%63ontacts/con_1'],
    ['PUT', '/v2/contacts/../campaigns/cmp_1'],
    ['POST', '/'],
  ])('everything where it is no endpoint: %s %s', (method, path) => {
    expect(touchedBy(method, path)).toEqual({ resources: ['messages', 'contacts', 'campaigns', 'webhooks'], item: 'all' });
  });

  it('answers in a final state only where they are of its own item', () => {
    expect(touchedBy('PUT', '/v2/campaigns/cmp%5F1').item).toBe('cmp_1');
    expect(touchedBy('POST', '/v2/messages/send').item).toBeUndefined();
    expect(touchedBy('PUT', '/v2/campaigns/%zz').item).toBe('all');
  });
});

it('an item is the same however its id is written', () => {
  expect(itemOf('/v2/messages/msg%5f1?x=/')).toBe('msg_1');
  expect(itemOf('/v2/messages?x=/v2/messages/msg_1')).toBeUndefined();
});
