import type { Row } from '../row.ts';

const dashboard = 'test/sandbox/dashboard.test.ts';
const deliveries = 'test/sandbox/webhooks/deliveries.test.ts';
const keys = 'test/sandbox/keys.test.ts';
const limits = 'test/sandbox/limits.test.ts';
const webhooks = 'test/sandbox/webhooks/endpoints.test.ts';

/** §2: keys, webhook endpoints and their deliveries. */
export const dashboardRows: readonly Row[] = [
  {
    at: ['2.9'],
    rule: 'The name of a key is chosen when it is made',
    tests: [
      [keys, 'a key has the name, access, expiry and limit that were chosen'],
      ['test/sandbox/not-shown.test.ts', 'api.md §2: nothing but its creation gives a key its name, access and value'],
    ],
  },
  {
    at: ['2.10'],
    rule: 'A key may read (GET), or read and write (POST too)',
    tests: [
      ['test/sandbox/every-endpoint.test.ts', '%s: a read-only key may'],
      ['test/sandbox/every-endpoint.test.ts', '%s: a read-only key may not, 403 API_KEY_PERMISSION'],
      ['test/sandbox/every-endpoint.test.ts', '%s: a read & write key may'],
    ],
  },
  {
    at: ['2.11'],
    rule: 'A key may have an expiry date, after which it is rejected',
    tests: [
      ['test/sandbox/authentication.test.ts', '§2 a key is good up to its expiry date and rejected after it'],
      ['test/sandbox/not-shown.test.ts', 'api.md §5: a key without an expiry date does not expire'],
    ],
  },
  {
    at: ['2.12'],
    rule: 'The value of a key is shown when it is made; from then on only how it begins',
    tests: [
      [keys, 'the value can be had when the key is made, and from nothing afterwards: only its first 8 characters are kept'],
      [dashboard, 'a created key works on both versions, and its value is shown this once'],
      ['test/sandbox/sandbox.test.ts', 'a value is shown once; afterwards only a prefix is visible'],
    ],
  },
  {
    at: ['2.13'],
    rule: 'A key may have its own limit a minute, which counts where it is lower than that of the plan',
    tests: [
      [limits, '§2 the limit of the key counts where it is lower than the plan’s'],
      [limits, '§2 the limit of the key does not raise the plan’s ceiling'],
      [dashboard, 'a key keeps to its own limit'],
    ],
  },
  {
    at: ['2.14'],
    rule: 'Keys are made in the dashboard, by owners and admins only',
    tests: [
      [dashboard, 'an %s creates, changes and deletes keys'],
      [dashboard, 'a member does not'],
      ['test/sandbox/control/surface.test.ts', 'a member creates no keys'],
    ],
  },
  {
    at: ['2.15'],
    rule: 'The URL of a webhook endpoint begins with https:// and resolves to public addresses only',
    assumptions: ['webhookUrlText'],
    tests: [
      [webhooks, 'api.md §6: the URL > %s: 400'],
      ['test/sandbox/webhooks/address.test.ts', 'an address > %s is refused: %s'],
      ['test/sandbox/webhooks/address.test.ts', 'is refused when one of its addresses is not public, whichever'],
      ['test/sandbox/dashboard/webhooks.test.ts', '%s is refused, with what to do about it'],
    ],
  },
  {
    at: ['2.16'],
    rule: 'An endpoint receives the kinds of events that are chosen for it, of those in §6',
    assumptions: ['webhookEventsText'],
    tests: [
      [webhooks, '%j is no list of kinds: 400'],
      [deliveries, 'the endpoints that have chosen its kind'],
    ],
  },
  {
    at: ['2.17'],
    rule: 'A signing secret begins with whsec_, is shown when it is made and never again, and can be made anew',
    tests: [
      [webhooks, 'api.md §2: every endpoint has a secret of its own, which is shown this once'],
      ['test/sandbox/dashboard/webhooks.test.ts', 'the secret is shown when the endpoint is registered, and never again'],
      ['test/sandbox/control/requests.test.ts', 'an endpoint is registered, changed and deleted'],
    ],
  },
  {
    at: ['2.18', '2.19'],
    rule: 'A delivery says the kind of the event, and has an object of data',
    tests: [
      [deliveries, 'event, data and timestamp and nothing else, as one JSON text'],
      ['test/sandbox/webhooks/events.test.ts', '%s, with a sample where no data are given'],
    ],
  },
  {
    at: ['2.20'],
    rule: 'A delivery has a timestamp in UTC, ISO 8601 with milliseconds',
    tests: [
      [deliveries, 'event, data and timestamp and nothing else, as one JSON text'],
      ['test/sandbox/webhooks/events.test.ts', 'the timestamp is the sandbox’s time'],
    ],
  },
];
