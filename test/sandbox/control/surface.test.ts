import { describe, expect, test as base } from 'vitest';
import { z } from 'zod';
import { createControl } from '../../../src/sandbox/control/control.ts';
import { type ControlRoute, routes } from '../../../src/sandbox/control/routes.ts';
import type { ControlTarget } from '../../../src/sandbox/control/target.ts';
import { maxBody } from '../../../src/sandbox/http/body.ts';
import { call, sandboxFixtures } from '../../helpers/sandbox.ts';
import { startHttp } from '../webhooks/attempts.ts';

const test = base.extend(sandboxFixtures);

const json = ['Content-Type', 'application/json'];
const workspace = { name: 'Shop', plan: 'Free' };

function refusal(status: number, code: string, says = '') {
  return { status, body: { error: { code, message: expect.stringContaining(says) } } };
}

/** A path of a row with nothing in it that exists, and the demo workspace. */
function exampleOf({ method, path }: ControlRoute): string {
  return `${method} ${path.replace(':workspace', 'demo').replaceAll(/:\w+/g, 'x')}`;
}

describe('answers', () => {
  test('are indented JSON that ends its line, for people who use curl', async ({ sandbox: { adminUrl } }) => {
    const { text, headers } = await call(adminUrl, 'GET /clock');
    expect(text).toBe('{\n  "now": "2026-08-01T12:00:00.000Z",\n  "frozen": true\n}\n');
    expect(headers['content-type']).toMatch(/^application\/json/);
  });
  test('to HEAD are those to GET, without the content', async ({ sandbox: { adminUrl } }) => {
    const [get, head] = [await call(adminUrl, 'GET /workspaces'), await call(adminUrl, 'HEAD /workspaces')];
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': get.headers['content-length'] } });
  });
  test('hold nothing of what failed inside; onError does', async ({ sandbox }) => {
    const failure = new Error('secret');
    const fails = (): never => {
      throw failure;
    };
    const { clock, dashboard, faults } = sandbox;
    const target: ControlTarget = { clock, dashboard, faults, reset: fails, snapshot: fails, restore: fails, describe: fails };
    const errors: unknown[] = [];
    const port = await startHttp(createControl(target, (error) => errors.push(error)));
    const answer = await call(`http://127.0.0.1:${port}`, 'POST /reset');
    expect(answer).toMatchObject(refusal(500, 'INTERNAL'));
    expect(answer.text).not.toContain('secret');
    expect(errors).toEqual([failure]);
  });
});

describe('paths', () => {
  test.for(['/', '/nothing', '/clock/', '//clock', '/clock/../clock', '/workspaces//keys', '/Clock', '/v1/messages'])(
    'one that is in no row is not found: %s',
    async (path, { sandbox: { adminUrl } }) => {
      expect(await call(adminUrl, `GET ${path}`)).toMatchObject(refusal(404, 'NOT_FOUND'));
    },
  );
  test.for([
    ['POST /healthz', 'GET, HEAD'],
    ['DELETE /workspaces', 'GET, HEAD, POST'],
    ['GET /workspaces/demo/keys/x', 'PATCH, DELETE'],
    ['OPTIONS /reset', 'POST'],
  ] as const)('another method is told those that there are: %s', async ([endpoint, allow], { sandbox: { adminUrl } }) => {
    expect(await call(adminUrl, endpoint)).toMatchObject({ ...refusal(405, 'METHOD_NOT_ALLOWED'), headers: { allow } });
  });
  test.for(['ws_0', '%2F', '..', '%00', '%zz', '__proto__', 'x'.repeat(4096)])(
    'an id that does not exist is not found: %.20s',
    async (id, { sandbox: { adminUrl } }) => {
      for (const [path, code] of [
        [`GET /workspaces/${id}/keys`, 'WORKSPACE_NOT_FOUND'],
        [`DELETE /workspaces/demo/keys/${id}`, 'KEY_NOT_FOUND'],
        [`POST /workspaces/demo/webhooks/${id}/secret`, 'WEBHOOK_NOT_FOUND'],
        [`POST /workspaces/demo/messages/${id}/advance`, 'MESSAGE_NOT_FOUND'],
        [`POST /workspaces/demo/campaigns/${id}/advance`, 'CAMPAIGN_NOT_FOUND'],
        [`DELETE /faults/${id}`, 'FAULT_NOT_FOUND'],
      ] as const) {
        expect(await call(adminUrl, path)).toMatchObject(refusal(404, code));
      }
    },
  );
  test('the absolute form is read as well (RFC 9112 §3.2.2)', async ({ sandbox: { adminUrl } }) => {
    expect(await call(adminUrl, `GET ${adminUrl}/clock`)).toMatchObject({ status: 200 });
  });
});

const withBody = Object.values<ControlRoute>(routes).filter(({ body }) => body !== undefined);

describe('bodies', () => {
  test.for(withBody.map(exampleOf))('%s takes JSON only', async (endpoint, { sandbox: { adminUrl } }) => {
    const form = { raw: 'name=x', headers: ['Content-Type', 'application/x-www-form-urlencoded'] };
    expect(await call(adminUrl, endpoint, form)).toMatchObject(refusal(415, 'CONTENT_TYPE', '--json'));
    expect(await call(adminUrl, endpoint, { raw: '{' })).toMatchObject(refusal(415, 'CONTENT_TYPE'));
    expect(await call(adminUrl, endpoint, { raw: '{', headers: json })).toMatchObject(refusal(400, 'INVALID_JSON'));
  });
  test.for(['[]', 'null', '"text"', '5'])('one that is no object is refused: %s', async (raw, { sandbox: { adminUrl } }) => {
    expect(await call(adminUrl, 'POST /workspaces', { raw, headers: json })).toMatchObject(refusal(400, 'INVALID'));
    expect(await call(adminUrl, 'PUT /snapshot', { raw, headers: json })).toMatchObject({ status: 400 });
  });
  const fields = withBody
    .filter((route) => route !== routes.addFault)
    .flatMap((route) => Object.keys(route.body?.shape ?? {}).map((field) => [exampleOf(route), field] as const));
  test.for(fields)('%s names the field whose value is of the wrong type: %s', async ([endpoint, field], { sandbox: { adminUrl } }) => {
    // Any object is the data of an event.
    for (const value of field === 'data' ? [[], -1.5] : [[], -1.5, { a: [] }]) {
      expect(await call(adminUrl, endpoint, { json: { [field]: value } })).toMatchObject(refusal(400, 'INVALID', `${field}: `));
    }
  });
  test('several faults are told at once', async ({ sandbox: { adminUrl } }) => {
    const answer = await call(adminUrl, 'POST /workspaces/demo/keys', { json: { access: 'all', more: 1 } });
    for (const says of ['name: is missing', 'access: must be one of read, read-write', 'there is no field more'])
      expect(answer).toMatchObject(refusal(400, 'INVALID', says));
  });
  test('one that is missing is an empty one', async ({ sandbox: { adminUrl } }) => {
    expect(await call(adminUrl, 'POST /workspaces')).toMatchObject(refusal(400, 'INVALID', 'name: '));
    expect(await call(adminUrl, 'PATCH /workspaces/demo')).toMatchObject({ status: 200 });
  });
  test('one larger than 10 MiB is refused, and the connection serves on', async ({ sandbox: { adminUrl } }) => {
    const raw = JSON.stringify({ ...workspace, name: 'x'.repeat(maxBody) });
    expect(await call(adminUrl, 'POST /workspaces', { raw, headers: json })).toMatchObject(refusal(413, 'BODY_TOO_LARGE'));
    const chunked = { raw, headers: [...json, 'Transfer-Encoding', 'chunked'] };
    expect(await call(adminUrl, 'POST /workspaces', chunked)).toMatchObject(refusal(413, 'BODY_TOO_LARGE'));
    expect(await call(adminUrl, 'GET /healthz')).toMatchObject({ status: 200 });
  });
  test('a snapshot may be larger', async ({ sandbox: { adminUrl } }) => {
    const raw = JSON.stringify({ name: 'x'.repeat(maxBody) });
    expect(await call(adminUrl, 'PUT /snapshot', { raw, headers: json })).toMatchObject(refusal(400, 'SNAPSHOT_INVALID'));
  });
  test('a snapshot that is given is taken, up to the same size; beyond it, it is not given either', async ({ sandbox }) => {
    const { clock, dashboard, faults } = sandbox;
    const restored: unknown[] = [];
    const snapshot = (): object => ({ deep: [[[['Zoë']]]] });
    const restore = (given: unknown): void => void restored.push(given);
    const target: ControlTarget = { clock, dashboard, faults, reset: () => undefined, snapshot, restore, describe: sandbox.describe };
    const size = Buffer.byteLength(JSON.stringify(snapshot())) + 1;
    const serve = async (largest: number): Promise<string> =>
      `http://127.0.0.1:${await startHttp(createControl(target, () => undefined, largest))}`;
    const taken = await call(await serve(size), 'GET /snapshot');
    expect(Buffer.byteLength(taken.text)).toBe(size);
    expect(await call(await serve(size), 'PUT /snapshot', { raw: taken.text, headers: json })).toMatchObject({ status: 200 });
    expect(restored).toEqual([snapshot()]);
    expect(await call(await serve(size - 1), 'GET /snapshot')).toMatchObject(refusal(507, 'SNAPSHOT_TOO_LARGE', '--max-records'));
    expect(await call(await serve(size - 1), 'PUT /snapshot', { raw: taken.text, headers: json })).toMatchObject(
      refusal(413, 'BODY_TOO_LARGE'),
    );
  });
  test('deep nesting does no harm', async ({ sandbox: { adminUrl } }) => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const raw = `{"event":"lead.created","data":{"deep":${deep}}}`;
    expect(await call(adminUrl, 'POST /workspaces/demo/events', { raw, headers: json })).toMatchObject(refusal(400, 'INVALID', 'nest'));
    expect(await call(adminUrl, 'PUT /snapshot', { raw, headers: json })).toMatchObject({ status: 400 });
  });
  test('names that reach for prototypes do no harm', async ({ sandbox: { adminUrl } }) => {
    const polluting = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
    const raw = `{"name":"Shop","plan":"Free",${polluting}}`;
    expect(await call(adminUrl, 'POST /workspaces', { raw, headers: json })).toMatchObject(refusal(400, 'INVALID', 'no field __proto__'));
    const limits = `{"limits":{"perDay":1,"__proto__":{"perHour":1}}}`;
    expect(await call(adminUrl, 'PATCH /workspaces/demo', { raw: limits, headers: json })).toMatchObject(refusal(400, 'INVALID', 'limits'));
    const event = { raw: `{"event":"lead.created","data":{${polluting}}}`, headers: json };
    expect(await call(adminUrl, 'POST /workspaces/demo/events', event)).toMatchObject({ status: 202 });
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('queries', () => {
  const listed = Object.values<ControlRoute>(routes).filter(({ query }) => query !== undefined);
  test.for(listed.map(exampleOf))('%s takes what its row names, and nothing else', async (endpoint, { sandbox: { adminUrl } }) => {
    expect(await call(adminUrl, `${endpoint}?limit=1`)).toMatchObject({ status: 200 });
    for (const query of ['limit=0', 'limit=x', 'limit=1.5', 'nothing=1', '__proto__=1']) {
      expect(await call(adminUrl, `${endpoint}?${query}`)).toMatchObject(refusal(400, 'INVALID', query.split('=')[0]));
    }
  });
  test('a kind of event must be one', async ({ sandbox: { adminUrl } }) => {
    expect(await call(adminUrl, 'GET /workspaces/demo/deliveries?event=x')).toMatchObject(refusal(400, 'INVALID', 'event'));
  });
});

describe('the role of the user', () => {
  const key = { name: 'CRM', access: 'read' };
  test('an owner acts where none is named', async ({ sandbox: { adminUrl } }) => {
    expect(await call(adminUrl, 'POST /workspaces/demo/keys', { json: key })).toMatchObject({ status: 201 });
  });
  test('a member creates no keys', async ({ sandbox: { adminUrl } }) => {
    const member = { json: key, headers: ['Dashboard-Role', 'member'] };
    expect(await call(adminUrl, 'POST /workspaces/demo/keys', member)).toMatchObject(refusal(403, 'ROLE'));
  });
  test('another one does not exist', async ({ sandbox: { adminUrl } }) => {
    const king = { json: key, headers: ['Dashboard-Role', 'king'] };
    expect(await call(adminUrl, 'POST /workspaces/demo/keys', king)).toMatchObject(refusal(400, 'INVALID', 'Dashboard-Role'));
  });
});

describe('the rows', () => {
  const all = Object.values<ControlRoute>(routes);
  test('no two match one request', () => {
    const shapes = all.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
    expect(new Set(shapes).size).toBe(shapes.length);
  });
  test('say what every field is', () => {
    const schemas = all.flatMap(({ body, query }) => [body, query]).filter((schema) => schema instanceof z.ZodObject);
    for (const schema of schemas) for (const field of Object.values(schema.shape)) expect(field.description).toMatch(/\w/);
  });
});
