/** Open questions of methods, of what a success has, and of the states of messages and campaigns. */
import { success, successWithContent } from '../domains.ts';
import { type Questions, text } from './question.ts';
export const resourceQuestions = {
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
    domain: successWithContent,
  },
  sendStatus: {
    question: 'Which status does sending a message or a campaign answer with?',
    value: 200,
    reason: 'Nothing that can be read at an address of its own is named as created',
    domain: successWithContent,
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
} as const satisfies Questions;
