import { describe, expect, test } from 'vitest';
import { clientNames } from '../../src/usage/client-name.ts';

const name = clientNames('secret');
const hashed = /^other-[0-9a-f]{8}$/;

describe('the name of a client', () => {
  test.each([
    'billing',
    'billing-service-v2',
    'billing-worker',
    'Shop 12 Berlin',
    'Team Blue',
    'crm/3.4.1',
    'shop/2.4.1',
    'shop/2.14.1-beta.12',
    'eu-west-1',
    'cron_2025',
    'invoices-2026-11',
    'NotificationDispatcherForInvoices',
    'SendgridHTTPClient',
    'AWSSQSWorkerForInvoices',
    'whatwg-mimetype-proxy',
    'a-name-of-many-words-'.repeat(3).slice(0, 62).concat('.1'),
  ])('%s is shown', (value) => {
    expect(name(value, ['ak_live_0123456789'])).toBe(value);
  });

  test.each([
    ['the key of the call', 'secretkey', ['secretkey']],
    ['the key of the call within', 'shop secretkey!', ['secretkey']],
    ['a key of the usual form', 'key sk_live_abcdefghijklmnop1234', []],
    ['a key of the service', 'ak_78486f263949a38c3125c173', []],
    ['a JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dGVzdA', []],
    ['random characters', '9f8e7d6c5b4a39281706f5e4d3', []],
    ['24 hexadecimal digits', 'bade4decafbadc0ffeedecaf', []],
    ['24 hexadecimal digits in a name', 'shop bade4decafbadc0ffeedecaf', []],
    ['letters drawn at random, with a sign among them', 'gomshgoMxJY_XlizRIr', []],
    ['capitals drawn at random, with words among them', 'psyJZgsk_QGPTY_Gy', []],
    ['a UUID', 'f81d4fae-7dec-11d0-a765-00c04fd8f1a1', []],
    ['random characters in groups', 'a1b2c-3d4e5-f6a7b', []],
    ['a key of Google', 'AIzaSyBexample-exampleexampl_examplekey', []],
    ['a key of AWS', 'AKIAIOSFODNN7EXAMPLE', []],
    ['a key of AWS without digits', 'AKIAIOSFODNNQEXAMPLE', []],
    ['a token of Slack', 'xoxb-abcdefghijkl-mnopqrstuvwx', []],
    ['a webhook secret', 'whsec1234567890abcdef', []],
    ['a webhook secret without digits', 'whsec_abcdefghijklmnop', []],
    ['a password', 'password=hunter2', []],
    ['a card number', '4111111111111111', []],
    ['a card number in groups', '4111 1111 1111 1111', []],
    ['an e-mail address', 'ada@acme.test', []],
    ['a telephone number', '+15550100', []],
    ['a telephone number without plus', 'shop 15550100', []],
    ['a telephone number in groups', '555-010-0100', []],
    ['a short telephone number', 'call 555-0100', []],
    ['an address of the internet', '192.168.100.12', []],
    ['six digits', 'customer-123456', []],
    ['brackets', 'Shop 12 (Berlin)', []],
    ['letters and digits without end', 'invoiceprocessor2', []],
    ['a long text', 'x'.repeat(65), []],
    ['control characters', 'a\u0007b', []],
  ])('%s is only told apart', (_what, value, keys) => {
    expect(name(value, keys)).toMatch(hashed);
    expect(name(value, keys)).toBe(name(value, keys));
  });

  test('that holds the key of one call is the name in another', () => {
    expect(name('team secretkey', [])).toBe('team secretkey');
    expect(name('team secretkey', ['secretkey'])).toMatch(hashed);
    expect(name('team secretkey', ['other'])).toBe('team secretkey');
  });

  test.each([undefined, ''])('there is none in %s', (value) => {
    expect(name(value, [])).toBeNull();
  });
});
