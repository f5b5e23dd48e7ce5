import { describe, expect, test } from 'vitest';
import { type ClientProduct, clientProducts, hashesOf, nameOfProduct } from '../../src/usage/client-product.ts';
import { userAgents } from './user-agents.ts';

const products = clientProducts(['acme-shop'], 'secret');
const product = (userAgent: string | undefined, ...credentials: string[]): ClientProduct => products(userAgent, credentials);
const hashed = /^other-[0-9a-f]{8}$/;

describe('what anybody’s call may show', () => {
  test.each([
    ['axios/1.7.2', 'axios/1.7.2'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla/5.0'],
    ['ACME-SHOP/2.1 extra', 'acme-shop/2.1'],
    ['curl/8.1.2-DEV', 'curl/8.1.2'],
    ['axios/sk_live_secret', 'axios'],
    ['axios/1.7 acme-crm/2.1', 'axios/1.7'],
    ['node', 'node'],
    ['libcurl-agent/1.0', 'libcurl-agent/1.0'],
    ['lwp-trivial/1.41', 'lwp-trivial/1.41'],
    ['Manticore 0.6.4', 'Manticore'],
    ['unirest-net', 'unirest-net'],
    ['unirest-java/3.1', 'unirest-java/3.1'],
    ['Embarcadero URI Client/1.0', 'Embarcadero'],
    ['aws-sdk-js/3.400.0 os/linux', 'aws-sdk-js/3.400.0'],
    ['aws-sdk-go-v2/1.30', 'aws-sdk-go-v2/1.30'],
    ['google-api-nodejs-client/7.2.0', 'google-api-nodejs-client/7.2.0'],
    [undefined, 'none'],
    ['', 'none'],
  ])('of %s is %s', (userAgent, expected) => {
    expect(product(userAgent).listed).toBe(expected);
  });

  test('is a hash where the name is not known, equal for equal names', () => {
    expect(product('sk_live_secret/1.0').listed).toMatch(hashed);
    expect(product('sk_live_secret/1.0')).toEqual(product('sk_live_secret/2.0'));
    expect(product('acme-crm/2.1 axios/1.7').listed).toMatch(hashed);
    expect(product('acme-crm/2.1 axios/1.7').listed).toBe(product('acme-crm').listed);
  });
});

describe('the name that a client gives itself', () => {
  test.each([
    ['acme-crm/2.1', 'acme-crm/2.1'],
    ['acme-crm', 'acme-crm'],
    ['acme-crm (+https://acme.test; (nested) axios/1.7)', 'acme-crm'],
    ['acme-crm/2.1 axios/1.7', 'acme-crm/2.1 via axios/1.7'],
    ['acme-crm/2.1 (x) node/22.1 axios/1.7 follow-redirects/1.15', 'acme-crm/2.1 via axios/1.7'],
    ['axios/1.7 acme-crm/2.1', 'acme-crm/2.1 via axios/1.7'],
    ['Python/3.12 aiohttp/3.9.5 acme-crm/2.1', 'acme-crm/2.1 via aiohttp/3.9.5'],
    ['acme-crm/2.1 Python/3.12', 'acme-crm/2.1'],
    ['acme-crm/v2.1.0-beta.3', 'acme-crm/2.1.0'],
    ['acme-crm/2.1+g1234abc', 'acme-crm/2.1'],
    ['Acme.Crm.Client/2024.11.5.1', 'Acme.Crm.Client/2024.11.5.1'],
    ['acme-shop/2.1 axios/1.7', 'acme-shop/2.1 via axios/1.7'],
    ['acme-shop/sk_live_secret', 'acme-shop'],
    ['acme-crm axios/sk_live_secret', 'acme-crm via axios'],
    // Words behind a library say nothing of a name.
    ['Wget/1.21 Red Hat modified', 'Wget/1.21'],
    ['axios/1.7 secretword', 'axios/1.7'],
    ['axios/1.7 Bearer acme-crm/2.1', 'axios/1.7'],
    ['axios/1.7 acme-crm/build-7 acme/1.0', 'axios/1.7'],
    // Browsers, and who says to be one.
    ['Mozilla/5.0 (compatible; acme-crm/2.1) acme-crm/2.1', 'Mozilla/5.0'],
    ['acme-crm/2.1 Mozilla/5.0 (X11)', 'acme-crm/2.1'],
  ])('of %s is %s', (userAgent, expected) => {
    expect(product(userAgent).named).toBe(expected);
  });

  test.each([
    'Bearer abc',
    'Basic dXNlcjpwYXNz',
    'basic',
    'Token/1.0',
    'ApiKey',
    'Api-Key abc',
    'Key/2',
    'Password hunter',
    'Authorization: Bearer abc',
    'x-api-key:abc',
    'Digest username=x',
    'AWS4-HMAC-SHA256 Credential=x',
    'sk_live_abc',
    'key_abc/1.0',
    'eyJhbGciOi/1.0',
    'AKIAIOSFODNN7EXAMPLE',
    'a1b2c3d4e5f6/1.0',
    'qxzvkjwpbtrgfhml/1.0',
    'xKqWzRtYpLmN',
    'acme-crm/secret',
    'acme-crm/',
    'acme-crm/12345678',
    'acme/1.555.010.01000',
    'acme@example.com',
    'user:pass',
    'acme%2Fcrm',
    '1.2.3',
    '192.168.0.17',
    '/acme',
    '-acme',
    'acmé/1.0',
    'Bearer%20Acme/3 CFNetwork/1240',
    'Acme%20via%20axios/3 CFNetwork/1240',
    'Acme%20%20CRM/3 CFNetwork/1240',
    'ab12%20cd34%20ef56/3 CFNetwork/1240',
    '=acme',
    'none',
    '_other',
    'other-0123abcd',
    'other-abcdefab',
    'via',
    'x'.repeat(65),
    '(acme)',
    ' ',
  ])('of %s is only told apart', (userAgent) => {
    expect(product(userAgent).named).toMatch(hashed);
  });

  test.each([
    ['as it is', 'acme-crm-service', 'acme-crm-service/2.1'],
    ['in part', 'ak_acme-crm-service-1', 'crm-service/2.1'],
    ['in other letters', 'ACME-CRM-SERVICE', 'acme-crm-service/2.1'],
    ['split', 'acmecrmservice', 'acme.crm.service/2.1'],
    // What reads like a name by chance.
    ['in base64', 'HdLRYERWR-CXERD', 'SGRMUllFUldSLUNYRVJE/2.1'],
    ['in hexadecimal digits', 'decade', '646563616465/2.1'],
  ])('that shows a key of its call %s is only told apart', (_name, key, userAgent) => {
    expect(product(userAgent, 'ak_another_0123456789', key).named).toMatch(hashed);
  });

  test('is shown beside a key that has little of it', () => {
    expect(product('acme-crm/2.1', 'ak_live_acme_0123456789abcdef').named).toBe('acme-crm/2.1');
  });

  test('is found in time, whatever comes', () => {
    for (const part of ['(', ')', '()', '((', 'a/', 'a/1.', 'a/1.1 ', '1.', 'ab1', ' via ', '-1', 'aA', '/', ';'])
      expect(product(part.repeat(200_000)).named.length).toBeLessThan(160);
  });
});

test.each(userAgents)('%s is shown as %s', (userAgent, shown) => {
  const { named } = product(userAgent);
  expect(named.replace(hashed, 'hashed')).toBe(shown);
});

test('nine of ten real User-Agents are shown', () => {
  expect(userAgents.length).toBeGreaterThan(200);
  expect(userAgents.filter(([, shown]) => shown === 'hashed').length).toBeLessThan(userAgents.length / 10);
});

test.each([
  ['acme-crm/2.1 via axios/1.7', 'acme-crm'],
  ['acme-crm via axios/1.7', 'acme-crm'],
  ['axios/1.7', 'axios'],
  ['other-0123abcd', 'other-0123abcd'],
])('the name of %s is %s', (client, name) => {
  expect(nameOfProduct(client)).toBe(name);
});

test('a name with spaces is joined with the hash of the same', () => {
  const { listed, named } = product('Acme%20CRM/3 CFNetwork/1240 Darwin/20.6.0');
  expect(listed).toMatch(hashed);
  expect(hashesOf('secret')(named)).toEqual([listed]);
});
