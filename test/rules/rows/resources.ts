import type { Row } from '../row.ts';

const contacts = 'test/sandbox/contacts.test.ts';
const lifeCycles = 'test/sandbox/dashboard/life-cycles.test.ts';
const messages = 'test/sandbox/messages.test.ts';
const openapi = 'test/openapi/openapi.test.ts';
const otherStatuses = [
  'test/sandbox/campaigns.test.ts',
  'the statuses that answers and records have are assumed > other ones can be told',
] as const;

/** §2: messages, contacts and campaigns. */
export const resourceRows: readonly Row[] = [
  {
    at: ['2.1'],
    rule: 'The answer to a send carries a messageId, a string, by which the message is read',
    tests: [
      [messages, '§2 a message goes over %s, and the answer carries its messageId'],
      [messages, '§4 a message is read by its messageId, with its delivery status'],
    ],
  },
  {
    at: ['2.2'],
    rule: 'channel is needed for a send and is WHATSAPP, SMS or EMAIL',
    tests: [
      [messages, '§7 $name missing, empty or no string: 400 that names it'],
      [messages, '§7 the channel "%s" is none: 400'],
    ],
  },
  {
    at: ['2.3', '2.4'],
    rule: 'to and content are needed for a send, and are strings',
    tests: [[messages, '§7 $name missing, empty or no string: 400 that names it']],
  },
  {
    at: ['2.5'],
    rule: 'The details of a message say its delivery status',
    tests: [
      [messages, '§4 a message is read by its messageId, with its delivery status'],
      [lifeCycles, 'goes from status to status, as clients see'],
    ],
  },
  {
    at: ['2.6'],
    rule: 'Not shown: the values of the delivery status',
    assumptions: ['initialDeliveryStatus', 'deliveryStatuses', 'failedDeliveryStatus'],
    tests: [
      otherStatuses,
      [lifeCycles, 'a message goes through those'],
      ['test/sandbox/not-shown.test.ts', 'api.md §3: delivery fails, and campaigns go on, by those'],
    ],
  },
  {
    at: ['2.6'],
    rule: 'Not shown: further fields of a message; those that the sandbox gives it are marked as assumed',
    tests: [
      [messages, '§2 a message goes over %s, and the answer carries its messageId'],
      [openapi, 'in v1, all properties but these'],
      [openapi, 'in v2, all properties but those of a message and of deliveries'],
    ],
  },
  {
    at: ['2.7'],
    rule: 'A phone number or an email identifies a contact in its workspace',
    assumptions: ['contactIdentityText'],
    tests: [
      [contacts, '§2 a phone number alone identifies a contact, and so does an email'],
      [contacts, '§2 neither phone nor email: 400'],
      [contacts, '§2 an update may not take away both phone and email'],
    ],
  },
  {
    at: ['2.7'],
    rule: 'No two contacts of a workspace share a phone number or an email',
    tests: [
      [contacts, '§7 the same phone number: 409 with the existing contact and existed'],
      [contacts, '§7 the same email: 409 with the existing contact and existed'],
      [contacts, '§2 an update that takes the phone of another contact: 409, and nothing changes'],
      [contacts, '§2 of many calls at once with one phone number exactly one creates the contact'],
      ['test/sandbox/authentication.test.ts', '§1 contacts of another workspace do not count as duplicates'],
    ],
  },
  {
    at: ['2.7'],
    rule: 'The answer that a contact exists has it under data, and existed as a boolean',
    tests: [
      [contacts, '§7 the same phone number: 409 with the existing contact and existed'],
      [contacts, '§7 the same email: 409 with the existing contact and existed'],
    ],
  },
  {
    at: ['2.7'],
    rule: 'Not shown: names, types and formats of the fields of a contact',
    assumptions: ['contactPhoneField', 'contactEmailField', 'contactFields'],
    tests: [[contacts, 'the assumed names decide what is unique, needed and accepted']],
  },
  {
    at: ['2.7'],
    rule: 'Not shown: whether one number or email in two ways of writing is the same',
    assumptions: ['contactIdentityExact'],
    tests: [
      ['test/sandbox/contact-identity.test.ts', 'as they are written, %j and %j are two contacts'],
      ['test/sandbox/contact-identity.test.ts', '%j and %j are one contact, shown as it was written'],
    ],
  },
  {
    at: ['2.8'],
    rule: 'A campaign is created, read with details and stats, updated and sent',
    tests: [
      ['test/sandbox/campaigns.test.ts', 'a campaign is created from any object'],
      ['test/sandbox/campaigns.test.ts', 'a campaign is read with its stats'],
      ['test/sandbox/campaigns.test.ts', 'a campaign is updated'],
      ['test/sandbox/campaigns.test.ts', 'a campaign is sent, with a body'],
    ],
  },
  {
    at: ['2.8'],
    rule: 'Not shown: the fields of a campaign, of its stats and of its audience',
    assumptions: ['initialCampaignStatus', 'sentCampaignStatus', 'campaignStatuses'],
    tests: [
      otherStatuses,
      ['test/sandbox/campaigns.test.ts', 'fields of the client do not take the place of the service’s own'],
      [lifeCycles, 'was sent to every contact when it is SENT'],
      ['test/sandbox/not-shown.test.ts', 'api.md §3: delivery fails, and campaigns go on, by those'],
    ],
  },
];
