/** The body of a request: that of a send is shown (api.md §4), all others are not. */
import type { Assumptions } from '../contract/assumptions.ts';
import type { V2EndpointId } from '../contract/endpoints.ts';
import { eventKindNames } from '../contract/events.ts';
import { channels, sendMessageFields } from '../contract/fields.ts';
import { assumed, assumedKeywords, described, text, textAmong, textOrNull } from './schema.ts';
import type { Schema } from './types.ts';

/** The schema of an endpoint's request body; undefined where it takes none. */
export function requestSchema(id: V2EndpointId, assumptions: Assumptions): Schema | undefined {
  const schemas: Partial<Record<V2EndpointId, Schema>> = {
    sendMessage: message,
    createContact: assumed('contactFields', { ...contact(assumptions), anyOf: identities(assumptions) }),
    updateContact: assumed('contactFields', {
      ...contact(assumptions),
      ...(!assumptions.putKeepsFields && assumed('putKeepsFields', { anyOf: identities(assumptions) })),
    }),
    createCampaign: campaign,
    updateCampaign: campaign,
    sendCampaign: assumed('What a campaign is sent with is not shown; any object is accepted', { type: 'object' }),
    createWebhook: webhook(assumptions),
  };
  return schemas[id];
}

const notEmpty: Schema = assumedKeywords({ minLength: 'An empty text counts as missing' }, { ...text, minLength: 1 });

/** Open: whether there are further fields is not shown. */
const message: Schema = {
  type: 'object',
  properties: described(sendMessageFields, { channel: textAmong(channels), to: notEmpty, content: notEmpty }),
  required: sendMessageFields.map(({ name }) => name),
};

function contact({ contactFields, contactPhoneField, contactEmailField }: Assumptions): Schema {
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(contactFields.map((name) => [name, {}])),
      [contactPhoneField]: assumed('contactPhoneField', textOrNull),
      [contactEmailField]: assumed('contactEmailField', textOrNull),
    },
    additionalProperties: false,
  };
}

/** A contact is identified by its phone number or its email (api.md §2). */
const identities = ({ contactPhoneField, contactEmailField }: Assumptions): readonly Schema[] =>
  [contactPhoneField, contactEmailField].map((name) => ({ properties: { [name]: { ...text, minLength: 1 } }, required: [name] }));

const campaign: Schema = assumed('The fields of a campaign are not shown; any object is one', {
  type: 'object',
  properties: { name: textOrNull },
});

const webhook = ({ webhookEventsDefault }: Assumptions): Schema =>
  assumed('How the attributes of a webhook endpoint are written as JSON is not shown', {
    type: 'object',
    properties: {
      url: { type: 'string', format: 'uri' },
      events: assumed('webhookEventsDefault', {
        type: 'array',
        items: textAmong(eventKindNames),
        minItems: 1,
        default: webhookEventsDefault,
      }),
    },
    required: ['url'],
  });
