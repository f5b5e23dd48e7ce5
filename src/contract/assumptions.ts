/**
 * Open questions: what api.md does not show, the value the kit assumes, and why.
 * A setting `assumptions.<name>` (or `--assume name=value`) overrides each of them. docs/open-questions.md lists them from here.
 */
import { keyTexts, v1Auth, v2Auth } from './auth.ts';
import { deprecatedSince, sunsetAt } from './dates.ts';
import { type Domain, failure, success, whole } from './domains.ts';
import { eventKindNames } from './events.ts';
import { channels, listContactsParameters } from './fields.ts';
import { type Plan, plans } from './plans.ts';

const textsOf401: Domain = { oneOf: Object.values(keyTexts) };
/** Names that are the service's own, or JavaScript's, cannot hold what clients write. */
const ownFields = ['id', 'createdAt', 'updatedAt', '__proto__'] as const;
/** Nor can these hold a phone number or an email. */
const nameFields = ['name', 'firstName', 'lastName'] as const;
const identityField: Domain = { noneOf: [...ownFields, ...nameFields] };
/** A list's page is asked for by these. */
const parameter: Domain = { noneOf: listContactsParameters.map(({ name }) => name) };

export interface OpenQuestion<Value> {
  /** What nobody outside the service knows. */
  readonly question: string;
  readonly value: Value;
  /** Why this value is assumed. */
  readonly reason: string;
  /** What else it could be. */
  readonly domain: Domain;
}

const text = (
  question: string,
  value: string,
  reason = 'Only the three 401 texts are shown; clients should not depend on the others',
  domain: Domain = 'text',
): OpenQuestion<string> => ({ question, value, reason, domain });

/** One question for each of these plans: `name` and the plan are its name. */
function perPlan<Name extends string, Of extends Plan>(
  name: Name,
  values: Readonly<Record<Of, number>>,
  question: (plan: string) => string,
  reason: string,
): { readonly [Row in `${Name}${Of}`]: OpenQuestion<number> } {
  const rows = plans
    .filter((plan): plan is Of => plan in values)
    .map((plan) => [`${name}${plan}`, { question: question(plan), value: values[plan], reason, domain: whole(1) }]);
  // Object.fromEntries forgets the names; they are exactly those of the type.
  return Object.fromEntries(rows) as { readonly [Row in `${Name}${Of}`]: OpenQuestion<number> };
}

export const openQuestions = {
  sunsetAt: text(
    'At which instant of 31 December 2026 is v1 switched off?',
    sunsetAt,
    'The earliest reading is the only one that surprises nobody',
    'instant',
  ),
  deprecatedSince: text(
    'On which day of June 2026 did the deprecation begin?',
    deprecatedSince,
    'The earliest reading of "since June 2026"',
    'instant',
  ),
  migrationGuideUrl: text(
    'Where is the migration guide?',
    '',
    'A guide exists but its address is not shown; while empty, the Link fields point to the v2 base address',
    'urlOrNone',
  ),

  bearerOnV1Text: text(
    `Which of the three 401 texts does v1 answer when only ${v2Auth.fieldName}: ${v2Auth.scheme} is sent?`,
    keyTexts.missing,
    'The key field is indeed missing',
    textsOf401,
  ),
  repeatedKeyText: text(
    `Which 401 text does v1 answer when ${v1Auth.field} is sent more than once?`,
    keyTexts.invalid,
    'Servers join repeated fields with a comma, and the joined value is no known key',
    textsOf401,
  ),
  missingFieldText: text('What does the 400 for a missing field say?', 'Missing required field: {field}'),
  invalidChannelText: text('What does the 400 for a channel outside the enum say?', `channel must be one of ${channels.join(', ')}`),
  invalidJsonText: text('What does the 400 for invalid JSON say?', 'Invalid JSON'),
  contentTypeText: text('What does the 400 for a missing Content-Type say?', 'Content-Type must be application/json'),
  badRequestText: text('What does any other 400 say?', 'Bad request'),
  permissionText: text('What does the 403 for a read-only key say?', 'API key lacks write permission'),
  notFoundText: text('What does a 404 say?', 'Not found'),
  contactExistsText: text('What does the 409 for a duplicate contact say?', 'Contact already exists'),
  rateLimitedText: text('What does the per-minute 429 say?', 'Rate limit exceeded'),
  dailyLimitText: text('What does the daily-limit answer say?', 'Daily API limit reached'),
  serverFaultText: text('What does a 500 say?', 'Internal server error'),
  hourlyLimitText: text('What does the 429 of v2 past the hourly limit say?', 'Hourly rate limit exceeded'),
  sunsetText: text('What does v1 say once it is switched off?', 'API v1 was switched off; use v2'),
  webhookUrlText: text(
    'What does the 400 for a webhook URL say that is not https or not public?',
    'url must be https and resolve to a public address',
  ),
  webhookEventsText: text('What does the 400 for webhook events say that are not known?', 'events must be a list of event kinds'),
  webhookLimitText: text('What does the 402 past the webhook endpoint limit say?', 'Webhook endpoint limit reached'),

  dailyLimitStatus: {
    question: 'Which HTTP status does the daily-limit answer have?',
    value: 429,
    reason: 'The reference calls it "429-class"',
    domain: failure,
  },
  dailyLimitUpgradeUrl: text('Which path does upgradeUrl hold?', '/settings/billing', 'Only its type is shown', 'path'),
  dailyLimitFallback: {
    question: 'Which number does limit hold when v2 does not say?',
    value: 0,
    reason: 'The per-plan numbers are not shown; 0 is an integer that no plan has',
    domain: whole(0),
  },

  sunsetStatus: {
    question: 'Which HTTP status does v1 answer with once it is switched off?',
    value: 410,
    reason: 'RFC 9110 §15.5.11: no longer available, and likely for good',
    domain: failure,
  },
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
  keyChangesNeedAdmin: {
    question: 'Does it take an owner or admin to delete a key, or to change its expiry and limit?',
    value: true,
    reason: 'Shown for the creation of keys only; the same right is the likeliest',
    domain: 'switch',
  },

  webhookEventsDefault: {
    question: 'Which events does a webhook endpoint receive when its registration names none?',
    value: ['lead.created', 'booking.created', 'order.created', 'message.received'],
    reason: 'Events are chosen per endpoint; test.ping is sent on a click, whatever is chosen',
    domain: { listOf: { oneOf: eventKindNames }, least: 1 },
  },
  webhookBackoffMultiplier: {
    question: 'By how much does each wait before a webhook retry grow?',
    value: 2,
    reason: 'Exponential from 5 seconds is shown, the multiplier is not',
    domain: whole(1, 100),
  },
  webhookBackoffMax: {
    question: 'How many seconds does a webhook retry wait at most?',
    value: 3_600,
    reason: 'The maximum is not shown; five attempts do not reach this one',
    domain: whole(1, 31_536_000),
  },
  webhookAttemptsCountAsDeliveries: {
    question: 'Do the attempts of one event count singly towards the 5 consecutive failed deliveries?',
    value: true,
    reason: 'The earliest notification surprises nobody; otherwise an event counts once, when its last attempt has failed',
    domain: 'switch',
  },
  inboundCreatesContact: {
    question: 'Does an inbound message from an unknown number create a contact?',
    value: true,
    reason: 'message.received always carries a contactId',
    domain: 'switch',
  },

  putNeedsWrite: {
    question: 'Does PUT need a Read & write key?',
    value: true,
    reason: 'Read only is shown to mean GET requests',
    domain: 'switch',
  },
  headLikeGet: {
    question: 'Does v1 answer HEAD where it answers GET?',
    value: true,
    reason: 'RFC 9110 §9.1: every general-purpose server supports GET and HEAD',
    domain: 'switch',
  },

  createdStatus: {
    question: 'Which status does creating a contact, a campaign or a webhook endpoint answer with?',
    value: 201,
    reason: 'RFC 9110 §15.3.2; the proxy passes on whatever v2 says',
    domain: success,
  },
  sendStatus: {
    question: 'Which status does sending a message or a campaign answer with?',
    value: 200,
    reason: 'Nothing that can be read at an address of its own is named as created',
    domain: { ...success, except: [204, 205] },
  },
  deleteStatus: {
    question: 'Which status does deleting a contact or a webhook endpoint on v2 answer with?',
    value: 200,
    reason: 'The other answers carry a body, so this one does',
    domain: success,
  },
  initialDeliveryStatus: text(
    'Which delivery status does a message have when it was just sent?',
    'QUEUED',
    'The values are not shown; the channels are written in capitals',
  ),

  initialCampaignStatus: text('Which status does a campaign have when it was just created?', 'DRAFT', 'The states are not shown'),
  deliveryStatuses: {
    question: 'Through which delivery statuses does a message go?',
    value: ['QUEUED', 'SENT', 'DELIVERED', 'READ'],
    reason: 'The values are not shown; the usual ones of the channels',
    domain: { listOf: 'text', least: 1 },
  },
  failedDeliveryStatus: text(
    'Which delivery status does a message have that could not be delivered?',
    'FAILED',
    'The values are not shown; it can follow on any other',
  ),
  campaignStatuses: {
    question: 'Through which states does a campaign go?',
    value: ['DRAFT', 'SENDING', 'SENT'],
    reason: 'The states are not shown',
    domain: { listOf: 'text', least: 1 },
  },
  sentCampaignStatus: text(
    'Which status does a campaign have when it was just sent?',
    'SENDING',
    'The states are not shown; nor is it that one that was sent is refused, so that it may be sent again, and its stats count on',
  ),
  putKeepsFields: {
    question: 'Does PUT keep the fields of a contact or a campaign that its body does not name?',
    value: true,
    reason: 'Clients that send only what changes lose nothing; replacing would drop fields unseen',
    domain: 'switch',
  },

  contactPhoneField: text(
    'What is the field of a contact called that holds its phone number?',
    'phone',
    'Field names are not shown',
    identityField,
  ),
  contactEmailField: text(
    'What is the field of a contact called that holds its email address?',
    'email',
    'Field names are not shown',
    identityField,
  ),
  contactFields: {
    question: 'Which fields does a contact body accept?',
    value: ['phone', 'email', 'name', 'firstName', 'lastName', 'company', 'tags', 'customFields', 'notes'],
    reason: 'Field names are not shown; an unaccepted field must exist for the documented 500',
    domain: { listOf: { noneOf: ownFields }, least: 0 },
  },
  contactIdentityText: text(
    'What does the 400 for a contact with neither phone nor email say?',
    'phone or email is required',
    'A contact is identified by its phone number or its email',
  ),
  contactIdentityExact: {
    question:
      'Are two contacts with one phone number or email in different ways of writing (+15550100 and 1 555 0100, a@x.y and A@x.y) two contacts?',
    value: true,
    reason: 'Formats are not shown; otherwise phone numbers are compared by their digits and emails in lower case',
    domain: 'switch',
  },
  contactSearchParameter: text(
    'Which query parameter of GET /v2/contacts finds a contact by phone or email?',
    'search',
    '"List contacts with search and filters"; used to complete a 409 that lacks the existing contact: the phone number is searched first, the email only where that finds nothing, so at most two GETs',
    parameter,
  ),
  messageFilterParameters: {
    question: 'By which query parameters does GET /v2/messages filter?',
    value: ['channel', 'to', 'status'],
    reason: 'Not shown; the fields of a message. Parameters that are not known are ignored',
    domain: { listOf: parameter, least: 0 },
  },
  contactFilterParameters: {
    question: 'By which query parameters does GET /v2/contacts filter, besides the search?',
    value: ['phone', 'email', 'name', 'company'],
    reason: 'Not shown; fields of a contact. Parameters that are not known are ignored',
    domain: { listOf: parameter, least: 0 },
  },
  v2UnacceptedFieldStatus: {
    question: 'What does v2 answer to an unaccepted contact field?',
    value: 500,
    reason: 'The same service; v1 is shown to answer 500',
    domain: failure,
  },

  pageDefault: {
    question: 'Which page is listed when page is absent or not a positive integer?',
    value: 1,
    reason: 'Bounds and defaults are not shown',
    domain: whole(1),
  },
  limitDefault: {
    question: 'How many entries does a page have when limit is absent or not a positive integer?',
    value: 20,
    reason: 'Bounds and defaults are not shown',
    domain: whole(1),
  },
  limitMax: {
    question: 'What is the largest limit?',
    value: 100,
    reason: 'Bounds and defaults are not shown; a larger limit is cut to this',
    domain: whole(1),
  },
} as const satisfies Record<string, OpenQuestion<string | number | boolean | readonly string[]>>;

export type AssumptionName = keyof typeof openQuestions;

type Widen<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : readonly string[];
/** The value of every open question, after overrides. */
export type Assumptions = { readonly [Name in AssumptionName]: Widen<(typeof openQuestions)[Name]['value']> };

/**
 * The assumed values with the given ones in their place.
 * @param overrides values by the name of the question, each in its domain (src/config checks them); undefined stands for the assumed one
 */
export function assume(overrides: Partial<Assumptions> = {}): Assumptions {
  const assumed = Object.fromEntries(Object.entries(openQuestions).map(([name, row]) => [name, row.value]));
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  // Object.fromEntries forgets the keys; they are exactly those of openQuestions.
  return { ...assumed, ...Object.fromEntries(given) } as Assumptions;
}

interface Contradiction {
  /** Whoever gives one of these is told of it. */
  readonly given: readonly AssumptionName[];
  readonly is: (assumptions: Assumptions) => boolean;
  readonly rule: string;
}

const contradictions: readonly Contradiction[] = [
  {
    given: ['contactPhoneField', 'contactEmailField'],
    is: ({ contactPhoneField, contactEmailField }) => contactPhoneField === contactEmailField,
    rule: 'contactPhoneField and contactEmailField must be two fields',
  },
  {
    given: ['sunsetAt', 'deprecatedSince'],
    is: ({ sunsetAt, deprecatedSince }) => Date.parse(deprecatedSince) > Date.parse(sunsetAt),
    rule: 'deprecatedSince must not be later than sunsetAt (RFC 9745 §4)',
  },
  {
    // A smaller largest limit alone cuts the default, too.
    given: ['limitDefault'],
    is: ({ limitDefault, limitMax }) => limitDefault > limitMax,
    rule: 'limitDefault must not be larger than limitMax',
  },
  {
    given: ['failedDeliveryStatus', 'deliveryStatuses'],
    is: ({ failedDeliveryStatus, deliveryStatuses }) => deliveryStatuses.includes(failedDeliveryStatus),
    rule: 'failedDeliveryStatus must be none of deliveryStatuses',
  },
];

/**
 * The first rule that values break only together.
 * @param overrides each in its own domain
 * @returns the name of one that was given, and the rule; undefined where they break none
 */
export function contradictionIn(overrides: Partial<Assumptions>): { readonly name: AssumptionName; readonly rule: string } | undefined {
  const all = assume(overrides);
  for (const { given, is, rule } of contradictions) {
    const name = given.find((one) => overrides[one] !== undefined);
    if (name !== undefined && is(all)) return { name, rule };
  }
  return undefined;
}
