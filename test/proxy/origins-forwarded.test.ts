import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forwardedAddresses } from '../../proxy/forwarded-field.ts';
import { Origins } from '../../proxy/origins.ts';

type Options = ConstructorParameters<typeof Origins>[0];

const trusting: Options = { forwarded: 'x-forwarded-for', trustedField: 'either', trustedProxies: ['10.0.0.0/8', '2001:db8:aaaa::/48'] };

/** The address that is taken for the client's. */
const clientOf = (fields: readonly string[], options: Partial<Options> = {}, remoteAddress = '10.0.0.1'): string | undefined =>
  new Origins({ ...trusting, ...options }).clientOf({ socket: { remoteAddress }, rawHeaders: fields } as unknown as IncomingMessage);

describe('a client behind a trusted proxy that writes Forwarded', () => {
  test.each<[string, readonly string[], string]>([
    ['an address', ['for=203.0.113.5'], '203.0.113.5'],
    ['an address with a port', ['for="203.0.113.5:4711"'], '203.0.113.5'],
    ['an address with an obfuscated port', ['for="203.0.113.5:_p"'], '203.0.113.5'],
    ['IPv6', ['For="[2001:DB8::5]"'], '2001:db8::5'],
    ['IPv6 with a port', ['for="[2001:db8::5]:4711";proto=https'], '2001:db8::5'],
    ['IPv6 that carries IPv4', ['for="[::ffff:203.0.113.5]"'], '203.0.113.5'],
    ['escapes', [String.raw`for="\203.0.113.\5"`], '203.0.113.5'],
    ['other parameters', ['proto=https;host="a.example, b;for=6.6.6.6";by=_x; for=203.0.113.5 ;ext="\\""'], '203.0.113.5'],
    ['the rightmost that is not trusted', ['for=6.6.6.6, for=203.0.113.5, for="[2001:db8:aaaa::2]", for=10.0.0.2'], '203.0.113.5'],
    ['several field lines', ['for=6.6.6.6, for=203.0.113.5', 'for=10.0.0.2'], '203.0.113.5'],
    ['empty elements', [', for=203.0.113.5, ,for=10.0.0.2 ,'], '203.0.113.5'],
  ])('is known by %s', (_name, values, address) => {
    expect(
      clientOf(
        values.flatMap((value) => ['Forwarded', value]),
        { trustedField: 'forwarded' },
      ),
    ).toBe(address);
  });

  test.each<[string, string]>([
    ['unknown', 'for=6.6.6.6, for=unknown, for=10.0.0.2'],
    ['an obfuscated name', 'for=6.6.6.6, for=_hidden, for=10.0.0.2'],
    ['an element without for', 'for=6.6.6.6, proto=https, for=10.0.0.2'],
    ['IPv6 without quotes', 'for=6.6.6.6, for=[2001:db8::5], for=10.0.0.2'],
    ['IPv6 without brackets', 'for=6.6.6.6, for="2001:db8::5", for=10.0.0.2'],
    ['two names', 'for=6.6.6.6, for=203.0.113.5;for=203.0.113.6, for=10.0.0.2'],
    ['no element', 'for=6.6.6.6, 203.0.113.5, for=10.0.0.2'],
    ['a quote within a token', 'for=6.6.6.6, for=203.0.113.5", for=10.0.0.2'],
    ['an open quote', 'for=6.6.6.6;host="a, for=10.0.0.2'],
    ['a zone', 'for=6.6.6.6, for="[fe80::1%eth0]", for=10.0.0.2'],
    ['a number that is no address', 'for=6.6.6.6, for=256.1.1.1, for=10.0.0.2'],
    ['an element without end', `for=6.6.6.6, for=203.0.113.5;host="${'a,'.repeat(5_000)}", for=10.0.0.2`],
  ])('is not looked for behind %s', (_name, value) => {
    expect(clientOf(['Forwarded', value])).toBe('10.0.0.2');
  });

  test('is known whatever it left open before', () => {
    for (const left of ['for="', String.raw`for="a\"`, '"', '\\', 'for=a"b', ',";,='])
      expect(clientOf(['Forwarded', `${left}, for=203.0.113.5;host="a", for=10.0.0.2`])).toBe('203.0.113.5');
  });
});

describe('where both fields come', () => {
  const both = ['Forwarded', 'for=6.6.6.6', 'X-Forwarded-For', '203.0.113.5'];

  test.each<[Options['trustedField'], string]>([
    ['either', '203.0.113.5'],
    ['x-forwarded-for', '203.0.113.5'],
    ['forwarded', '6.6.6.6'],
  ])('%s takes %s', (trustedField, address) => {
    expect(clientOf(both, { trustedField })).toBe(address);
  });

  test('an empty X-Forwarded-For hides no client behind Forwarded', () => {
    expect(clientOf(['Forwarded', 'for=6.6.6.6', 'X-Forwarded-For', ''])).toBe('10.0.0.1');
  });

  test('the field that is not named counts nowhere', () => {
    expect(clientOf(['Forwarded', 'for=6.6.6.6'], { trustedField: 'x-forwarded-for' })).toBe('10.0.0.1');
    expect(clientOf(['X-Forwarded-For', '6.6.6.6'], { trustedField: 'forwarded' })).toBe('10.0.0.1');
  });
});

test('without the setting, and of a peer that it does not name, no field counts', () => {
  const fields = ['Forwarded', 'for=6.6.6.6', 'X-Forwarded-For', '6.6.6.6'];
  expect(clientOf(fields, { trustedProxies: [] })).toBe('10.0.0.1');
  expect(clientOf(fields, {}, '203.0.113.9')).toBe('203.0.113.9');
});

const elements = fc.oneof(
  fc.ipV4().map((address) => `for=${address}`),
  fc.ipV6().map((address) => `for="[${address}]:80"`),
  fc.constantFrom('for=unknown', 'for=_x', '"', '\\', ',', ';', '=', 'for="', '\t', 'for=10.0.0.2'),
  fc.string({ unit: 'binary-ascii' }),
);

test('whatever clients write, what the trusted proxy wrote after it is what counts', () => {
  fc.assert(
    fc.property(fc.array(elements, { maxLength: 40 }), fc.ipV4(), (claims, address) => {
      expect(forwardedAddresses(`${claims.join()}, for=${address};proto=https`, 16)[0]).toBe(address);
      expect(forwardedAddresses(claims.join(), 16).length).toBeLessThanOrEqual(16);
    }),
  );
});

test.each(['for=10.0.0.2,', ',', '"', '\\"', '\\', 'for="\\', ';', ' ', 'a='])('megabytes of %o are read in no time', (part) => {
  // Whatever backtracks would take hours; the runner's limit ends it.
  const value = part.repeat(1_000_000);
  expect(forwardedAddresses(value, 16).length).toBeLessThanOrEqual(16);
  expect(forwardedAddresses(`for="${value}`, 16).length).toBeLessThanOrEqual(16);
});
