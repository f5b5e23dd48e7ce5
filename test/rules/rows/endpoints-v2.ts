import type { Row } from '../row.ts';

const campaigns = 'test/sandbox/campaigns.test.ts';
const contacts = 'test/sandbox/contacts.test.ts';
const filters = 'test/sandbox/filters.test.ts';
const messages = 'test/sandbox/messages.test.ts';
const openapi = 'test/openapi/openapi.test.ts';
const webhooks = 'test/sandbox/webhooks/endpoints.test.ts';

/** §4: what v2 has besides. */
export const v2EndpointRows: readonly Row[] = [
  {
    at: ['4.20'],
    rule: 'GET /v2/messages lists messages, filtered and paged',
    tests: [
      [messages, '§4 messages are listed, newest first'],
      [filters, '%s: those that match all of it'],
      [filters, '%s: pages are cut, and totals counted, from those that match'],
    ],
  },
  {
    at: ['4.23'],
    rule: 'GET /v2/contacts lists contacts, searched and filtered',
    tests: [
      [contacts, '§4 contacts are listed, newest first'],
      [filters, '%s: fields are compared as a whole'],
      [filters, '%s: phone numbers and emails are searched for a part, besides the filters'],
    ],
  },
  {
    at: ['4.25'],
    rule: 'DELETE /v2/contacts/:id deletes a contact',
    tests: [
      [contacts, 'a contact is deleted, and then is nowhere'],
      [contacts, 'deleting frees phone and email'],
    ],
  },
  { at: ['4.29'], rule: 'PUT /v2/campaigns/:id updates a campaign', tests: [[campaigns, 'a campaign is updated']] },
  { at: ['4.30'], rule: 'POST /v2/webhooks registers an endpoint', tests: [[webhooks, 'registers an endpoint and answers with it']] },
  { at: ['4.31'], rule: 'GET /v2/webhooks lists the endpoints', tests: [[webhooks, 'lists the endpoints, the newest first']] },
  { at: ['4.32'], rule: 'DELETE /v2/webhooks/:id deletes one', tests: [[webhooks, 'deletes the endpoint and answers with it']] },
  {
    at: ['4.33'],
    rule: 'Not shown: the answers of v2; it speaks the usual envelopes, with assumed statuses',
    assumptions: ['createdStatus', 'sendStatus', 'deleteStatus'],
    tests: [
      ['test/sandbox/envelopes.test.ts', 'successes of v2 in the envelope %s > %s'],
      [campaigns, 'the statuses that answers and records have are assumed > other ones can be told'],
      ['test/sandbox/not-shown.test.ts', 'api.md §4: webhook endpoints are created and deleted with those'],
      [openapi, 'in v2, all properties but those of a message and of deliveries'],
    ],
  },
  {
    at: ['4.33'],
    rule: 'Not shown: the parameters of the lists of v2',
    assumptions: ['contactSearchParameter', 'messageFilterParameters', 'contactFilterParameters'],
    tests: [
      [contacts, 'another name works in its place'],
      [filters, 'other filters, where they are assumed > take the place of the assumed ones'],
      [filters, 'a field that a client wrote is found by its name, whatever other objects inherit by it'],
      [openapi, 'all parameters but those of the path and of paging v1 contacts'],
    ],
  },
  {
    at: ['4.33'],
    rule: 'Not shown: what requests to v2 hold',
    assumptions: ['contactFields', 'putKeepsFields', 'webhookEventsDefault'],
    tests: [
      [contacts, 'the assumed names decide what is unique, needed and accepted'],
      [contacts, 'putKeepsFields off > an update replaces all fields'],
      ['test/sandbox/not-shown.test.ts', 'api.md §6: an endpoint that names no events receives those'],
    ],
  },
];
