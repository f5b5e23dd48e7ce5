import type { Row } from '../row.ts';

const dashboard = 'test/sandbox/dashboard/webhooks.test.ts';
const deliveries = 'test/sandbox/webhooks/deliveries.test.ts';
const notifications = 'test/sandbox/webhooks/notifications.test.ts';
const post = 'test/sandbox/webhooks/post.test.ts';
const receiver = 'test/examples/webhook-receiver.test.ts';
const time = 'test/sandbox/webhooks/time.test.ts';
const webhooks = 'test/sandbox/webhooks/endpoints.test.ts';

/** §6: delivery, retries and setup. */
export const deliveryRows: readonly Row[] = [
  {
    at: ['6.24'],
    rule: 'Only a 2xx is a delivery',
    tests: [
      [post, 'the answer > %i is a delivery'],
      [post, '%i is none'],
    ],
  },
  {
    at: ['6.24'],
    rule: 'It has to come within 8 seconds',
    tests: [
      [time, 'a receiver that has not answered by then has failed'],
      [time, 'a receiver that answers in the last millisecond is in time'],
    ],
  },
  {
    at: ['6.24'],
    rule: 'Redirects are not followed',
    tests: [
      [post, '%i is none, and is not followed'],
      [deliveries, 'a redirect is not followed, and is a failure'],
    ],
  },
  {
    at: ['6.25'],
    rule: 'A delivery that failed is tried again, five times in all, after waits that grow exponentially from 5 seconds',
    tests: [
      [deliveries, 'five attempts in all: at once and after 5, 15, 35 and 75 seconds'],
      [deliveries, 'not a millisecond before it is due'],
      [deliveries, 'a receiver that breaks the connection has failed, and is tried again'],
    ],
  },
  {
    at: ['6.26'],
    rule: 'Where one endpoint fails, all of them get the event again',
    tests: [
      [deliveries, 'one failing endpoint has all endpoints tried again'],
      [deliveries, 'none once every endpoint has answered with a 2xx'],
    ],
  },
  {
    at: ['6.26'],
    rule: 'Receivers handle an event once, however often it comes',
    tests: [
      [receiver, 'handles a message once, whatever comes again: the same bytes, another timestamp, other bytes'],
      ['test/examples/webhook-receiver-sandbox.test.ts', 'a retry that another endpoint has caused is answered and not handled again'],
    ],
  },
  {
    at: ['6.27'],
    rule: 'After five failed deliveries in a row the workspace is notified; whether attempts count singly is not shown',
    assumptions: ['webhookAttemptsCountAsDeliveries'],
    tests: [
      [notifications, 'the workspace is notified once, and the endpoint stays active'],
      [notifications, 'a success ends the streak; five more failures are told again'],
      [notifications, 'four failures and a success are told to nobody'],
      [notifications, 'an event counts once, when its last attempt has failed'],
    ],
  },
  {
    at: ['6.27'],
    rule: 'The endpoint stays active',
    tests: [
      [notifications, 'the workspace is notified once, and the endpoint stays active'],
      [dashboard, 'after 5 failures the workspace is notified'],
    ],
  },
  {
    at: ['6.28'],
    rule: 'Not shown: by how much the waits grow, and how long they get',
    assumptions: ['webhookBackoffMultiplier', 'webhookBackoffMax'],
    tests: [[deliveries, 'assumptions webhookBackoffMultiplier and webhookBackoffMax']],
  },
  {
    at: ['6.29'],
    rule: 'An endpoint is at an https URL and a public address, when it is registered and whenever it is called',
    tests: [
      [webhooks, 'api.md §6: the URL > %s: 400'],
      [deliveries, 'an address that is not public is not called: the log says why'],
      [post, 'goes where the check found the name to be, though DNS says otherwise by then'],
    ],
  },
  {
    at: ['6.29'],
    rule: 'Events are chosen for each endpoint; those of one that chooses none are not shown',
    assumptions: ['webhookEventsDefault'],
    tests: [
      [deliveries, 'the endpoints that have chosen its kind'],
      [dashboard, 'an endpoint receives the events that are chosen for it, from then on'],
      ['test/sandbox/not-shown.test.ts', 'api.md §6: an endpoint that names no events receives those'],
    ],
  },
  {
    at: ['6.29'],
    rule: 'A secret is shown once; a new one ends it at once',
    tests: [
      [webhooks, 'api.md §2: every endpoint has a secret of its own, which is shown this once'],
      [dashboard, 'once the secret is regenerated, the old one signs nothing any more'],
    ],
  },
];
