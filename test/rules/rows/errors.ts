import type { Row } from '../row.ts';

const authentication = 'test/sandbox/authentication.test.ts';
const bodies = 'test/sandbox/bodies.test.ts';
const contacts = 'test/sandbox/contacts.test.ts';
const endpoints = 'test/sandbox/endpoints.test.ts';
const limits = 'test/sandbox/limits.test.ts';
const messages = 'test/sandbox/messages.test.ts';
/** The whole body of every error of v1, with every text that is assumed, and with others in their place. */
const wholeBodies = ['test/sandbox/errors.test.ts', 'api.md §7: the errors of v1, with texts as they are %s > $name: $status'] as const;
const v2Texts = ['test/sandbox/errors.test.ts', 'api.md §§7 and 8: texts of v2 that v1 has no use for > are as they are told'] as const;
const webhooks = 'test/sandbox/webhooks/endpoints.test.ts';

/** §7: errors. */
export const errorRows: readonly Row[] = [
  { at: ['7.1'], rule: 'The body of an error is success false, a text in error, and on some a code', tests: [wholeBodies] },
  {
    at: ['7.2'],
    rule: '400 where channel, to or content is missing',
    assumptions: ['missingFieldText'],
    tests: [wholeBodies, [messages, '§7 $name missing, empty or no string: 400 that names it']],
  },
  {
    at: ['7.2'],
    rule: '400 where channel is none of the three',
    assumptions: ['invalidChannelText'],
    tests: [wholeBodies, [messages, '§7 the channel "%s" is none: 400']],
  },
  {
    at: ['7.2'],
    rule: '400 where the body is no JSON; what else is wrong with one is not shown',
    assumptions: ['invalidJsonText', 'badRequestText'],
    tests: [wholeBodies, [bodies, 'api.md §7: invalid JSON > is refused: %j']],
  },
  {
    at: ['7.2'],
    rule: '400 without Content-Type: application/json',
    assumptions: ['contentTypeText'],
    tests: [wholeBodies, [bodies, 'another media type is not JSON: "%s"']],
  },
  {
    at: ['7.3'],
    rule: '401 Missing API key without a key',
    tests: [wholeBodies, [authentication, '§7 no key: 401 Missing API key']],
  },
  {
    at: ['7.3'],
    rule: '401 Invalid API key for a key that is unknown or deleted',
    tests: [
      wholeBodies,
      [authentication, '§7 an unknown key: 401 Invalid API key'],
      [authentication, '§3 a deleted key is rejected: 401 Invalid API key'],
    ],
  },
  {
    at: ['7.3'],
    rule: '401 API key expired for a key past its expiry date',
    tests: [wholeBodies, [authentication, '§3 an expired key is rejected: 401 API key expired']],
  },
  {
    at: ['7.3'],
    rule: '401 for Authorization: Bearer on v1; which of the three texts that has is not shown',
    assumptions: ['bearerOnV1Text', 'repeatedKeyText'],
    tests: [wholeBodies, [authentication, '§5.2 a good key as Authorization: Bearer is not accepted on v1: 401']],
  },
  {
    at: ['7.4'],
    rule: '402 WEBHOOK_LIMIT for an endpoint past the limit of the plan',
    assumptions: ['webhookLimitText'],
    tests: [
      v2Texts,
      [webhooks, '$plan: $limit endpoints, exactly, though names resolve while others register'],
      ['test/sandbox/dashboard/webhooks.test.ts', 'an endpoint past the limit of the plan is refused'],
    ],
  },
  {
    at: ['7.5'],
    rule: '403 API_KEY_PERMISSION for a POST with a good key that may not write',
    assumptions: ['permissionText'],
    tests: [wholeBodies, ['test/sandbox/every-endpoint.test.ts', '%s: a read-only key may not, 403 API_KEY_PERMISSION']],
  },
  {
    at: ['7.6'],
    rule: '404 for a message that is not in the workspace',
    assumptions: ['notFoundText'],
    tests: [
      wholeBodies,
      [endpoints, 'a resource that does not exist: 404'],
      [authentication, '§1 a key identifies a workspace, and all data is scoped to it'],
    ],
  },
  {
    at: ['7.6'],
    rule: '404 for a path that is no endpoint',
    tests: [wholeBodies, [endpoints, 'a path that is not listed: 404']],
  },
  {
    at: ['7.7'],
    rule: '409 for a contact whose phone number or email is taken, with the existing one in data and existed true',
    assumptions: ['contactExistsText'],
    tests: [
      wholeBodies,
      [contacts, '§7 the same phone number: 409 with the existing contact and existed'],
      [contacts, '§7 the same email: 409 with the existing contact and existed'],
    ],
  },
  {
    at: ['7.8'],
    rule: '429 API_KEY_RATE_LIMITED past the calls a minute of the key',
    assumptions: ['rateLimitedText'],
    tests: [wholeBodies, [limits, '§7 past the limit of the plan: 429 API_KEY_RATE_LIMITED, and nothing else in the body']],
  },
  {
    at: ['7.9'],
    rule: 'API_DAILY_LIMIT past the calls a day of the plan, with limit, resetAt and upgradeUrl',
    assumptions: ['dailyLimitText', 'dailyLimitUpgradeUrl'],
    tests: [
      wholeBodies,
      [limits, '§7 past the limit: API_DAILY_LIMIT with limit, resetAt, upgradeUrl, and Retry-After until 00:00 UTC'],
      [limits, 'status, text and upgradeUrl are as assumed; Retry-After is documented and stays'],
    ],
  },
  {
    at: ['7.9'],
    rule: 'Its Retry-After is the number of seconds to 00:00 UTC',
    tests: [[limits, 'at %s Retry-After is %s and resetAt %s']],
  },
  {
    at: ['7.10'],
    rule: '500 for a fault of the server',
    assumptions: ['serverFaultText'],
    tests: [wholeBodies, ['test/sandbox/sandbox.test.ts', 'an exception on %s is a 500 without details, and is told to onError']],
  },
  {
    at: ['7.10'],
    rule: '500 for a contact field that is not accepted; on v2 that is an open question',
    assumptions: ['v2UnacceptedFieldStatus'],
    tests: [
      wholeBodies,
      [contacts, '§7 %s is a field that is not accepted: 500'],
      [contacts, '§7 an update with a field that is not accepted: 500'],
      [contacts, 'v2 answers with it'],
      [contacts, 'v1 answers 500 as documented'],
    ],
  },
  {
    at: ['7.11'],
    rule: 'Not shown: the status of the daily limit',
    assumptions: ['dailyLimitStatus'],
    tests: [[limits, 'status, text and upgradeUrl are as assumed; Retry-After is documented and stays']],
  },
  {
    at: ['7.12'],
    rule: 'Not shown: whether a 401 has a code; here it has none, and clients are told that it is open',
    tests: [wholeBodies, ['test/openapi/openapi.test.ts', 'by the name of an open question or a sentence, in %s']],
  },
  {
    at: ['7.13'],
    rule: 'Not shown: the shape of errors on v2; it speaks the usual dialects',
    assumptions: ['hourlyLimitText', 'webhookUrlText', 'webhookEventsText', 'contactIdentityText'],
    tests: [
      v2Texts,
      ['test/sandbox/dialects.test.ts', '$rule: $status'],
      ['test/sandbox/dialects.test.ts', 'a duplicate contact: 409, with the existing contact where the dialect has a place for it'],
    ],
  },
];
