import { describe, expect, test } from 'vitest';
import { hashOfProduct } from '../../src/usage/client-product.ts';
import { type IgnoreRule, ignoredCalls } from '../../src/usage/ignored.ts';

const caller = { id: 1, keyHash: '0123456789abcdef', keyPrefix: 'mk_test_', workspace: null, client: 'k6/0.50', name: 'probe' };
const networks = ['192.0.2.0/24', '198.51.100.0/24'];

const served = { statuses: new Set([200, 404]), accepted: true };
const refused = { statuses: new Set([401]), accepted: false };

const isIgnored = (rule: Omit<IgnoreRule, 'reason'>, from: readonly string[] | undefined = networks, answered = served): boolean =>
  ignoredCalls([{ reason: 'own', ...rule }])(caller, from, answered).all !== undefined;

describe('a rule', () => {
  test.each<[Omit<IgnoreRule, 'reason'>, boolean]>([
    [{ client: 'k6' }, true],
    [{ client: 'k6/0.50' }, true],
    [{ client: 'k6/0.5' }, false],
    [{ client: 'k' }, false],
    [{ name: 'probe' }, true],
    [{ name: 'prob' }, false],
    [{ key: 'mk_test_' }, true],
    [{ key: 'mk_test_1' }, false],
    [{ key: 'hash:0123456789abcdef' }, true],
    [{ key: 'hash:fedcba9876543210' }, false],
    [{ client: 'k6', name: 'other' }, false],
  ])('%j matches: %s', (rule, expected) => {
    expect(isIgnored(rule)).toBe(expected);
  });

  test.each<[string, readonly string[], boolean]>([
    ['192.0.2.0/24', ['192.0.2.0/24'], true],
    ['192.0.0.0/16', ['192.0.2.0/24', '192.0.3.0/24'], true],
    ['192.0.2.0/24', networks, false],
    ['192.0.2.0/24', [], false],
    ['2001:db8::/32', ['2001:db8:1::/48'], true],
    ['2001:db8::/32', ['192.0.2.0/24'], false],
  ])('for %s matches a caller seen from %j: %s', (network, from, expected) => {
    expect(isIgnored({ network }, from)).toBe(expected);
  });

  test.each<[Omit<IgnoreRule, 'reason'>, typeof served, boolean]>([
    [{ status: 401 }, refused, true],
    [{ status: 401 }, served, false],
    [{ status: 404 }, served, false],
    [{ neverAccepted: true }, refused, true],
    [{ neverAccepted: true }, served, false],
    [{ neverAccepted: true, client: 'curl' }, refused, false],
  ])('%j, for a caller whose calls ended with %j, matches: %s', (rule, answered, expected) => {
    expect(isIgnored(rule, networks, answered)).toBe(expected);
  });

  test('for a network matches no caller that may have been seen from others', () => {
    expect(ignoredCalls([{ reason: 'own', network: '0.0.0.0/0' }])(caller, undefined, served).all).toBeUndefined();
  });
});

describe('a rule for a client', () => {
  const meets = (rule: string, client: string, hashOf?: (product: string) => string): boolean =>
    ignoredCalls([{ reason: 'own', client: rule }], hashOf)({ ...caller, client }, networks, served).all !== undefined;

  test.each([
    ['acme-crm', 'acme-crm/2.1 via axios/1.7', true],
    ['acme-crm', 'acme-crm via axios/1.7', true],
    ['acme-crm/2.1', 'acme-crm/2.1 via axios/1.7', true],
    ['acme-crm/2.1 via axios/1.7', 'acme-crm/2.1 via axios/1.7', true],
    ['acme-crm/2', 'acme-crm/2.1 via axios/1.7', false],
    ['acme', 'acme-crm/2.1 via axios/1.7', false],
    // Whoever calls with a library and has a name was never meant by the library.
    ['axios', 'acme-crm/2.1 via axios/1.7', false],
    ['axios', 'axios/1.7', true],
  ])('that is %s matches %s: %s', (rule, client, expected) => {
    expect(meets(rule, client)).toBe(expected);
  });

  test('matches what older records have of it: a hash of the name, and of no version', () => {
    const hash = hashOfProduct('secret');
    expect(meets('acme-crm', hash('acme-crm'), hash)).toBe(true);
    expect(meets('acme', hash('acme-crm'), hash)).toBe(false);
    expect(meets('acme-crm/2.1', hash('acme-crm'), hash)).toBe(false);
  });
});

test('a rule for an endpoint ignores the calls of that endpoint alone', () => {
  const rule = { reason: 'health check', client: 'k6', endpoint: 'GET /v1/messages' };
  const ignored = ignoredCalls([rule, { ...rule, reason: 'later' }])(caller, networks, served);
  expect(ignored.all).toBeUndefined();
  expect([...ignored.endpoints]).toEqual([['GET /v1/messages', rule]]);
});
