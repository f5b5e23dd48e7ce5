import { describe, expect, test } from 'vitest';
import { faultsOfRequest } from '../../../proxy/compare/request-check.ts';
import { v2Endpoints, type V2EndpointId } from '../../../src/contract/endpoints.ts';
import type { OpenApiDocument, Schema } from '../../../src/openapi/types.ts';
import { document as documentOfApi } from '../../openapi/documents.ts';
import { found } from './answers.ts';

const document = documentOfApi('v2');

/** The document with another schema for the content of sendMessage, and with its other schemas. */
function documentOf(schema: Schema, schemas: Readonly<Record<string, Schema>> = {}): OpenApiDocument {
  const [path, item] = Object.entries(document.paths).find(([, { post }]) => post?.operationId === 'sendMessage') ?? [];
  const operation = item?.post;
  if (path === undefined || operation === undefined) throw new Error('The document has no sendMessage');
  const post = { ...operation, requestBody: { required: true, content: { 'application/json': { schema } } } };
  return { ...document, paths: { [path]: { ...item, post } }, components: { ...document.components, schemas } };
}

const faults = async (id: V2EndpointId, body: unknown): Promise<string[]> =>
  found(await faultsOfRequest(id, JSON.stringify(body), document));
const message = { channel: 'SMS', to: '+41791234567', content: 'Hello' };

describe("v2's document", () => {
  test.each<[string, V2EndpointId, unknown, string[]]>([
    ['a message', 'sendMessage', message, []],
    ['what is open', 'sendMessage', { ...message, more: { of: 'it' } }, []],
    ['a message without its recipient', 'sendMessage', { ...message, to: undefined }, ['request to: absent -> text']],
    [
      'a message with nothing',
      'sendMessage',
      {},
      ['request channel: absent -> one of a few', 'request to: absent -> text', 'request content: absent -> text'],
    ],
    ['a channel that is none', 'sendMessage', { ...message, channel: 'sms' }, ['request channel: text -> one of a few']],
    ['an empty text', 'sendMessage', { ...message, content: '' }, ['request content: empty text -> text']],
    ['another type', 'sendMessage', { ...message, to: 41791234567 }, ['request to: integer -> text']],
    ['null', 'sendMessage', { ...message, to: null }, ['request to: null -> text']],
    ['a list', 'sendMessage', [message], ['request : list -> object']],
    ['a contact', 'createContact', { phone: '+41791234567' }, []],
    [
      'a contact whom nothing identifies',
      'createContact',
      { firstName: 'Anna' },
      ['request phone: absent -> text', 'request email: absent -> text'],
    ],
    ['fields that v2 does not know', 'createContact', { phone: '+41', secretField: [1] }, ['request secretField: list -> absent']],
    ['names that are data', 'createContact', { phone: '+41', '+41791234567': 1 }, ['request *: integer -> absent']],
    ['a campaign of any kind', 'sendCampaign', { any: { thing: [1] } }, []],
    ['a campaign that is no object', 'sendCampaign', 'now', ['request : text -> object']],
    ['a webhook', 'createWebhook', { url: 'https://example.com/hook' }, []],
    ['an address that is none', 'createWebhook', { url: 'not an address' }, ['request url: text -> of another form']],
    ['a list of no events', 'createWebhook', { url: 'https://example.com', events: [] }, ['request events: empty list -> list']],
    [
      'one event that is none',
      'createWebhook',
      { url: 'https://example.com', events: ['a', 'b'] },
      ['request events[]: text -> one of a few'],
    ],
    ['a content where none is taken', 'listContacts', { any: 1 }, []],
  ])('%s', async (_what, id, body, expected) => {
    expect(await faults(id, body)).toEqual(expected);
  });

  test.each([
    ['no content', undefined, ['request : absent -> object'], undefined],
    ['an empty one', '', ['request : absent -> object'], undefined],
    ['no JSON', 'channel=SMS', ['request : no JSON -> object'], undefined],
    ['what is too deep to be looked at', '['.repeat(10_000), [], 'too large'],
  ])('%s', async (_what, text, expected, notCompared) => {
    const checked = await faultsOfRequest('sendMessage', text, document);
    expect([found(checked), checked.notCompared]).toEqual([expected, notCompared]);
  });

  test('asks for no content where it may be left out', async () => {
    const optional = Object.values(document.paths).flatMap((item) =>
      Object.values(item).filter(({ requestBody }) => requestBody?.required === false),
    );
    expect(optional.map(({ operationId }) => operationId)).toContain('sendCampaign');
    expect(await faultsOfRequest('sendCampaign', undefined, document)).toEqual({ differences: [] });
  });

  test('has a schema that can be checked for each endpoint that takes a content', async () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, requestBody }) => (requestBody ? [operationId] : [])),
    );
    expect(ids.toSorted()).toEqual(
      Object.keys(v2Endpoints)
        .filter((id) => ids.includes(id))
        .toSorted(),
    );
    expect(ids.length).toBeGreaterThan(4);
    for (const id of Object.keys(v2Endpoints)) await faultsOfRequest(id as V2EndpointId, '1', document);
  });
});

describe('any document', () => {
  const check = async (schema: Schema, body: unknown, schemas?: Readonly<Record<string, Schema>>): Promise<string[]> =>
    found(await faultsOfRequest('sendMessage', JSON.stringify(body), documentOf(schema, schemas)));

  test.each<[string, Schema, unknown, string[]]>([
    ['an open schema', {}, { a: [1, { b: null }] }, []],
    [
      'items of lists, told once',
      { properties: { a: { items: { type: 'string' } } } },
      { a: [1, 2, 'x'] },
      ['request a[]: integer -> text'],
    ],
    ['names with slashes', { additionalProperties: { type: 'string' } }, { 'a/b~c': 1 }, ['request *: integer -> text']],
    ['one of several types', { properties: { a: { type: ['integer', 'null'] } } }, { a: 'x' }, ['request a: text -> integer']],
    ['a constant', { properties: { a: { const: 'x' } } }, { a: 'y' }, ['request a: text -> one of a few']],
    ['a pattern', { properties: { a: { pattern: '^x' } } }, { a: 'y' }, ['request a: text -> of another form']],
    ['a bound', { properties: { a: { maximum: 5 } } }, { a: 6 }, ['request a: integer -> of another form']],
    ['a choice of which two fit', { oneOf: [{ type: 'object' }, { required: ['a'] }] }, { a: 1 }, ['request : object -> of another form']],
    ['what is required without a schema', { required: ['a'] }, {}, ['request a: absent -> anything']],
    ['a format that is not known', { properties: { a: { format: 'of-our-own' } } }, { a: 'y' }, []],
    ['keywords of the document', { 'x-assumption': 'one of our own', type: 'object' }, {}, []],
    ['__proto__', { additionalProperties: false }, JSON.parse('{"__proto__":{}}'), ['request *: empty object -> absent']],
  ])('%s', async (_what, schema, body, expected) => {
    expect(await check(schema, body)).toEqual(expected);
  });

  test('of one path the first fault is told, and of all paths 200', async () => {
    const several: Schema = { properties: { a: { minLength: 1, pattern: '^x', format: 'uri' } } };
    expect(await check(several, { a: '' })).toEqual(['request a: empty text -> text']);
    const words = ['sent', 'read', 'open', 'paid', 'seen', 'left', 'held', 'done', 'used', 'kept', 'made', 'told', 'lost', 'sold', 'run'];
    const names = words.flatMap((word) => words.map((last) => `${word}_${last}`));
    expect((await check({ additionalProperties: false }, Object.fromEntries(names.map((name) => [name, 1])))).length).toBe(200);
  });

  test('references are followed', async () => {
    const schema = { properties: { to: { $ref: '#/components/schemas/Recipient' } } };
    expect(await check(schema, { to: {} }, { Recipient: { type: 'object', required: ['phone'] } })).toEqual([
      'request to.phone: absent -> anything',
    ]);
  });
});
