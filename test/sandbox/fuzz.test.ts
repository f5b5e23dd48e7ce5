/** Whatever comes, the sandbox answers as its OpenAPI documents say (issue: bad input). A failure prints its seed and path; FUZZ_SEED runs it again. */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assume, type Assumptions } from '../../src/contract/assumptions.ts';
import { openapiDocument } from '../../src/openapi/document.ts';
import type { Api } from '../../src/openapi/types.ts';
import { checkAnswer } from '../helpers/answers-check.ts';
import { type Reply, startSandbox, type TestSandbox } from '../helpers/sandbox.ts';
import { callsOf, type FuzzCall, operationsOf } from './fuzz.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const numRuns = 40;

/** Far more calls than any plan allows. */
const overrides: Partial<Assumptions> = {
  v1RequestsPerMinuteEnterprise: 1e9,
  v1RequestsPerDayEnterprise: 1e9,
  v2RequestsPerHourEnterprise: 1e9,
};
const reading = { assumptions: assume(overrides), dialect: 'v1', envelope: 'v1' } as const;

const faults: unknown[] = [];
const untouched = Reflect.ownKeys(Object.prototype);
let sandbox: TestSandbox;
let ids: readonly string[];

beforeAll(async () => {
  console.log(`FUZZ_SEED=${seed}`);
  sandbox = await startSandbox({ assumptions: overrides, onError: (error) => faults.push(error) });
  const idIn = ({ text }: Reply): string => /"(?:id|messageId)":"([^"]+)"/.exec(text)?.[1] ?? '';
  ids = [
    idIn(await sandbox.call('POST /v2/messages/send', { json: { channel: 'SMS', to: '1', content: 'x' } })),
    idIn(await sandbox.call('POST /v2/contacts', { json: { phone: '1' } })),
    idIn(await sandbox.call('POST /v2/campaigns', { json: {} })),
    idIn(await sandbox.call('POST /v2/webhooks', { json: { url: 'https://93.184.215.14/' } })),
  ];
});
afterAll(() => sandbox.close());

const keys: Record<FuzzCall['key'], () => string | null> = {
  'read-write': () => sandbox.demo.readWriteKey,
  read: () => sandbox.demo.readOnlyKey,
  unknown: () => 'ak_unknown',
  none: () => null,
};

function send({ method, target, contentType, content, key }: FuzzCall): Promise<Reply> {
  const headers = contentType === undefined ? [] : ['Content-Type', contentType];
  return sandbox.call(`${method} ${target}`, { key: keys[key](), raw: content, headers });
}

/** What the document says against an answer. That to HEAD has no content to look at. */
function problems({ method, target }: FuzzCall, { status, headers, text }: Reply): string[] {
  const path = target.split('?', 1)[0] ?? '';
  const api: Api = /^\/v2(?:\/|$)/.test(path) ? 'v2' : 'v1';
  const contentType = String(headers['content-type']);
  return method === 'HEAD' ? [] : checkAnswer({ ...reading, api, method, path, status, contentType, content: text, headers: {} });
}

/** Whether api.md orders a 500: a contact body has a field that is not accepted. */
function orders500({ target, content }: FuzzCall): boolean {
  const { contactFields } = reading.assumptions;
  return target.includes('/contacts') && Object.keys(JSON.parse(content.toString())).some((name) => !contactFields.includes(name));
}

describe.each(['v1', 'v2'] as const)('%s', (api) => {
  test.each(operationsOf(openapiDocument(api, reading)))('$method $path', async (one) => {
    await fc.assert(
      fc.asyncProperty(callsOf(one, ids), async (call) => {
        const reply = await send(call);
        expect(problems(call, reply)).toEqual([]);
        expect(reply.text).not.toMatch(/node:|node_modules|\n\s+at |\.[jt]s:\d/);
        expect(reply.status < 500 || orders500(call), `${reply.status}`).toBe(true);
        expect(faults).toEqual([]);
        expect(Reflect.ownKeys(Object.prototype)).toEqual(untouched);
        expect({}).not.toHaveProperty('polluted');
      }),
      { seed, numRuns },
    );
  });
});
