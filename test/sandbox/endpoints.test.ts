import { describe, expect, test as base } from 'vitest';
import { v1Endpoints, v2Endpoints, type Endpoint } from '../../src/contract/endpoints.ts';
import { sandboxFixtures, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const notFound = { status: 404, body: { success: false, error: 'Not found' } };

describe.each(versions)('version %s', (version) => {
  describe('api.md §4: paths', () => {
    test('a path that is not listed: 404', async ({ sandbox: { call } }) => {
      const unlisted = [
        '',
        '/',
        '/nothing',
        '/messages/',
        '//messages',
        '/messages/a/b',
        '/messages/sender/',
        '/contacts/con_1/send',
        '/Messages',
        '/%6dessages',
      ];
      for (const path of unlisted) expect({ path, ...(await call(`GET ${version}${path}`)) }).toMatchObject({ path, ...notFound });
    });
    test('a listed path with a method that is not listed: 404', async ({ sandbox: { call } }) => {
      const unlisted = [
        'DELETE /messages',
        'POST /messages',
        'PATCH /contacts/con_1',
        'PUT /contacts',
        'GET /campaigns',
        'OPTIONS /contacts',
        'TRACE /contacts',
      ];
      for (const one of unlisted) expect({ one, ...(await call(one.replace(' ', ` ${version}`))) }).toMatchObject({ one, ...notFound });
    });
    test('an unlisted path is 404 before any key is asked for', async ({ sandbox: { call } }) => {
      expect(await call(`GET ${version}/nothing`, { key: null })).toMatchObject(notFound);
      expect(await call(`GET ${version}/messages/`, { key: null })).toMatchObject(notFound);
    });
    test('a listed path asks for the key before it says whether the resource exists', async ({ sandbox: { call } }) => {
      expect(await call(`GET ${version}/messages/msg_1`, { key: null })).toMatchObject({ status: 401 });
    });
    test('a resource that does not exist: 404', async ({ sandbox: { call } }) => {
      const ids = ['msg_1', '%2F', '..', '%2e%2e', '%00', '%zz', '%ff', 'a%2Fb', '__proto__', 'constructor', 'x'.repeat(4096)];
      const paths = ids.flatMap((id) => ['/messages/', '/contacts/', '/campaigns/'].map((path) => `${path}${id}`));
      for (const path of paths) expect({ path, ...(await call(`GET ${version}${path}`)) }).toMatchObject({ path, ...notFound });
    });
    test('an id may be percent-encoded', async ({ sandbox: { call } }) => {
      const sent = await call(`POST ${version}/messages/send`, { json: { channel: 'SMS', to: '1', content: 'x' } });
      const { messageId } = sent.body as { messageId: string };
      expect(await call(`GET ${version}/messages/${messageId.replace('_', '%5F')}`)).toMatchObject({ status: 200 });
    });
    test('the query is no part of the path', async ({ sandbox: { call } }) => {
      expect(await call(`GET ${version}/messages?a=/v1/b?c`)).toMatchObject({ status: 200 });
    });
    test('RFC 9112 §3.2.2: the absolute form of a target is accepted', async ({ sandbox: { call } }) => {
      expect(await call(`GET http://api.example${version}/messages`, { key: null })).toMatchObject({ status: 401 });
      expect(await call('GET http://api.example')).toMatchObject(notFound);
    });
    test('assumption headLikeGet: HEAD is answered like GET, without the body', async ({ sandbox: { call } }) => {
      const get = await call(`GET ${version}/messages`);
      const head = await call(`HEAD ${version}/messages`);
      expect(head).toMatchObject({ status: 200, text: '' });
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
      expect(await call(`HEAD ${version}/messages`, { key: null })).toMatchObject({ status: 401, text: '' });
    });
    test('answers are JSON in UTF-8 with their length in bytes', async ({ sandbox: { call } }) => {
      const reply = await call(`POST ${version}/contacts`, { json: { phone: '+491', name: 'Zoë' } });
      expect(reply.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(reply.text)),
      });
    });
  });

  describe('headLikeGet off', () => {
    test.override({ options: { assumptions: { headLikeGet: false } } });
    test('HEAD is a method that is not listed', async ({ sandbox: { call } }) => {
      expect(await call(`HEAD ${version}/messages`)).toMatchObject({ status: 404 });
    });
  });
});

const example = ({ method, path }: Endpoint): string => `${method} ${path.replace(':id', 'x')}`;
const served = [...Object.values(v1Endpoints), ...Object.values(v2Endpoints)].map(example);

describe('api.md §4: the tables', () => {
  test.for(served)('%s is served: without a key it is 401', async (endpoint, { sandbox: { call } }) => {
    expect(await call(endpoint, { key: null })).toMatchObject({ status: 401 });
  });
  test('a path of neither version: 404 in the shape of v1', async ({ sandbox: { call } }) => {
    for (const path of ['/', '/v3/messages', '/v20/messages', '/favicon.ico', '*'])
      expect(await call(`GET ${path}`)).toMatchObject(notFound);
  });
});
