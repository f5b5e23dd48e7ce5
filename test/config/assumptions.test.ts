/** What can be the answer to an open question: a sandbox or a proxy that assumes what cannot be proves nothing. */
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { parseOptions } from '../../src/config/parse.ts';
import { loadSettings } from '../../src/config/load.ts';
import { type AssumptionName, openQuestions } from '../../src/contract/assumptions.ts';
import { createMigrationProxy, createSandbox, type SandboxOptions } from '../../src/index.ts';
import { LogLines } from '../helpers/proxy.ts';

/** As `--assume` has it: what cannot be, and what can. */
type Values = readonly [bad: readonly string[], good: readonly string[]];
const words: Values = [[''], ['Something else', 'ä']];
const aCount: Values = [
  ['0', '-1', '1.5', 'many', '1e3', '', '9007199254740993'],
  ['1', '1000000'],
];
const aSwitch: Values = [
  ['maybe', ''],
  ['true', '0'],
];
const success: Values = [
  ['99', '199', '300', '410', 'OK', ''],
  ['200', '202'],
];
const withContent: Values = [[...success[0], '204', '205'], success[1]];
const failure: Values = [
  ['200', '399', '600', '', '4xx'],
  ['400', '404', '503'],
];
const anInstant: Values = [['2026-12-31', '31 December', '1e3', ''], ['2026-06-30T23:59:59+01:00']];
const aField: Values = [['', 'id', 'createdAt', 'updatedAt', '__proto__', 'name', 'tags', 'customFields', 'company', 'notes'], ['mobile']];
const states: Values = [
  ['', 'A,,B', 'A,B,A'],
  ['A', 'A,B'],
];
const filters: Values = [
  ['page', 'status,limit', 'to,to', ','],
  ['', 'to', 'to,status'],
];

const perPlan = (name: string): Partial<Record<AssumptionName, Values>> =>
  Object.fromEntries(Object.keys(openQuestions).flatMap((question) => (question.startsWith(name) ? [[question, aCount]] : [])));

const values: Partial<Record<AssumptionName, Values>> = {
  ...Object.fromEntries(Object.keys(openQuestions).flatMap((name) => (name.endsWith('Text') ? [[name, words]] : []))),
  ...perPlan('v1RequestsPerMinute'),
  ...perPlan('v1RequestsPerDay'),
  ...perPlan('v2RequestsPerHour'),
  sunsetAt: anInstant,
  deprecatedSince: anInstant,
  migrationGuideUrl: [
    ['guide', 'ftp://example.com', '//example.com'],
    ['', 'https://example.com/guide'],
  ],
  // api.md §7: the text of a 401 is one of three.
  bearerOnV1Text: [
    ['', 'No', 'missing API key'],
    ['Missing API key', 'Invalid API key', 'API key expired'],
  ],
  repeatedKeyText: [
    ['', 'No'],
    ['Missing API key', 'Invalid API key', 'API key expired'],
  ],
  dailyLimitStatus: failure,
  dailyLimitUpgradeUrl: [
    ['', 'settings', 'https://example.com/billing', '//example.com'],
    ['/', '/plans?from=api'],
  ],
  dailyLimitFallback: [
    ['-1', 'none', '0.5'],
    ['0', '1'],
  ],
  sunsetStatus: failure,
  webhookEndpointsEnterprise: [
    ['-1', 'any'],
    ['0', '500'],
  ],
  rateLimitRetryAfter: aSwitch,
  v2HourWindow: [
    ['', 'hourly'],
    ['sliding', 'bucket'],
  ],
  keyChangesNeedAdmin: aSwitch,
  webhookEventsDefault: [
    ['', 'order.create', 'lead.created,lead.created'],
    ['lead.created', 'order.created,test.ping'],
  ],
  webhookBackoffMultiplier: [
    ['0', '-2', '1.5', '1000000'],
    ['1', '3'],
  ],
  webhookBackoffMax: [
    ['0', '1e9', '31536001'],
    ['1', '31536000'],
  ],
  webhookAttemptsCountAsDeliveries: aSwitch,
  inboundCreatesContact: aSwitch,
  putNeedsWrite: aSwitch,
  headLikeGet: aSwitch,
  createdStatus: withContent,
  // The answer to a send carries the messageId (api.md §4).
  sendStatus: withContent,
  deleteStatus: [success[0], [...success[1], '204']],
  initialDeliveryStatus: words,
  initialCampaignStatus: words,
  deliveryStatuses: states,
  failedDeliveryStatus: words,
  campaignStatuses: states,
  sentCampaignStatus: [
    ['', 'DRAFT', 'LOST'],
    ['SENDING', 'SENT'],
  ],
  putKeepsFields: aSwitch,
  contactPhoneField: aField,
  contactEmailField: aField,
  contactFields: [
    ['id', 'phone,createdAt', 'name,name', ','],
    ['', 'name', 'nickname,age'],
  ],
  contactIdentityExact: aSwitch,
  contactSearchParameter: [
    ['', 'page', 'limit'],
    ['q', 'phone'],
  ],
  messageFilterParameters: filters,
  contactFilterParameters: [[...filters[0], 'search', 'phone,search'], filters[1]],
  v2UnacceptedFieldStatus: failure,
  pageDefault: aCount,
  limitDefault: [aCount[0], ['1', '100']],
  limitMax: aCount,
};

const assume = (...pairs: readonly string[]) => loadSettings('sandbox', { flags: { assume: pairs }, env: {}, cwd: tmpdir() });

test('every open question has a value that cannot be, and one that can', () => {
  expect(Object.keys(openQuestions).filter((name) => !(name in values))).toEqual([]);
  expect(Object.keys(values).filter((name) => !(name in openQuestions))).toEqual([]);
});

const rows = Object.entries(values) as [AssumptionName, Values][];

test.each(rows)('%s', async (name, [bad, good]) => {
  for (const value of bad) await expect(assume(`${name}=${value}`), `${name}=${value}`).rejects.toThrow(`--assume ${name}: `);
  for (const value of good) expect((await assume(`${name}=${value}`)).assumptions, value).toHaveProperty(name);
});

test('what is assumed by itself can be', () => {
  const all = Object.fromEntries(Object.entries(openQuestions).map(([name, { value }]) => [name, value]));
  expect(parseOptions('sandbox', { assumptions: all }).assumptions).toEqual(all);
});

describe('answers that contradict each other are refused', () => {
  test.each<[string[], string]>([
    [['contactPhoneField=email'], 'contactPhoneField: contactPhoneField and contactEmailField must be two fields'],
    [['contactEmailField=phone'], 'contactEmailField: contactPhoneField and contactEmailField must be two fields'],
    [['contactEmailField=x', 'contactPhoneField=x'], 'contactPhoneField: contactPhoneField and contactEmailField must be two fields'],
    [['sunsetAt=2026-05-31T23:59:59Z'], 'sunsetAt: deprecatedSince must not be later than sunsetAt (RFC 9745 §4)'],
    [['deprecatedSince=2027-01-01T00:00:00Z'], 'deprecatedSince: deprecatedSince must not be later than sunsetAt (RFC 9745 §4)'],
    [['limitDefault=101'], 'limitDefault: limitDefault must not be larger than limitMax'],
    [['limitDefault=11', 'limitMax=10'], 'limitDefault: limitDefault must not be larger than limitMax'],
    [['failedDeliveryStatus=READ'], 'failedDeliveryStatus: failedDeliveryStatus must be none of deliveryStatuses'],
    [['initialCampaignStatus=SENDING'], 'initialCampaignStatus: sentCampaignStatus must not be initialCampaignStatus'],
    [['sentCampaignStatus=A', 'campaignStatuses=B,C'], 'sentCampaignStatus: sentCampaignStatus must be one of campaignStatuses'],
    [
      ['contactSearchParameter=phone', 'contactFilterParameters=phone,name'],
      'contactFilterParameters: contactFilterParameters must not have contactSearchParameter',
    ],
    [['deliveryStatuses=SENT,FAILED'], 'deliveryStatuses: failedDeliveryStatus must be none of deliveryStatuses'],
  ])('%j', async (pairs, message) => {
    await expect(assume(...pairs)).rejects.toThrow(`--assume ${message}`);
  });
  test.each<[string[]]>([
    [['contactPhoneField=email', 'contactEmailField=phone']],
    [['sunsetAt=2026-06-01T00:00:00Z']],
    [['sunsetAt=2026-05-31T00:00:00Z', 'deprecatedSince=2026-05-01T00:00:00Z']],
    // A larger limit is cut to the largest one: so is the default.
    [['limitMax=10']],
    [['limitDefault=101', 'limitMax=101']],
    [['deliveryStatuses=SENT,FAILED', 'failedDeliveryStatus=LOST']],
    [['sentCampaignStatus=GOING', 'campaignStatuses=NEW,GOING,GONE', 'initialCampaignStatus=NEW']],
    [['campaignStatuses=DRAFT,DONE']],
    // Of the parameters that are assumed by themselves, the search takes its own.
    [['contactSearchParameter=phone']],
  ])('these do not: %j', async (pairs) => {
    expect(Object.keys((await assume(...pairs)).assumptions)).toHaveLength(pairs.length);
  });
});

describe('whoever is given them says what is allowed', () => {
  const wrong = { assumptions: { sunsetStatus: 200, sunsetText: 'x' } };
  const refused = expect.objectContaining({
    code: 'CONFIG_INVALID',
    key: 'assumptions.sunsetStatus',
    message: 'assumptions.sunsetStatus: 200 is not a status code from 400 to 599',
  });
  const { logger } = new LogLines();

  test('createSandbox', () => expect(() => createSandbox(wrong)).toThrow(refused));
  test('createMigrationProxy', () =>
    expect(createMigrationProxy({ v2Base: 'http://127.0.0.1:9', logger, store: 'none', ...wrong })).rejects.toEqual(refused));
  test('a value that is undefined is as if it were absent', async () => {
    await using sandbox = createSandbox({
      assumptions: { sunsetStatus: undefined } as unknown as NonNullable<SandboxOptions['assumptions']>,
    });
    expect(Object.keys(sandbox.describe('v1')['x-unlisted'].responses)).toContain('410');
  });
  test.each<[SandboxOptions['assumptions'] | object]>([
    [{ notFoundText: 5 }],
    [{ contactFields: [1] }],
    [{ sunsetStatus: null }],
    [{ campaignStatuses: ['A', 'A'] }],
    [{ contactPhoneField: 'email' }],
  ])('a value of another type, or in JavaScript’s form: %j', (assumptions) => {
    expect(() => createSandbox({ assumptions } as SandboxOptions)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});
