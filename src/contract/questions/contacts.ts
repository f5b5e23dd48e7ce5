/** Open questions of the fields of contacts, and of the lists of all resources. */
import { type Domain, failure, whole } from '../domains.ts';
import { listContactsParameters } from '../fields.ts';
import { type Questions, text } from './question.ts';

/** Names that are the service's own, or JavaScript's, cannot hold what clients write. */
const ownFields = ['id', 'createdAt', 'updatedAt', '__proto__'] as const;
/** Nor can these hold a phone number or an email. */
const otherFields = ['name', 'firstName', 'lastName', 'company', 'tags', 'customFields', 'notes'] as const;
const identityField: Domain = { noneOf: [...ownFields, ...otherFields] };
/** A list's page is asked for by these. */
const parameter: Domain = { noneOf: listContactsParameters.map(({ name }) => name) };

export const contactQuestions = {
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
    value: ['phone', 'email', ...otherFields],
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
} as const satisfies Questions;
