/** No key is ever shown as a client's name, whatever it looks like and wherever in a User-Agent it stands. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientNames } from '../../src/usage/client-name.ts';
import { clientProducts } from '../../src/usage/client-product.ts';
import { credentials, found } from '../proxy/redaction-requests.ts';

const product = clientProducts([], 'secret');
const name = clientNames('secret');

const of = (alphabet: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength, size: 'max' });
const small = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const base62 = `${small}${small.toUpperCase()}${digits}`;

/** Keys of services, as they are made. */
const made: readonly fc.Arbitrary<string>[] = [
  fc
    .tuple(fc.constantFrom('ak_', 'sk_live_', 'sk_test_', 'pk_live_', 'rk_', 'whsec_', 'key_', 'xoxb-'), of(base62, 16, 40))
    .map((parts) => parts.join('')),
  of('0123456789abcdef', 24, 64),
  of('0123456789ABCDEF', 32),
  fc.uuid(),
  of(base62, 24, 48),
  of(`${base62}-_`, 32, 64),
  of(`${small}${digits}`, 20, 40),
  of(`${small.toUpperCase()}234567`, 24, 32),
  of(digits, 16, 32),
  fc.array(of('0123456789abcdef', 4), { minLength: 4, maxLength: 8 }).map((groups) => groups.join('-')),
  fc.tuple(of(base62, 12), of(base62, 30)).map(([head, payload]) => `eyJ${head}.eyJ${payload}.${head}`),
];
/** The same, and such as look like anything else. */
const keys = fc.oneof(
  ...made,
  credentials,
  of(small, 16, 40),
  of(base62, 12, 16),
  fc.constantFrom('billing-service-key', 'acme-crm-production', 'correct.horse.battery'),
);

const encodings: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => key.toUpperCase(),
  encodeURIComponent,
  (key) => [...key].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
  (key) => Buffer.from(key).toString('base64'),
  (key) => Buffer.from(key).toString('base64url'),
  (key) => Buffer.from(`user:${key}`).toString('base64url'),
  (key) => Buffer.from(`${key}:`).toString('base64url'),
  (key) => Buffer.from(key).toString('hex'),
  (key) => key.slice(0, -1),
  (key) => key.slice(Math.floor(key.length / 2)),
  (key) => key.slice(3, 3 + Math.ceil(key.length * 0.6)),
  ...['-', '.', '_', '/', ' ', '--'].flatMap((sign) => [
    (key: string) => key.replaceAll(/.{8}(?=.)/g, `$&${sign}`),
    (key: string) => key.replaceAll(/.{3}(?=.)/g, `$&${sign}`),
    (key: string) => `${key.slice(0, key.length / 2)}${sign}${key.slice(key.length / 2)}`,
  ]),
];

const places: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `${text}/1.0`,
  (text) => `${text}/1.0 axios/1.7`,
  (text) => `Acme%20${text.replaceAll(/[^a-z\d]/gi, '%20')}/3 CFNetwork/1240`,
  (text) => `acme-${text}/1.0`,
  (text) => `acme.${text}`,
  (text) => `${text}-acme/2.1 (x)`,
  (text) => `acme/${text}`,
  (text) => `acme/1.${text}`,
  (text) => `acme/1.0-${text}`,
  (text) => `acme/1.0+${text} axios/1.7`,
  (text) => `axios/1.7 ${text}`,
  (text) => `axios/1.7 ${text}/2.1`,
  (text) => `axios/${text} ${text}/2.1`,
  (text) => `(${text}) ${text}/2.1`,
  (text) => `acme (${text})`,
  (text) => `Bearer ${text}`,
  (text) => `key=${text}`,
  (text) => `${text}; ${text}/1, ${text}`,
];

/** Nothing of a key, in whichever form it came: not more than its documented prefix. */
const told = (key: string, text: string): string[] => {
  const plainly = text.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  const bare = key.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  const parts = Array.from({ length: Math.max(0, bare.length - 8) }, (_, i) => bare.slice(i, i + 9));
  return [...found([key], text), ...parts.filter((part) => plainly.includes(part))];
};

test('that came with the call', () => {
  fc.assert(
    fc.property(keys, fc.constantFrom(...encodings), fc.constantFrom(...places), fc.boolean(), (key, encode, place, isBearer) => {
      const text = place(encode(key));
      const { listed, named } = product(text, isBearer ? ['ak_another_0123456789', key] : [key]);
      // Each by itself: the beginning of one behind the end of the other is no part of a key.
      for (const shown of [listed, named, name(text, [key]) ?? '']) expect(told(key, shown)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test('that is of somebody else, and made as keys are', () => {
  // Letters alone may come out as words, once in some ten thousand: always the same are taken.
  fc.assert(
    fc.property(fc.oneof(...made), fc.constantFrom(...places), (key, place) => {
      const { listed, named } = product(place(key), ['ak_another_0123456789']);
      for (const shown of [listed, named, name(place(key), []) ?? '']) expect(told(key, shown)).toEqual([]);
    }),
    { numRuns: 3_000, seed: 17 },
  );
});
