import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test as base } from 'vitest';
import { maxBody } from '../../src/sandbox/http/body.ts';
import { maxDepth } from '../../src/sandbox/values/json.ts';
import { sandboxFixtures, versions, type TestSandbox } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const json = ['Content-Type', 'application/json'];
const message = { channel: 'SMS', to: '+4915112345678', content: 'Hello' };

function badRequest(error: string) {
  return { status: 400, body: { success: false, error } };
}

const noContentType = badRequest('Content-Type must be application/json');
const invalidJson = badRequest('Invalid JSON');
const tooLarge = { status: 413, body: { success: false, error: 'The request body is larger than the sandbox accepts' } };

/** A connection on which the head of a send request was sent, good but for the framing fields given. */
function startSend({ url, demo }: TestSandbox, version: string, framing: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const key = `x-api-key: ${demo.readWriteKey}\r\nAuthorization: Bearer ${demo.readWriteKey}`;
  socket.write(`POST ${version}/messages/send HTTP/1.1\r\nHost: x\r\n${key}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`);
  return socket;
}

/** An object that nests this many levels, itself included. */
function nested(levels: number): string {
  return `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
}

async function campaignId({ call }: TestSandbox): Promise<string> {
  return ((await call('POST /v1/campaigns', { json: {} })).body as { data: { id: string } }).data.id;
}

describe.each(versions)('version %s', (version) => {
  const send = `POST ${version}/messages/send`;
  const create = `POST ${version}/campaigns`;

  describe('api.md §§4 and 7: Content-Type', () => {
    test.for(['POST /messages/send', 'POST /contacts', 'PUT /contacts/con_1', 'POST /campaigns'])(
      '%s without Content-Type: 400',
      async (endpoint, { sandbox: { call } }) => {
        expect(await call(endpoint.replace(' ', ` ${version}`), { raw: '{}' })).toMatchObject(noContentType);
      },
    );
    test.for(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/json-patch+json', 'text/json', ''])(
      'another media type is not JSON: "%s"',
      async (type, { sandbox: { call } }) => {
        expect(await call(send, { raw: JSON.stringify(message), headers: ['Content-Type', type] })).toMatchObject(noContentType);
      },
    );
    test.for(['application/json; charset=utf-8', 'APPLICATION/Json', 'application/json ;v=1', 'application/json;'])(
      'parameters and case do not matter: %s',
      async (type, { sandbox: { call } }) => {
        expect(await call(send, { raw: JSON.stringify(message), headers: ['Content-Type', type] })).toMatchObject({ status: 200 });
      },
    );
    test('Content-Type is checked before the JSON', async ({ sandbox: { call } }) => {
      expect(await call(send, { raw: '{' })).toMatchObject(noContentType);
    });
    test('sending a campaign needs it only where there is a body', async ({ sandbox }) => {
      const sendCampaign = `POST ${version}/campaigns/${await campaignId(sandbox)}/send`;
      expect(await sandbox.call(sendCampaign)).toMatchObject({ status: 200 });
      expect(await sandbox.call(sendCampaign, { raw: '{}' })).toMatchObject(noContentType);
      expect(await sandbox.call(sendCampaign, { raw: '{', headers: json })).toMatchObject(invalidJson);
      expect(await sandbox.call(sendCampaign, { raw: '{}', headers: json })).toMatchObject({ status: 200 });
    });
    test('a chunked body is a body too', async ({ sandbox }) => {
      const sendCampaign = `POST ${version}/campaigns/${await campaignId(sandbox)}/send`;
      expect(await sandbox.call(sendCampaign, { raw: '{}', headers: ['Transfer-Encoding', 'chunked'] })).toMatchObject(noContentType);
    });
    test('GET needs none, and its body is not looked at', async ({ sandbox: { call } }) => {
      expect(await call(`GET ${version}/messages`, { raw: '{' })).toMatchObject({ status: 200 });
    });
  });

  describe('api.md §7: invalid JSON', () => {
    test.for(['', ' ', '{', '{"channel":}', "{'channel':'SMS'}", '{"a":1}{"b":2}', 'undefined', 'NaN', '\ufeff{}'])(
      'is refused: %j',
      async (raw, { sandbox: { call } }) => {
        expect(await call(send, { raw, headers: json })).toMatchObject(invalidJson);
      },
    );
    test('bytes that are not UTF-8 are refused', async ({ sandbox: { call } }) => {
      expect(await call(send, { raw: Buffer.from('7b2261223a22ff227d', 'hex'), headers: json })).toMatchObject(invalidJson);
    });
    test('JSON is checked before the resource is looked for', async ({ sandbox: { call } }) => {
      expect(await call(`PUT ${version}/contacts/con_1`, { raw: '{', headers: json })).toMatchObject(invalidJson);
    });
    test.for(['[]', 'null', '5', '"text"', 'true'])('JSON that is no object is a bad request: %s', async (raw, { sandbox: { call } }) => {
      expect(await call(send, { raw, headers: json })).toMatchObject(badRequest('Bad request'));
    });
  });

  describe('bodies meant to do harm', () => {
    test('nesting is bounded', async ({ sandbox: { call } }) => {
      expect(await call(create, { raw: nested(maxDepth), headers: json })).toMatchObject({ status: 201 });
      expect(await call(create, { raw: nested(maxDepth + 1), headers: json })).toMatchObject(badRequest('Bad request'));
      expect(await call(create, { raw: nested(500_000), headers: json })).toMatchObject(badRequest('Bad request'));
    });
    test('names that reach for prototypes are names like any other', async ({ sandbox: { call } }) => {
      const raw = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":"x","hasOwnProperty":1}';
      const created = await call(create, { raw, headers: json });
      expect(created.status).toBe(201);
      expect(created.text).toContain(raw.slice(1, -1));
      expect({}).not.toHaveProperty('polluted');
    });
    test('in a contact they are fields that are not accepted', async ({ sandbox: { call } }) => {
      const raw = '{"phone":"+491","__proto__":{"email":"x@example.com"}}';
      expect(await call(`POST ${version}/contacts`, { raw, headers: json })).toMatchObject({ status: 500 });
    });
    test('they give a message none of its fields', async ({ sandbox: { call } }) => {
      const raw = `{"__proto__":${JSON.stringify(message)}}`;
      expect(await call(send, { raw, headers: json })).toMatchObject(badRequest('Missing required field: channel'));
    });
  });

  describe('size', () => {
    test('a body of the largest size is read', async ({ sandbox: { call } }) => {
      const raw = JSON.stringify({ ...message, content: '' });
      const content = 'x'.repeat(maxBody - raw.length);
      expect(await call(send, { json: { ...message, content } })).toMatchObject({ status: 200 });
    });
    test('one byte more is 413', async ({ sandbox: { call } }) => {
      const raw = JSON.stringify({ ...message, content: '' });
      const content = 'x'.repeat(maxBody - raw.length + 1);
      expect(await call(send, { json: { ...message, content } })).toMatchObject(tooLarge);
    });
    test('an announced size is refused before the body comes', async ({ sandbox }) => {
      const socket = startSend(sandbox, version, `Content-Length: ${maxBody + 1}`);
      const [answer]: unknown[] = await once(socket, 'data');
      socket.destroy();
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    });
    test('a chunked body is refused as soon as it grows too large, and the connection stays good', async ({ sandbox }) => {
      const socket = startSend(sandbox, version, 'Transfer-Encoding: chunked');
      const size = maxBody + 1;
      socket.write(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`);
      const [refusal]: unknown[] = await once(socket, 'data');
      expect(String(refusal)).toMatch(/^HTTP\/1\.1 413 /);
      socket.write(`0\r\n\r\nGET ${version}/nothing HTTP/1.1\r\nHost: x\r\n\r\n`);
      const [next]: unknown[] = await once(socket, 'data');
      socket.destroy();
      expect(String(next)).toMatch(/^HTTP\/1\.1 404 /);
    });
    test('a client that goes away in the middle of a body leaves nothing behind', async ({ sandbox }) => {
      const socket = startSend(sandbox, version, 'Content-Length: 100\r\nExpect: 100-continue');
      await once(socket, 'data');
      socket.write('{"channel"');
      socket.resetAndDestroy();
      expect((await sandbox.call(`GET ${version}/messages`)).body).toMatchObject({ total: 0 });
    });
  });
});
