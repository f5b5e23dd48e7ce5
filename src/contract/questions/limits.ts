/** Open questions of the limits of plans, and of keys. */
import { whole } from '../domains.ts';
import { perPlan, type Questions } from './question.ts';
export const limitQuestions = {
  ...perPlan(
    'v1RequestsPerMinute',
    { Free: 60, Starter: 120, Growth: 300, Pro: 600, Agency: 1_200, Enterprise: 6_000 },
    (plan) => `How many v1 calls a minute may a key make on the plan ${plan}?`,
    'The per-plan numbers are not shown',
  ),
  ...perPlan(
    'v1RequestsPerDay',
    { Free: 1_000, Starter: 5_000, Growth: 20_000, Pro: 50_000, Agency: 200_000, Enterprise: 1_000_000 },
    (plan) => `How many v1 calls a day may a workspace make on the plan ${plan}?`,
    'The per-plan numbers are not shown',
  ),
  ...perPlan(
    'v2RequestsPerHour',
    { Starter: 250, Growth: 500, Enterprise: 100_000 },
    (plan) => `How many v2 calls an hour may a workspace make on the plan ${plan}?`,
    'Not shown for Starter and Growth, custom for Enterprise; between the published neighbours',
  ),
  webhookEndpointsEnterprise: {
    question: 'How many webhook endpoints may a workspace have on the plan Enterprise, where 0 stands for any number?',
    value: 0,
    reason: 'Not shown; the next smaller plan is unlimited',
    domain: whole(0),
  },
  rateLimitRetryAfter: {
    question: 'Do the per-minute 429 of v1 and the hourly one of v2 carry Retry-After?',
    value: true,
    reason: 'RFC 6585 §4 allows it, and clients are told to wait for the next window',
    domain: 'switch',
  },
  v2HourWindow: {
    question:
      'How does v2 count an hour: hours of the clock (fixed), the last sixty minutes (sliding), or a bucket that fills up evenly (bucket)?',
    value: 'fixed',
    reason: 'The number alone is shown; v1 counts minutes and days of the clock. What v2 says in RateLimit fields stands before it',
    domain: { oneOf: ['fixed', 'sliding', 'bucket'] },
  },
  keyChangesNeedAdmin: {
    question: 'Does it take an owner or admin to delete a key, or to change its expiry and limit?',
    value: true,
    reason: 'Shown for the creation of keys only; the same right is the likeliest',
    domain: 'switch',
  },
} as const satisfies Questions;
