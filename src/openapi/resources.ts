/** The resources as answers show them (api.md §2): little is shown, the rest is assumed and says so. */
import type { Assumptions } from '../contract/assumptions.ts';
import { eventKindNames, secretPrefix } from '../contract/events.ts';
import { channels } from '../contract/fields.ts';
import { assumed, assumedKeywords, closed, count, text, textAmong, textOrNull, timestamp } from './schema.ts';
import type { Schema } from './types.ts';

export type ResourceName = 'Message' | 'Contact' | 'Campaign' | 'CampaignDetails' | 'SentCampaign';
export type WebhookResourceName = 'WebhookEndpoint' | 'NewWebhookEndpoint';

/** The schemas of the resources that both versions have. */
export function resourceSchemas(assumptions: Assumptions): Record<ResourceName, Schema> {
  return {
    Message: message(assumptions),
    Contact: assumed('The fields of a contact are not shown', contact(assumptions)),
    Campaign: assumed('The fields of a campaign are not shown; those that a client wrote stand beside these', {
      ...closed(campaign(assumptions), ['id', 'status', 'createdAt']),
      additionalProperties: true,
    }),
    CampaignDetails: assumed('The fields of a campaign and its stats are not shown', {
      ...closed({ ...campaign(assumptions), stats: closed({ sent: count }) }, ['id', 'status', 'stats', 'createdAt']),
      additionalProperties: true,
    }),
    SentCampaign: assumed(
      'What the answer to sending a campaign holds is not shown',
      closed({ id: text, status: campaignStatus(assumptions) }),
    ),
  };
}

function message({ initialDeliveryStatus, deliveryStatuses, failedDeliveryStatus }: Assumptions): Schema {
  const status = textAmong([initialDeliveryStatus, ...deliveryStatuses, failedDeliveryStatus]);
  const marks = { required: 'Which fields an answer holds is not shown', additionalProperties: otherFields } as const;
  return assumedKeywords(
    marks,
    closed({
      messageId: text,
      channel: textAmong(channels),
      to: text,
      content: text,
      status: assumed('The name of the field with the delivery status is not shown', { allOf: [assumed('deliveryStatuses', status)] }),
      createdAt: assumed(otherFields, timestamp),
    }),
  );
}

const otherFields = 'Other fields of a message are not shown';

function contact({ contactFields, contactPhoneField, contactEmailField }: Assumptions): Schema {
  return closed(
    {
      // Whatever JSON was written: the types of the fields are not shown.
      ...Object.fromEntries(contactFields.map((name) => [name, assumed('contactFields', {})])),
      [contactPhoneField]: assumed('contactPhoneField', textOrNull),
      [contactEmailField]: assumed('contactEmailField', textOrNull),
      id: text,
      createdAt: timestamp,
      updatedAt: timestamp,
    },
    ['id', 'createdAt', 'updatedAt'],
  );
}

const campaign = (assumptions: Assumptions): Record<string, Schema> => ({
  id: text,
  name: textOrNull,
  status: campaignStatus(assumptions),
  createdAt: timestamp,
});

const campaignStatus = ({ initialCampaignStatus, campaignStatuses, sentCampaignStatus }: Assumptions): Schema =>
  assumed('campaignStatuses', textAmong([initialCampaignStatus, ...campaignStatuses, sentCampaignStatus]));

const webhookFields: Record<string, Schema> = {
  id: text,
  url: { type: 'string', format: 'uri' },
  events: { type: 'array', items: textAmong(eventKindNames), minItems: 1, uniqueItems: true },
  paused: { type: 'boolean' },
  createdAt: timestamp,
};

/** The schemas of what only v2 has. */
export const webhookSchemas: Record<WebhookResourceName, Schema> = {
  WebhookEndpoint: assumed('How the attributes of a webhook endpoint are written as JSON is not shown', closed(webhookFields)),
  NewWebhookEndpoint: assumed(
    'How the attributes of a webhook endpoint are written as JSON is not shown',
    closed({ ...webhookFields, secret: { type: 'string', pattern: `^${secretPrefix}`, description: 'Shown this once' } }),
  ),
};
