import type { Row } from '../row.ts';

const dashboard = 'test/sandbox/dashboard/webhooks.test.ts';
const deliveries = 'test/sandbox/webhooks/deliveries.test.ts';
const events = 'test/sandbox/webhooks/events.test.ts';
const openapi = 'test/openapi/openapi.test.ts';
const post = 'test/sandbox/webhooks/post.test.ts';
const receiver = 'test/examples/webhook-receiver.test.ts';
const verify = 'test/webhooks/verify.test.ts';

/** §6: events, from their kinds to their bodies. */
export const eventRows: readonly Row[] = [
  { at: ['6.1'], rule: 'The kinds of events', noTest: 'Opens the table whose rows follow' },
  {
    at: ['6.2', '6.3', '6.4'],
    rule: 'lead.created, booking.created and order.created are sent when a lead, a booking or an order comes',
    tests: [
      [events, '%s, with a sample where no data are given'],
      [events, '%s, with the data that are given'],
      ['test/sandbox/control/requests.test.ts', 'test, event and inbound message are delivered and logged'],
    ],
  },
  {
    at: ['6.5'],
    rule: 'message.received is sent when a message arrives in the inbox',
    tests: [
      [dashboard, 'an inbound message raises message.received'],
      [events, 'is delivered, with the event’s time'],
    ],
  },
  {
    at: ['6.6'],
    rule: 'test.ping is sent to the endpoint whose Test was clicked',
    tests: [
      [deliveries, 'test.ping: the endpoint whose Test was clicked, whatever it has chosen'],
      [dashboard, 'Test sends test.ping to one endpoint, whatever it has chosen'],
      ['test/examples/webhook-receiver-sandbox.test.ts', 'a click on Test is shown'],
    ],
  },
  {
    at: ['6.7'],
    rule: 'Each endpoint gets one POST for each event, at its URL',
    tests: [
      [deliveries, 'one POST for each endpoint, signed with its own secret'],
      [post, 'is the documented one, byte for byte, with only what HTTP needs besides'],
    ],
  },
  {
    at: ['6.8', '6.9', '6.10'],
    rule: 'Content-Type, User-Agent and X-Service-Event are as shown',
    tests: [
      [post, 'is the documented one, byte for byte, with only what HTTP needs besides'],
      [deliveries, 'the documented fields, with a signature over the exact bytes'],
    ],
  },
  {
    at: ['6.11'],
    rule: 'X-Service-Signature is sha256= and the HMAC-SHA256 of the body in lowercase hex, keyed with the secret of the endpoint',
    tests: [
      [post, 'is the documented one, byte for byte, with only what HTTP needs besides'],
      [post, 'is signed as RFC 4231 has it in its second test'],
      [deliveries, 'one POST for each endpoint, signed with its own secret'],
    ],
  },
  {
    at: ['6.12'],
    rule: 'What is signed is what is sent, byte for byte, and is verified as it came',
    tests: [
      [deliveries, 'the same bytes in every attempt'],
      [verify, 'a body that was not left raw > %s is refused with what to change'],
      [verify, 'one flipped bit of the body fails'],
    ],
  },
  {
    at: ['6.12'],
    rule: 'A receiver compares the length first and then in constant time',
    tests: [
      [
        'test/webhooks/constant-time.test.ts',
        'a signature of the right length is compared as a whole, in constant time, though its %s digit is wrong',
      ],
      ['test/webhooks/constant-time.test.ts', 'one of another length is refused before that: %s'],
    ],
  },
  {
    at: ['6.12'],
    rule: 'It answers 401 where they differ',
    tests: [
      [verify, 'a signature > %s is %s, to be answered with 401'],
      [receiver, 'refuses what is %s with %i, and handles nothing'],
      [
        'test/examples/webhook-receiver-sandbox.test.ts',
        'a regenerated secret ends the old one at once, and the retry after a restart with the new one is handled',
      ],
    ],
  },
  {
    at: ['6.13', '6.22'],
    rule: 'The event of an inbound message is message.received, with the time in UTC with milliseconds',
    tests: [[events, 'is delivered, with the event’s time']],
  },
  {
    at: ['6.14', '6.15', '6.16', '6.17', '6.18', '6.19', '6.20', '6.21'],
    rule: 'Its data have the eight fields, all strings: from without a plus, contactPhone with one, receivedAt in UTC with milliseconds',
    tests: [
      [events, 'has the documented fields and no others, and the contact’s number with and the sender’s without a plus'],
      [events, 'a sender’s number may be written as "%s"'],
    ],
  },
  {
    at: ['6.18', '6.19'],
    rule: 'Not shown: which contact an unknown number has; the fields are strings in any case',
    assumptions: ['inboundCreatesContact'],
    tests: [
      [events, 'assumption inboundCreatesContact: an unknown number makes one'],
      [events, 'assumption inboundCreatesContact off: an unknown number makes none, and contactId is empty'],
    ],
  },
  {
    at: ['6.23'],
    rule: 'Not shown: the data of the other kinds; samples stand in for them, and any data can be given',
    tests: [
      [events, '%s, with a sample where no data are given'],
      [events, '%s, with the data that are given'],
      [openapi, 'in v2, all properties but those of a message and of deliveries'],
    ],
  },
];
