import type { Row } from '../row.ts';

const deliveries = 'test/sandbox/webhooks/deliveries.test.ts';
const limits = 'test/sandbox/limits.test.ts';
const counted = 'test/sandbox/limits-plans.test.ts';
const webhooks = 'test/sandbox/webhooks/endpoints.test.ts';

/** §8: limits. */
export const limitRows: readonly Row[] = [
  {
    at: ['8.1'],
    rule: 'v1 calls a minute are counted for each key, up to the limit of the plan, or that of the key where it is lower',
    tests: [
      [limits, 'each key has its own minute'],
      [limits, '§2 the limit of the key counts where it is lower than the plan’s'],
      [limits, '§2 the limit of the key does not raise the plan’s ceiling'],
      [limits, 'a minute that is used up does not keep v2 from answering, nor does the key’s own limit'],
      [limits, '200 calls at once on a limit of 50 > a key’s minute'],
    ],
  },
  {
    at: ['8.1'],
    rule: 'Not shown: the numbers of the plans',
    assumptions: [
      'v1RequestsPerMinuteFree',
      'v1RequestsPerMinuteStarter',
      'v1RequestsPerMinuteGrowth',
      'v1RequestsPerMinutePro',
      'v1RequestsPerMinuteAgency',
      'v1RequestsPerMinuteEnterprise',
    ],
    tests: [[counted, 'a minute: as assumed']],
  },
  {
    at: ['8.2'],
    rule: 'v1 calls a day are counted for each workspace, over all its keys, from 00:00 UTC',
    tests: [
      [limits, 'the workspace’s keys share the day'],
      [limits, 'another workspace has a day of its own'],
      [limits, 'it resets at 00:00 UTC, not a millisecond before'],
      [limits, 'calls of v2 do not use it up, and it does not keep v2 from answering'],
      [limits, '200 calls at once on a limit of 50 > %s: a workspace’s %s, over five keys'],
    ],
  },
  {
    at: ['8.2'],
    rule: 'Not shown: the numbers of the plans; the proxy too has to name one where v2 does not',
    assumptions: [
      'v1RequestsPerDayFree',
      'v1RequestsPerDayStarter',
      'v1RequestsPerDayGrowth',
      'v1RequestsPerDayPro',
      'v1RequestsPerDayAgency',
      'v1RequestsPerDayEnterprise',
      'dailyLimitFallback',
    ],
    tests: [
      [counted, 'a day: as assumed'],
      ['test/proxy/translate-limits.test.ts', 'the number of a daily limit > is read from %s as %i'],
    ],
  },
  {
    at: ['8.3', '8.4', '8.5'],
    rule: 'v2 calls an hour: 100 on Free, 1,000 on Pro, 10,000 on Agency; how the hour is counted is not shown',
    assumptions: ['hourlyLimitText', 'v2HourWindow'],
    tests: [
      [counted, '%s: %i, exactly'],
      [counted, 'each workspace has an hour of its own'],
      [limits, 'the plan Free allows 100 calls; the next is refused until the hour ends'],
      [limits, '§8 %s: %i v2 calls an hour, whatever is assumed'],
      [limits, 'the workspace’s keys share the hour'],
      ['test/proxy/budget/spending.test.ts', 'is the last sixty minutes, or a bucket, where that is assumed: %s'],
    ],
  },
  {
    at: ['8.6'],
    rule: 'v2 calls an hour on Enterprise: a number of the workspace’s own',
    tests: [
      [counted, 'Enterprise: the number that the workspace has of its own'],
      ['test/sandbox/dashboard.test.ts', 'own limits count in place of those of the plan, and null gives the plan’s back'],
    ],
  },
  {
    at: ['8.3', '8.6'],
    rule: 'Not shown: the number where a workspace has none of its own, and those of Starter and Growth',
    assumptions: ['v2RequestsPerHourStarter', 'v2RequestsPerHourGrowth', 'v2RequestsPerHourEnterprise'],
    tests: [[counted, '%s: as assumed']],
  },
  {
    at: ['8.7', '8.8', '8.9', '8.10'],
    rule: 'Webhook endpoints of a workspace: 2 on Free, 10 on Starter, 30 on Growth, 100 on Pro',
    tests: [
      [webhooks, 'four plans have a limit'],
      [webhooks, '$plan: $limit endpoints, exactly, though names resolve while others register'],
      [webhooks, 'endpoints of another workspace do not count'],
      [webhooks, 'a deleted endpoint makes room for another'],
    ],
  },
  {
    at: ['8.11'],
    rule: 'Any number of webhook endpoints on Agency; the number of Enterprise is not shown',
    assumptions: ['webhookEndpointsEnterprise'],
    tests: [
      [webhooks, '%s: unlimited'],
      [webhooks, 'assumption webhookEndpointsEnterprise: a number'],
    ],
  },
  {
    at: ['8.12'],
    rule: 'A receiver of webhooks has 8 seconds',
    tests: [
      ['test/sandbox/webhooks/time.test.ts', 'a receiver that has not answered by then has failed'],
      ['test/sandbox/webhooks/time.test.ts', 'a receiver that answers in the last millisecond is in time'],
    ],
  },
  {
    at: ['8.13', '8.14'],
    rule: 'Five attempts for each event and endpoint, the second after 5 seconds, then after ever longer waits',
    tests: [
      [deliveries, 'five attempts in all: at once and after 5, 15, 35 and 75 seconds'],
      [deliveries, 'not a millisecond before it is due'],
      [deliveries, 'two events are retried each at its own time'],
    ],
  },
  {
    at: ['8.15'],
    rule: 'An endpoint past the limit: 402 WEBHOOK_LIMIT',
    tests: [
      [webhooks, '$plan: $limit endpoints, exactly, though names resolve while others register'],
      ['test/sandbox/control/requests.test.ts', 'past the limit of the plan: 402 WEBHOOK_LIMIT'],
    ],
  },
  {
    at: ['8.15'],
    rule: 'A client that waits for the next minute is let in again; whether Retry-After says how long is not shown',
    assumptions: ['rateLimitRetryAfter'],
    tests: [
      [limits, 'the minute is that of the clock: calls go in again at its first millisecond'],
      [limits, 'at %s Retry-After is %s: whole seconds, never too few'],
      [limits, 'the minute’s and the hour’s 429 come without Retry-After where that is assumed'],
      [limits, 'calls that a limit refuses do not count'],
    ],
  },
];
