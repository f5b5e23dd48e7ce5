/** Open questions of webhooks and of what arrives in the inbox. */
import { whole } from '../domains.ts';
import { eventKindNames } from '../events.ts';
import type { Questions } from './question.ts';
export const webhookQuestions = {
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
} as const satisfies Questions;
