import type { Row } from '../row.ts';

const authentication = 'test/sandbox/authentication.test.ts';
const dashboard = 'test/sandbox/dashboard/webhooks.test.ts';
const deliveries = 'test/sandbox/webhooks/deliveries.test.ts';
const keys = 'test/sandbox/keys.test.ts';
const lifeCycles = 'test/sandbox/dashboard/life-cycles.test.ts';

/** §3: states and transitions. */
export const stateRows: readonly Row[] = [
  {
    at: ['3.1'],
    rule: 'Not shown: the states of messages and campaigns, and how they follow on each other; contacts have none here',
    assumptions: [
      'initialDeliveryStatus',
      'deliveryStatuses',
      'failedDeliveryStatus',
      'initialCampaignStatus',
      'sentCampaignStatus',
      'campaignStatuses',
    ],
    tests: [
      [lifeCycles, 'goes from status to status, as clients see'],
      [lifeCycles, 'does not go on after the last one'],
      [lifeCycles, 'fails at any time, and then goes nowhere'],
      [lifeCycles, 'takes any of its statuses, and no other'],
      ['test/sandbox/not-shown.test.ts', 'api.md §3: delivery fails, and campaigns go on, by those'],
    ],
  },
  {
    at: ['3.2'],
    rule: 'A key is active, deleted or expired',
    tests: [
      ['test/sandbox/sandbox.test.ts', 'a list of keys tells their states'],
      [keys, 'a key that was deleted stays in the list, as deleted'],
    ],
  },
  {
    at: ['3.2'],
    rule: 'A key that is deleted or expired is rejected with 401',
    tests: [
      [authentication, '§3 a deleted key is rejected: 401 Invalid API key'],
      [authentication, '§3 an expired key is rejected: 401 API key expired'],
      [keys, '§3 a key that is deleted is rejected from the next call on'],
      [keys, '§3 the passing of its expiry date rejects a key, and another date lets it in again'],
    ],
  },
  {
    at: ['3.2'],
    rule: 'Not shown: other changes of a key than its deletion and the passing of its expiry date; a deleted key stays deleted here',
    assumptions: ['keyChangesNeedAdmin'],
    tests: [
      [keys, 'a key that has expired lives again with a later expiry, one that was deleted does not'],
      ['test/sandbox/dashboard.test.ts', 'they still cannot create any (api.md §2)'],
    ],
  },
  { at: ['3.3'], rule: 'The states of a webhook secret', noTest: 'The title of the table that follows' },
  {
    at: ['3.4'],
    rule: 'Once a secret is made anew, the old one is dead at once',
    tests: [
      [dashboard, 'once the secret is regenerated, the old one signs nothing any more'],
      [deliveries, 'api.md §3: a regenerated secret signs the next attempt, the old one is dead at once'],
    ],
  },
  {
    at: ['3.4'],
    rule: 'The new secret is shown this once',
    tests: [['test/sandbox/control/requests.test.ts', 'an endpoint is registered, changed and deleted']],
  },
  {
    at: ['3.5'],
    rule: 'An endpoint that keeps failing goes on being called',
    tests: [['test/sandbox/webhooks/notifications.test.ts', 'the workspace is notified once, and the endpoint stays active']],
  },
  {
    at: ['3.5'],
    rule: 'A user pauses or deletes it in the dashboard',
    tests: [
      [dashboard, 'a paused endpoint receives nothing until it is resumed'],
      [dashboard, 'a deleted endpoint is gone'],
      [deliveries, 'an endpoint that was paused gets no retry; the others do'],
      [deliveries, 'an endpoint that was deleted gets no retry; the others do'],
    ],
  },
];
