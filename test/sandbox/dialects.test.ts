import { describe, expect, test as base } from 'vitest';
import { errorDialects, type ErrorDialect } from '../../src/sandbox/api/dialects.ts';
import { sandboxFixtures, type CallOptions, type TestSandbox } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

/** What a dialect makes of an error. `existing` is the contact that a 409 is about. */
interface Expected {
  readonly contentType: string;
  readonly text: (error: { status: number; title: string; message: string; code?: string; existing?: unknown }) => string;
}

const expected: Record<ErrorDialect, Expected> = {
  v1: {
    contentType: 'application/json; charset=utf-8',
    text: ({ message, code, existing }) =>
      JSON.stringify({ success: false, error: message, code, data: existing, existed: existing && true }),
  },
  nested: {
    contentType: 'application/json; charset=utf-8',
    text: ({ message, code }) => JSON.stringify({ error: { code, message } }),
  },
  problem: {
    contentType: 'application/problem+json',
    text: ({ status, title, message, code, existing }) => JSON.stringify({ title, status, detail: message, code, existing }),
  },
  text: { contentType: 'text/plain; charset=utf-8', text: ({ message }) => message },
};

interface Situation {
  readonly rule: string;
  readonly endpoint: string;
  readonly options: (sandbox: TestSandbox) => CallOptions;
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly code?: string;
}

const ada = { phone: '+491', name: 'Ada' };

const situations: readonly Situation[] = [
  {
    rule: 'a missing field',
    endpoint: 'POST /v2/messages/send',
    options: () => ({ json: { channel: 'SMS', content: 'x' } }),
    status: 400,
    title: 'Bad Request',
    message: 'Missing required field: to',
  },
  {
    rule: 'a wrong channel',
    endpoint: 'POST /v2/messages/send',
    options: () => ({ json: { channel: 'FAX', to: '1', content: 'x' } }),
    status: 400,
    title: 'Bad Request',
    message: 'channel must be one of WHATSAPP, SMS, EMAIL',
  },
  {
    rule: 'a missing Content-Type',
    endpoint: 'POST /v2/contacts',
    options: () => ({ raw: '{}' }),
    status: 400,
    title: 'Bad Request',
    message: 'Content-Type must be application/json',
  },
  {
    rule: 'a contact without identity',
    endpoint: 'POST /v2/contacts',
    options: () => ({ json: {} }),
    status: 400,
    title: 'Bad Request',
    message: 'phone or email is required',
  },
  {
    rule: 'no key',
    endpoint: 'GET /v2/messages',
    options: () => ({ key: null }),
    status: 401,
    title: 'Unauthorized',
    message: 'Missing API key',
  },
  {
    rule: 'an unknown key',
    endpoint: 'GET /v2/messages',
    options: () => ({ key: 'ak_nobody' }),
    status: 401,
    title: 'Unauthorized',
    message: 'Invalid API key',
  },
  {
    rule: 'an expired key',
    endpoint: 'GET /v2/messages',
    options: ({ demo }) => ({ key: demo.expiredKey }),
    status: 401,
    title: 'Unauthorized',
    message: 'API key expired',
  },
  {
    rule: 'a read-only key on POST',
    endpoint: 'POST /v2/contacts',
    options: ({ demo }) => ({ key: demo.readOnlyKey, json: ada }),
    status: 403,
    title: 'Forbidden',
    message: 'API key lacks write permission',
    code: 'API_KEY_PERMISSION',
  },
  {
    rule: 'an unlisted path',
    endpoint: 'GET /v2/nothing',
    options: () => ({}),
    status: 404,
    title: 'Not Found',
    message: 'Not found',
  },
  {
    rule: 'a body that is too large',
    endpoint: 'POST /v2/campaigns',
    options: () => ({ json: { text: 'x'.repeat(11_000_000) } }),
    status: 413,
    title: 'Payload Too Large',
    message: 'The request body is larger than the sandbox accepts',
  },
  {
    rule: 'a contact field that is not accepted',
    endpoint: 'POST /v2/contacts',
    options: () => ({ json: { ...ada, nickname: 'x' } }),
    status: 500,
    title: 'Internal Server Error',
    message: 'Internal server error',
  },
];

describe.for(errorDialects)('errors of v2 in the dialect %s', (dialect) => {
  test.override({ options: { dialect } });

  test.for(situations)('$rule: $status', async ({ endpoint, options, ...error }, { sandbox }) => {
    const reply = await sandbox.call(endpoint, options(sandbox));
    expect({ status: reply.status, contentType: reply.headers['content-type'], text: reply.text }).toEqual({
      status: error.status,
      contentType: expected[dialect].contentType,
      text: expected[dialect].text(error),
    });
  });

  test('a duplicate contact: 409, with the existing contact where the dialect has a place for it', async ({ sandbox: { call } }) => {
    const { data: existing } = (await call('POST /v2/contacts', { json: ada })).body as { data: unknown };
    const { status, text } = await call('POST /v2/contacts', { json: ada });
    const error = { status: 409, title: 'Conflict', message: 'Contact already exists', existing };
    expect({ status, text }).toEqual({ status: 409, text: expected[dialect].text(error) });
  });

  test('successes are the same as in every dialect', async ({ sandbox: { call } }) => {
    const { status, body } = await call('POST /v2/contacts', { json: ada });
    expect({ status, body }).toMatchObject({ status: 201, body: { success: true, data: ada } });
  });

  test('v1, and what is neither version, keep the shape of v1', async ({ sandbox: { call } }) => {
    for (const path of ['/v1/nothing', '/v20/messages', '/']) {
      expect(await call(`GET ${path}`)).toMatchObject({ status: 404, body: { success: false, error: 'Not found' } });
    }
  });
});
