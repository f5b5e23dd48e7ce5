/** The mappings in examples/mappings, which the situations and sequences prove, as people use them. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contactInList } from '../../proxy/errors/existing-contact.ts';
import { endpointIds, v1Endpoints } from '../../src/contract/endpoints.ts';
import { serve } from '../cli/run.ts';
import { projectRoot } from '../helpers/build.ts';
import { listening } from '../helpers/process.ts';
import { call } from '../helpers/sandbox.ts';
import { mappingsFor, spoken, startWorlds } from './worlds.ts';

const free = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];

describe.each(['data', 'bare'] as const)('examples/mappings/%s.yaml', (envelope) => {
  it('has every v1 endpoint', async () => {
    expect(Object.keys(await mappingsFor(envelope)).toSorted()).toEqual(endpointIds(v1Endpoints).toSorted());
  });

  it('works with the commands that it names', async () => {
    await using v2 = serve(['sandbox', ...free, '--envelope', envelope]);
    const { url: v2Base } = await listening(v2);
    const key = (await v2.line(/read & write/, 'stderr')).replace(/.* /, '');
    await using proxy = serve([
      'proxy',
      ...free,
      '--config',
      join(projectRoot, 'examples/mappings', `${envelope}.yaml`),
      '--v2-base',
      v2Base,
    ]);
    const { url } = await listening(proxy);
    const message = { channel: 'SMS', to: '+15550100', content: 'Hello' };
    const sent = await call(url, 'POST /v1/messages/send', { key, json: message });
    const { messageId } = sent.body as { readonly messageId: string };
    expect(sent.body).toMatchObject({ success: true, messageId, data: message });
    expect((await call(url, 'GET /v1/messages', { key })).body).toMatchObject({ success: true, data: [{ messageId }], page: 1, total: 1 });
  });
});

describe('the existing contact of a 409', () => {
  it.each(spoken)('comes where v2 speaks %s and %s, found by phone number and by email', async (dialect, envelope) => {
    await using worlds = await startWorlds(dialect, envelope);
    const ada = { phone: '+15550100', email: 'ada@example.com', name: 'Ada' };
    await worlds.both('POST /v1/contacts', { json: ada });
    for (const json of [{ phone: ada.phone }, { email: ada.email }]) {
      const [, { status, body }] = await worlds.both('POST /v1/contacts', { json });
      expect([status, body]).toEqual([409, expect.objectContaining({ success: false, data: expect.objectContaining(ada), existed: true })]);
    }
  });

  it.each<[shape: string, wrap: (list: readonly object[]) => unknown]>([
    ['a list alone', (list) => list],
    ['data and meta', (data) => ({ data, meta: { page: 1, limit: 100, total: 2 } })],
    ['success, data and paging', (data) => ({ success: true, data, page: 1 })],
    ['items', (items) => ({ items, total: 2 })],
    ['results', (results) => ({ count: 2, next: null, results })],
    ['contacts', (contacts) => ({ contacts, page: 1 })],
    ['data.contacts', (contacts) => ({ data: { contacts, total: 2 } })],
    ['data.items', (items) => ({ data: { items, nextCursor: null } })],
    ['data.results', (results) => ({ data: { results } })],
  ])('is found in a list of v2 in the shape %s', (_shape, wrap) => {
    const [first, second] = [
      { id: 'con_1', phone: '+155' },
      { id: 'con_2', phone: '+1555' },
    ];
    expect(contactInList(wrap([first, second]), { field: 'phone', value: '+1555' }, undefined)).toEqual(second);
    expect(contactInList(wrap([]), { field: 'phone', value: '+1555' }, undefined)).toBeUndefined();
  });
});
