/** Customers whose every text has a mark of its own: what stands in a report of one must have no mark of another. */
import fc from 'fast-check';
import type { ReportOptions } from '../../../src/report/build.ts';
import { minuteInMs } from '../../../src/contract/times.ts';
import { usualThresholds } from '../../../src/rollout/noise.ts';
import type { Rollout } from '../../../src/rollout/rules.ts';
import type { Mark } from '../../../src/usage/model.ts';
import { daily, daysAgo, hashOf, now, type StoreContent } from '../../helpers/usage-store.ts';
import { corpus } from '../hostile.ts';
import { began, comparisonRow, stepOf } from '../rollout/sample.ts';
import { anyText } from '../../helpers/any-text.ts';

/** Other people's text, as a store gives it back. */
const texts = fc
  .oneof(
    fc.constantFrom(...corpus.filter((text) => text.length < 200)),
    anyText({ maxLength: 12 }),
    fc.constantFrom('../', 'Subject: x\r\nBcc: y@evil.test\r\n\r\n', '=?utf-8?q?x?=', '{{name}}', '{{#each}}', 'CON', 'a'.repeat(300)),
  )
  .filter((text) => text.isWellFormed() && !text.includes('\0'));

export interface Customer {
  readonly mark: string;
  readonly origin: 'configured' | 'labelled' | 'unknown';
  readonly before: string;
  readonly behind: string;
  readonly days: number;
  readonly endpoint: string;
  readonly status: number;
}

export const customers: fc.Arbitrary<readonly Customer[]> = fc
  .array(
    fc.record({
      origin: fc.constantFrom('configured' as const, 'configured' as const, 'labelled' as const, 'unknown' as const),
      before: texts,
      behind: texts,
      days: fc.integer({ min: 0, max: 30 }),
      endpoint: fc.constantFrom('POST /v1/messages/send', 'GET /v1/contacts', 'unlisted'),
      status: fc.constantFrom(200, 404, 503),
    }),
    { minLength: 2, maxLength: 6 },
  )
  .map((all) => all.map((customer, index) => ({ ...customer, mark: `Zq${index}x` })));

/** Any text of theirs. */
export const textOf = ({ before, mark, behind }: Customer, what = ''): string => `${before}${mark}${what}${behind}`;
export const nameOf = (customer: Customer): string =>
  customer.origin === 'unknown' ? `${keyOf(customer).slice(0, 8)}…${hashOf(keyOf(customer)).slice(0, 8)}` : textOf(customer, 'name');
const keyOf = ({ mark }: Customer): string => `${mark}_key_of_theirs`;

export const contentOf = (all: readonly Customer[]): StoreContent => ({
  traffic: all.flatMap((customer) => {
    const own = {
      key: keyOf(customer),
      client: textOf(customer, 'client'),
      name: textOf(customer, 'header'),
      ...(customer.origin === 'labelled' && { workspace: nameOf(customer) }),
      endpoint: customer.endpoint,
      networks: [textOf(customer, 'network')],
    };
    return [
      { ...own, status: customer.status, calls: daily(customer.days + 5, customer.days, 7) },
      { ...own, endpoint: 'GET /v1/messages/:id', calls: daily(customer.days + 9, customer.days, 3), repeats: 0.5 },
      { ...own, outcome: 'refused' as const, status: 503, calls: [[daysAgo(customer.days) - minuteInMs, 1] as const] },
    ];
  }),
  recorded: [
    [90, 45],
    [45, 0],
  ],
  replicas: all.map((customer) => textOf(customer, 'replica')),
  steps: all.flatMap((customer, index) => [
    {
      ...stepOf('tripped', daysAgo(1) + index, textOf(customer, 'rule'), textOf(customer, 'detail')),
      replica: textOf(customer, 'replica'),
    },
    began(textOf(customer, 'brownout'), daysAgo(2) + index, daysAgo(2) + minuteInMs + index),
  ]),
  comparisons: all.flatMap((customer) => {
    const whose = { workspace: nameOf(customer), endpoint: textOf(customer, 'place') };
    return [comparisonRow('calls', 100, whose), comparisonRow('value', 90, { ...whose, path: textOf(customer, 'path') })];
  }),
});

export const marksOf = (all: readonly Customer[]): readonly Mark[] =>
  all.map((customer) => ({
    subject: customer.origin === 'unknown' ? `hash:${hashOf(keyOf(customer))}` : nameOf(customer),
    at: now - 1,
    status: 'contacted',
    until: null,
    note: textOf(customer, 'noted'),
  }));

export const optionsOf = (all: readonly Customer[]): Pick<ReportOptions, 'workspaces' | 'ignore' | 'rollout' | 'replicas'> => {
  const known = all.filter(({ origin }) => origin === 'configured');
  return {
    workspaces: known.map((customer) => ({
      name: nameOf(customer),
      keys: [`hash:${hashOf(keyOf(customer))}`],
      plan: 'Free',
      owner: textOf(customer, 'owner'),
      contact: textOf(customer, 'contact'),
      note: textOf(customer, 'note'),
    })),
    ignore: all.map((customer) => ({ reason: textOf(customer, 'reason'), endpoint: 'unlisted' })),
    rollout: rolloutOf(known),
    replicas: all.map((customer) => textOf(customer, 'missing')),
  };
};

const rolloutOf = (known: readonly Customer[]): Rollout => ({
  rules: known.map((customer) => ({
    name: textOf(customer, 'rule'),
    match: { workspace: known.map(nameOf) },
    stage: 'translate',
  })),
  brownouts: known.map((customer, index) => ({
    name: textOf(customer, 'to come'),
    match: index % 2 === 0 ? {} : { workspace: known.map(nameOf) },
    exempt: known.filter((_, other) => (other + index) % 3 === 0).map(nameOf),
    at: now + (index + 1) * 86_400_000,
    for: 60_000,
    ramp: 0,
    status: 503,
  })),
  compare: { sample: 1, concurrency: 1, share: 0.1, noise: usualThresholds, equal: [] },
  atSunset: 'stay',
  announce: true,
});
