import type { Row } from '../row.ts';

const bodies = 'test/sandbox/bodies.test.ts';
const campaigns = 'test/sandbox/campaigns.test.ts';
const contacts = 'test/sandbox/contacts.test.ts';
const endpoints = 'test/sandbox/endpoints.test.ts';
const every = 'test/sandbox/every-endpoint.test.ts';
const messages = 'test/sandbox/messages.test.ts';
const openapi = 'test/openapi/openapi.test.ts';
const paging = 'test/sandbox/paging.test.ts';

/** §4: all endpoints, and what v1 has. */
export const endpointRows: readonly Row[] = [
  {
    at: ['4.1'],
    rule: 'Request bodies are JSON',
    tests: [
      [every, '%s with invalid JSON: 400'],
      [bodies, 'sending a campaign needs it only where there is a body'],
    ],
  },
  {
    at: ['4.1'],
    rule: 'Request bodies come with Content-Type: application/json',
    tests: [
      [every, '%s without Content-Type: 400'],
      [bodies, 'another media type is not JSON: "%s"'],
      [bodies, 'parameters and case do not matter: %s'],
    ],
  },
  {
    at: ['4.1'],
    rule: ':id stands for an identifier',
    tests: [
      [endpoints, 'an id may be percent-encoded'],
      [endpoints, 'a resource that does not exist: 404'],
    ],
  },
  {
    at: ['4.2', '4.18'],
    rule: 'POST /messages/send sends a message',
    tests: [[messages, '§2 a message goes over %s, and the answer carries its messageId']],
  },
  {
    at: ['4.2', '4.5'],
    rule: 'POST /v1/messages/send and POST /v1/contacts need a read & write key',
    tests: [[every, '%s: a read-only key may not, 403 API_KEY_PERMISSION']],
  },
  {
    at: ['4.3', '4.19'],
    rule: 'GET /messages/:id gives the details and the delivery status of the message with this messageId',
    tests: [[messages, '§4 a message is read by its messageId, with its delivery status']],
  },
  { at: ['4.4'], rule: 'GET /v1/messages lists messages', tests: [[messages, '§4 messages are listed, newest first']] },
  { at: ['4.5', '4.21'], rule: 'POST /contacts creates a contact', tests: [[contacts, '§4 a contact is created']] },
  { at: ['4.6', '4.22'], rule: 'GET /contacts/:id gives a contact', tests: [[contacts, '§4 a contact is read']] },
  {
    at: ['4.7'],
    rule: 'GET /v1/contacts lists contacts, of which page and limit choose',
    tests: [
      [contacts, '§4 contacts are listed, newest first'],
      [paging, 'page and limit choose the entries, newest first'],
    ],
  },
  { at: ['4.8', '4.24'], rule: 'PUT /contacts/:id updates a contact', tests: [[contacts, '§4 a contact is updated']] },
  { at: ['4.9', '4.26'], rule: 'POST /campaigns creates a campaign', tests: [[campaigns, 'a campaign is created from any object']] },
  {
    at: ['4.10', '4.27'],
    rule: 'GET /campaigns/:id gives a campaign and its stats',
    tests: [[campaigns, 'a campaign is read with its stats']],
  },
  {
    at: ['4.11', '4.28'],
    rule: 'POST /campaigns/:id/send sends a campaign to its audience',
    tests: [
      [campaigns, 'a campaign is sent, with a body'],
      ['test/sandbox/dashboard/life-cycles.test.ts', 'was sent to every contact when it is SENT'],
    ],
  },
  {
    at: ['4.12'],
    rule: 'A send needs channel, to and content; one that is missing gives 400',
    tests: [[messages, '§7 $name missing, empty or no string: 400 that names it']],
  },
  { at: ['4.12'], rule: 'Another channel than the three gives 400', tests: [[messages, '§7 the channel "%s" is none: 400']] },
  {
    at: ['4.12'],
    rule: 'Invalid JSON gives 400, and so does a missing Content-Type',
    tests: [
      [bodies, 'api.md §7: invalid JSON > is refused: %j'],
      [bodies, 'api.md §§4 and 7: Content-Type > %s without Content-Type: 400'],
    ],
  },
  {
    at: ['4.12'],
    rule: 'The answer to a send has the messageId',
    tests: [[messages, '§2 a message goes over %s, and the answer carries its messageId']],
  },
  {
    at: ['4.13'],
    rule: 'A contact whose phone number or email is taken gives 409, with the existing one in data and existed true',
    tests: [
      [contacts, '§7 the same phone number: 409 with the existing contact and existed'],
      [contacts, '§7 the same email: 409 with the existing contact and existed'],
    ],
  },
  {
    at: ['4.13'],
    rule: 'A field that is not accepted can give 500; here it always does',
    tests: [[contacts, '§7 %s is a field that is not accepted: 500']],
  },
  {
    at: ['4.14'],
    rule: 'Not shown: what else requests may hold',
    assumptions: ['contactFields', 'putKeepsFields'],
    tests: [
      ['test/sandbox/not-shown.test.ts', 'api.md §4: further fields of a send are no error, and are not kept'],
      [contacts, 'the assumed names decide what is unique, needed and accepted'],
      [contacts, 'putKeepsFields off > an update replaces all fields'],
      [campaigns, 'a name is not needed, but must be text'],
    ],
  },
  {
    at: ['4.15'],
    rule: 'Not shown: the successes of v1 besides messageId; what the sandbox adds is marked as assumed',
    assumptions: ['createdStatus', 'sendStatus'],
    tests: [
      [campaigns, 'the statuses that answers and records have are assumed > other ones can be told'],
      [openapi, 'in v1, all properties but these'],
      [openapi, 'in %s, all statuses but these'],
    ],
  },
  {
    at: ['4.16'],
    rule: 'Not shown: bounds and defaults of page and limit',
    assumptions: ['pageDefault', 'limitDefault', 'limitMax'],
    tests: [
      ['test/sandbox/not-shown.test.ts', 'api.md §4: the page is as assumed where none is asked for'],
      [paging, 'values that make no sense count as absent'],
      [paging, 'a limit over the largest is cut to it'],
    ],
  },
  {
    at: ['4.17'],
    rule: 'What is not listed is 404; HEAD, where GET is listed, is an open question',
    assumptions: ['headLikeGet'],
    tests: [
      [endpoints, 'a path that is not listed: 404'],
      [every, '%s has no other methods: 404, whoever asks'],
      [endpoints, 'an unlisted path is 404 before any key is asked for'],
      [endpoints, 'a path of neither version: 404 in the shape of v1'],
      [endpoints, 'HEAD is a method that is not listed'],
    ],
  },
];
