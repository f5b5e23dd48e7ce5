import { describe, expect, it } from 'vitest';
import { assume, openQuestions } from '../../src/contract/assumptions.ts';
import { ContractError, checkContract } from '../../src/contract/check.ts';
import { type Endpoint, endpointIds, v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { contactQuestions } from '../../src/contract/questions/contacts.ts';
import { deprecationQuestions } from '../../src/contract/questions/deprecation.ts';
import { errorQuestions } from '../../src/contract/questions/errors.ts';
import { limitQuestions } from '../../src/contract/questions/limits.ts';
import { resourceQuestions } from '../../src/contract/questions/resources.ts';
import { webhookQuestions } from '../../src/contract/questions/webhooks.ts';
import { errorRows, errorText, v1ErrorBody } from '../../src/contract/errors.ts';

const get = (path: string): Endpoint => ({ method: 'GET', path, purpose: '', access: 'read', body: 'none' });

function problemsOf(check: () => void): readonly string[] {
  try {
    check();
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
  return [];
}

describe('the contract', () => {
  it('has all 10 v1 and all 15 v2 endpoints', () => {
    expect(endpointIds(v1Endpoints)).toHaveLength(10);
    expect(endpointIds(v2Endpoints)).toHaveLength(15);
  });

  it.each(endpointIds(v1Endpoints))('pairs %s with a v2 endpoint of the same method and parameters', (id) => {
    const endpoint = v1Endpoints[id];
    const successor = v2Endpoints[endpoint.successor];
    expect(successor.method).toBe(endpoint.method);
    expect(successor.path.replace('/v2/', '/v1/')).toBe(endpoint.path);
  });

  it('holds the three documented 401 texts word for word', () => {
    const texts = [errorRows.missingKey, errorRows.invalidKey, errorRows.expiredKey].map(({ text }) => text.documented);
    expect(texts).toEqual(['Missing API key', 'Invalid API key', 'API key expired']);
  });

  it('holds every documented code', () => {
    const codes = Object.values(errorRows).flatMap((row) => ('code' in row ? [row.code] : []));
    expect(codes).toEqual(['WEBHOOK_LIMIT', 'API_KEY_PERMISSION', 'API_KEY_RATE_LIMITED', 'API_DAILY_LIMIT']);
  });

  it('asks no open question under the name of another', () => {
    const parts = [deprecationQuestions, errorQuestions, limitQuestions, webhookQuestions, resourceQuestions, contactQuestions];
    expect(parts.flatMap((part) => Object.keys(part))).toEqual(Object.keys(openQuestions));
  });

  it.each(Object.entries(openQuestions))(
    'says of the open question %s what is asked and why its value is assumed',
    (_name, { question, reason }) => {
      expect(question).toMatch(/\?$/);
      expect(reason).not.toBe('');
    },
  );

  it('puts an overridden assumption into the text of its row', () => {
    expect(errorText('notFound', assume({ notFoundText: 'Nope' }))).toBe('Nope');
  });

  it('names the missing field in the text of a 400', () => {
    expect(v1ErrorBody('missingField', assume(), { field: 'to' }).error).toContain('to');
  });
});

describe('the start-up check', () => {
  it('accepts the tables as they are', () => {
    expect(
      problemsOf(() =>
        checkContract({ consumer: 'x', endpoints: v1Endpoints, successors: v2Endpoints, handled: endpointIds(v1Endpoints) }),
      ),
    ).toEqual([]);
  });

  it('refuses two routes that match one path', () => {
    const endpoints = { one: get('/v1/things/:id'), two: get('/v1/things/latest') };
    expect(problemsOf(() => checkContract({ consumer: 'x', endpoints, handled: ['one', 'two'] }))).toEqual([
      'x: one and two match one path',
    ]);
  });

  it('refuses a path from which the one of its successor cannot be made', () => {
    const one = { ...get('/v1/things/:id/parts/:id'), successor: 'whole' };
    const two = { ...get('/v1/things'), successor: 'none' };
    const successors = { whole: get('/v2/things/:id/parts/:part') };
    expect(problemsOf(() => checkContract({ consumer: 'x', endpoints: { one, two }, successors, handled: ['one', 'two'] }))).toEqual([
      'x: the path of one has :id twice',
      'x: the path of one lacks :part, which that of its successor has',
      'x: the successor of two, none, is no endpoint',
    ]);
  });

  it('refuses an endpoint without a handler', () => {
    expect(problemsOf(() => checkContract({ consumer: 'x', endpoints: { one: get('/v1/a') }, handled: [] }))).toEqual([
      'x: endpoint one has no handler',
    ]);
  });

  it('refuses a handler without an endpoint', () => {
    expect(problemsOf(() => checkContract({ consumer: 'x', endpoints: {}, handled: ['ghost'] }))).toEqual([
      'x: handler ghost has no endpoint',
    ]);
  });

  it('refuses an error row that nobody maps', () => {
    const rows = { required: ['notFound', 'serverFault'], mapped: ['notFound'] };
    expect(problemsOf(() => checkContract({ consumer: 'x', endpoints: {}, handled: [], rows }))).toEqual([
      'x: error row serverFault is mapped by nobody',
    ]);
  });
});
