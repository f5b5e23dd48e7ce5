import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { assume } from '../../src/contract/assumptions.ts';
import { checkAnswer, checkDelivery, type PublishedAnswer } from './answers-check.ts';
import { told, verdict } from './answers-run.ts';
import { cleanEnvironment } from './process.ts';

const notFound: PublishedAnswer = {
  api: 'v1',
  dialect: 'v1',
  envelope: 'v1',
  assumptions: assume(),
  method: 'GET',
  path: '/v1/contacts/x',
  status: 404,
  headers: { 'Content-Type': 'application/json' },
  contentType: 'application/json; charset=utf-8',
  content: '{"success":false,"error":"Not found"}',
};
const tooMany = { ...notFound, status: 429, content: '{"success":false,"error":"Rate limit exceeded","code":"API_KEY_RATE_LIMITED"}' };

test('an answer that is as documented has no violation', () => {
  expect(checkAnswer(notFound)).toEqual([]);
  expect(checkAnswer({ ...notFound, path: '/elsewhere' })).toEqual([]);
  expect(checkAnswer({ ...tooMany, headers: { 'Retry-After': '60' } })).toEqual([]);
});

test('a property may have any name that is documented', () => {
  const content =
    '{"success":true,"data":{"id":"x","__proto__":1,"createdAt":"2026-08-01T12:00:00.000Z","updatedAt":"2026-08-01T12:00:00.000Z"}}';
  const found = { ...notFound, status: 200, content };
  expect(checkAnswer({ ...found, assumptions: assume({ contactFields: ['__proto__'] }) })).toEqual([]);
  expect(checkAnswer(found).join()).toContain('additional properties');
});

describe('an answer to HEAD', () => {
  const head = { ...notFound, method: 'HEAD', content: '' };

  test('is as documented where it is that to GET without the content', () => {
    expect(checkAnswer(head)).toEqual([]);
    expect(checkAnswer({ ...head, path: '/elsewhere' })).toEqual([]);
    expect(checkAnswer({ ...head, status: 401 })).toEqual([]);
    expect(checkAnswer({ ...head, content: notFound.content }).join()).toContain('an answer to HEAD has no content');
    expect(checkAnswer({ ...head, contentType: 'text/plain' }).join()).toContain('the content type text/plain is not documented');
    expect(checkAnswer({ ...head, status: 418 }).join()).toContain('the status is not documented');
  });

  test('is that to a method that is not listed where HEAD is not answered like GET', () => {
    const assumptions = assume({ headLikeGet: false });
    expect(checkAnswer({ ...head, assumptions })).toEqual([]);
    expect(checkAnswer({ ...head, assumptions, status: 401 }).join()).toContain('the status is not documented');
  });
});

describe('an answer under a fault', () => {
  const tea = { ...notFound, status: 418 };

  test.for(['latency', 'slow'] as const)('of the kind %s is as documented', (fault) => {
    expect(checkAnswer({ ...notFound, fault })).toEqual([]);
    expect(checkAnswer({ ...tea, fault }).join()).toContain('the status is not documented');
  });

  test('of the kind error is as documented where its status is, with the Retry-After that was ordered', () => {
    expect(checkAnswer({ ...tea, fault: 'error' })).toEqual([]);
    expect(checkAnswer({ ...tooMany, fault: 'error' })).toEqual([]);
    expect(checkAnswer({ ...notFound, headers: { 'Retry-After': '1' }, fault: 'error' })).toEqual([]);
    expect(checkAnswer({ ...notFound, content: '{"error":"Not found"}', fault: 'error' }).join()).toContain("required property 'success'");
  });
});

describe('a violation is', () => {
  test.each<[string, PublishedAnswer, string]>([
    ['an undocumented status', { ...notFound, status: 418 }, 'the status is not documented'],
    ['the status of an endpoint on another path', { ...notFound, status: 401, path: '/elsewhere' }, 'the status is not documented'],
    ['another content type', { ...notFound, contentType: 'text/plain' }, 'the content type text/plain is not documented'],
    ['a body that is no JSON', { ...notFound, content: '{' }, 'the body is no JSON'],
    ['another text', { ...notFound, content: '{"success":false,"error":"No"}' }, 'body/error must be equal to constant'],
    ['a property more', { ...notFound, content: '{"success":false,"error":"Not found","stack":""}' }, 'additional properties'],
    ['a property less', { ...notFound, content: '{"error":"Not found"}' }, "required property 'success'"],
    ['a header more', { ...notFound, headers: { 'X-Powered-By': 'x' } }, 'the header x-powered-by is not documented'],
    ['a header less', tooMany, 'the header Retry-After is missing'],
    ['another value of a header', { ...tooMany, headers: { 'Retry-After': 'soon' } }, 'the header Retry-After: body must be integer'],
  ])('%s', (_name, answer, problem) => {
    expect(checkAnswer(answer).join('\n')).toContain(problem);
  });

  test('a delivery that is not as documented', () => {
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Service-Webhooks/1.0', 'X-Service-Event': 'test.ping' };
    const signed = { ...headers, 'X-Service-Signature': `sha256=${'0'.repeat(64)}` };
    const body = '{"event":"test.ping","data":{},"timestamp":"2026-08-01T12:00:00.000Z"}';
    expect(checkDelivery({ event: 'test.ping', headers: signed, body })).toEqual([]);
    expect(checkDelivery({ event: 'test.ping', headers, body }).join()).toContain('X-Service-Signature');
    expect(checkDelivery({ event: 'test.ping', headers: signed, body: body.replace('.000', '') }).join()).toContain('body/timestamp');
    expect(checkDelivery({ event: 'test.pong', headers: signed, body }).join()).toContain('the event is not documented');
  });
});

test('answers of child processes are checked too, at the end, but for those that a fault spoils', () => {
  const folder = mkdtempSync(join(tmpdir(), 'answers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tea = { ...notFound, status: 418 };
  const answers = [notFound, tea, ...['truncated', 'invalidJson', 'reset'].map((fault) => ({ ...tea, fault }))];
  const script = `for (const answer of ${JSON.stringify(answers)}) require('diagnostics_channel').channel('migrate-v2:sandbox:answer').publish(answer)`;
  execFileSync(process.execPath, ['--eval', script], { env: cleanEnvironment({ SANDBOX_ANSWERS: folder }) });
  expect(told(folder)).toEqual({
    answers: 2,
    deliveries: 0,
    violations: [expect.stringMatching(/^v1 GET \/v1\/contacts\/x 418: the status is not documented.*$/)],
  });
});

describe('a run', () => {
  const checked = { answers: 2, deliveries: 1, violations: [] };
  const everything = (): boolean => true;
  const nothing = (): boolean => false;

  test('says how much was checked', () => {
    expect(verdict(checked, everything)).toBe('2 answers and 1 deliveries of the sandbox are as its OpenAPI documents say');
  });

  test('fails where something was otherwise than documented', () => {
    expect(() => verdict({ ...checked, violations: ['GET /'] }, everything)).toThrow(/1 times the sandbox .*\nGET \/$/);
  });

  test.for(['answers', 'deliveries'] as const)('fails where no %s were checked although there were some', (kind) => {
    expect(() => verdict({ ...checked, [kind]: 0 }, everything)).toThrow(`None of the sandbox's ${kind} was checked`);
    expect(() => verdict({ ...checked, [kind]: 0 }, nothing)).not.toThrow();
  });
});
