import type { Row } from '../row.ts';

const authentication = 'test/sandbox/authentication.test.ts';
const campaigns = 'test/sandbox/campaigns.test.ts';
const contacts = 'test/sandbox/contacts.test.ts';
const control = 'test/sandbox/control/requests.test.ts';
const dashboard = 'test/sandbox/dashboard.test.ts';
const dashboardWebhooks = 'test/sandbox/dashboard/webhooks.test.ts';
const endpoints = 'test/sandbox/endpoints.test.ts';
const every = 'test/sandbox/every-endpoint.test.ts';
const messages = 'test/sandbox/messages.test.ts';
const webhooks = 'test/sandbox/webhooks/endpoints.test.ts';

/** What stands before the sections, and §1: what the service does. */
export const serviceRows: readonly Row[] = [
  { at: ['0.1'], rule: 'What the document is about', noTest: 'An introduction: the rules follow in the sections' },
  {
    at: ['0.2'],
    rule: 'The paths of v1 begin with /v1 and those of v2 with /v2, and both are served at the same time',
    tests: [
      [endpoints, '%s is served: without a key it is 401'],
      [endpoints, 'a path of neither version: 404 in the shape of v1'],
      ['test/sandbox/dialects.test.ts', 'v1, and what is neither version, keep the shape of v1'],
      [messages, '§9 both versions see the same messages'],
    ],
  },
  {
    at: ['0.2'],
    rule: 'Each version has a way of its own to authenticate',
    tests: [
      [authentication, '§5.1 a key in the field of its version lets the call in'],
      [authentication, '§5.2 a good key as Authorization: Bearer is not accepted on v1: 401'],
      [authentication, 'a key in x-api-key alone is no key on v2: 401 Missing API key'],
    ],
  },
  {
    at: ['0.2'],
    rule: 'The dashboard is apart from both',
    tests: [
      [control, 'from a workspace to its first call'],
      [every, '%s: a key of the API leads nowhere'],
    ],
  },
  { at: ['1.1'], rule: 'What a client can do', noTest: 'Opens the list of §1, whose entries follow' },
  {
    at: ['1.2'],
    rule: 'A client sends a message over WHATSAPP, SMS or EMAIL',
    tests: [[messages, '§2 a message goes over %s, and the answer carries its messageId']],
  },
  {
    at: ['1.2'],
    rule: 'A client reads a message and its delivery status',
    tests: [[messages, '§4 a message is read by its messageId, with its delivery status']],
  },
  {
    at: ['1.3'],
    rule: 'A client creates, reads, lists and updates contacts',
    tests: [
      [contacts, '§4 a contact is created'],
      [contacts, '§4 a contact is read'],
      [contacts, '§4 contacts are listed, newest first'],
      [contacts, '§4 a contact is updated'],
    ],
  },
  {
    at: ['1.3'],
    rule: 'A client deletes contacts, on v2 only',
    tests: [
      [contacts, 'a contact is deleted, and then is nowhere'],
      [every, 'v1 has no %s: 404, and nothing is done'],
    ],
  },
  {
    at: ['1.4'],
    rule: 'A client creates campaigns and reads them with their stats',
    tests: [
      [campaigns, 'a campaign is created from any object'],
      [campaigns, 'a campaign is read with its stats'],
    ],
  },
  {
    at: ['1.4'],
    rule: 'A client updates campaigns, on v2 only',
    tests: [
      [campaigns, 'a campaign is updated'],
      [every, 'v1 has no %s: 404, and nothing is done'],
    ],
  },
  {
    at: ['1.4'],
    rule: 'A client sends campaigns to their audience',
    tests: [
      [campaigns, 'a campaign is sent, with a body'],
      ['test/sandbox/dashboard/life-cycles.test.ts', 'was sent to every contact when it is SENT'],
    ],
  },
  {
    at: ['1.5'],
    rule: 'Webhook endpoints are registered on v2 and in the dashboard, not on v1',
    tests: [
      [webhooks, 'registers an endpoint and answers with it'],
      [webhooks, 'v1 has no webhooks: %s is 404'],
      [dashboardWebhooks, 'the secret is shown when the endpoint is registered, and never again'],
    ],
  },
  {
    at: ['1.5'],
    rule: 'They are called over https when there is a lead, a booking, an order or an inbound message in their workspace',
    tests: [
      ['test/sandbox/webhooks/post-tls.test.ts', 'asks for the name, not for the address'],
      ['test/sandbox/webhooks/events.test.ts', '%s, with a sample where no data are given'],
      ['test/sandbox/webhooks/deliveries.test.ts', 'no endpoint of another workspace'],
      [dashboardWebhooks, 'an inbound message raises message.received'],
    ],
  },
  {
    at: ['1.6'],
    rule: 'A key identifies one workspace',
    tests: [
      [authentication, '§1 a key identifies a workspace, and all data is scoped to it'],
      [dashboard, 'a key belongs to its workspace alone'],
    ],
  },
  {
    at: ['1.6'],
    rule: 'No data is seen or changed from another workspace',
    tests: [
      [authentication, '§1 a key identifies a workspace, and all data is scoped to it'],
      [authentication, '§1 contacts of another workspace do not count as duplicates'],
      [every, 'does not see contacts and campaigns, nor change, send or delete them'],
      [webhooks, 'no endpoint of another workspace is seen or deleted'],
    ],
  },
  {
    at: ['1.6'],
    rule: 'Keys, webhook endpoints and plans are managed in the dashboard',
    tests: [
      [control, 'a key is listed without its value, changed and deleted'],
      [control, 'an endpoint is registered, changed and deleted'],
      [control, 'a plan and limits are changed'],
      ['test/sandbox/limits-plans.test.ts', 'another plan, chosen in the dashboard, counts at once'],
    ],
  },
];
