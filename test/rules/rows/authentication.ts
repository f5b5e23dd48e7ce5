import type { Row } from '../row.ts';

const authentication = 'test/sandbox/authentication.test.ts';
const dashboard = 'test/sandbox/dashboard.test.ts';
const every = 'test/sandbox/every-endpoint.test.ts';
const keys = 'test/sandbox/keys.test.ts';
const errors = 'test/sandbox/errors.test.ts';

/** §5: authentication. */
export const authenticationRows: readonly Row[] = [
  {
    at: ['5.1'],
    rule: 'A v1 request carries its key in x-api-key, and needs nothing else to be let in',
    tests: [
      [authentication, '§5.1 a key in the field of its version lets the call in'],
      [authentication, 'the name of x-api-key may be in any case'],
    ],
  },
  {
    at: ['5.1'],
    rule: 'It carries exactly one key',
    assumptions: ['repeatedKeyText'],
    tests: [
      [authentication, '§5.1 exactly one key: the same good key twice is rejected'],
      [authentication, '§7 no key: 401 Missing API key'],
    ],
  },
  {
    at: ['5.1'],
    rule: 'The key says which workspace the request is for',
    tests: [[authentication, '§1 a key identifies a workspace, and all data is scoped to it']],
  },
  {
    at: ['5.2'],
    rule: 'Authorization: Bearer is no key on v1: 401',
    assumptions: ['bearerOnV1Text'],
    tests: [
      [authentication, '§5.2 a good key as Authorization: Bearer is not accepted on v1: 401'],
      [authentication, '§5.2 beside an unknown x-api-key, Authorization: Bearer does not help'],
    ],
  },
  {
    at: ['5.2'],
    rule: 'The dashboard accepts no keys',
    tests: [
      [every, '%s: a key of the API leads nowhere'],
      ['test/sandbox/control/guard.test.ts', 'the dashboard accepts no API keys: %j'],
    ],
  },
  { at: ['5.3'], rule: 'A read-only key may call every GET endpoint', tests: [[every, '%s: a read-only key may']] },
  {
    at: ['5.3'],
    rule: 'A read & write key may call the POST endpoints too',
    tests: [
      [every, '%s: a read & write key may'],
      [dashboard, 'a created key works on both versions, and its value is shown this once'],
    ],
  },
  {
    at: ['5.3'],
    rule: 'A read-only key gets 403 API_KEY_PERMISSION from every POST',
    tests: [
      [every, '%s: a read-only key may not, 403 API_KEY_PERMISSION'],
      [authentication, 'the access is checked before the body'],
    ],
  },
  {
    at: ['5.3'],
    rule: 'Not shown: whether PUT and DELETE need a read & write key; both do here, since read-only is said to mean GET',
    assumptions: ['putNeedsWrite'],
    tests: [
      [every, '%s, which is no GET: a read-only key may not'],
      [authentication, 'putNeedsWrite off > a read-only key may PUT'],
    ],
  },
  {
    at: ['5.4'],
    rule: 'Without a key, or with one that is unknown, deleted or expired: 401',
    tests: [
      [authentication, '§7 no key: 401 Missing API key'],
      [authentication, '§7 an unknown key: 401 Invalid API key'],
      [authentication, '§3 a deleted key is rejected: 401 Invalid API key'],
      [authentication, '§3 an expired key is rejected: 401 API key expired'],
      [errors, '$name: $status'],
    ],
  },
  {
    at: ['5.5'],
    rule: 'The value of a key cannot be had again after its creation',
    tests: [
      [keys, 'the value can be had when the key is made, and from nothing afterwards: only its first 8 characters are kept'],
      [dashboard, 'a created key works on both versions, and its value is shown this once'],
      ['test/sandbox/control/requests.test.ts', 'a key is listed without its value, changed and deleted'],
    ],
  },
  {
    at: ['5.5'],
    rule: 'A new key takes the place of a lost one, which is deleted',
    tests: [
      [keys, '§5 a key that replaces a deleted one has another value'],
      [dashboard, 'a deleted key is rejected at once, and cannot be changed'],
    ],
  },
  {
    at: ['5.6'],
    rule: 'Not shown: after how long keys expire; here none does unless a date is chosen for it',
    tests: [
      ['test/sandbox/not-shown.test.ts', 'api.md §5: a key without an expiry date does not expire'],
      [dashboard, 'a key expires when its instant is past, and lives again without one'],
    ],
  },
  {
    at: ['5.7'],
    rule: 'A v2 request carries its key as Authorization: Bearer',
    tests: [
      [authentication, '§5.1 a key in the field of its version lets the call in'],
      [authentication, 'a key in x-api-key alone is no key on v2: 401 Missing API key'],
      [authentication, 'another scheme than Bearer is no key'],
    ],
  },
  {
    at: ['5.7'],
    rule: 'Keys of v2 are made in the dashboard',
    tests: [[dashboard, 'a created key works on both versions, and its value is shown this once']],
  },
  {
    at: ['5.8'],
    rule: 'A receiver knows deliveries by their signature, an HMAC of the body',
    tests: [
      ['test/sandbox/webhooks/deliveries.test.ts', 'the documented fields, with a signature over the exact bytes'],
      ['test/examples/webhook-receiver-sandbox.test.ts', 'an inbound message is received, verified and handled'],
    ],
  },
];
