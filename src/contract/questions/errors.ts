/** Open questions of what is answered to a call that fails. */
import { keyTexts, v1Auth, v2Auth } from '../auth.ts';
import { type Domain, failure, whole } from '../domains.ts';
import { channels } from '../fields.ts';
import { type Questions, text } from './question.ts';

const textsOf401: Domain = { oneOf: Object.values(keyTexts) };

export const errorQuestions = {
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
} as const satisfies Questions;
