/** Records as the API shows them. The shapes are assumed: api.md shows no more than messageId. */
import type { JsonObject } from './json.ts';
import type { Contact } from './store/contacts.ts';
import type { Campaign, WebhookEndpoint } from './store/workspace.ts';

export function contactData({ id, fields, createdAt, updatedAt }: Contact): JsonObject {
  return show(fields, { id, createdAt, updatedAt });
}

export function campaignData({ id, fields, status, createdAt }: Campaign): JsonObject {
  return show(fields, { id, status, createdAt });
}

/** The id first, for people; and no field of a client's in the place of one of ours. */
function show(fields: JsonObject, ours: JsonObject): JsonObject {
  return { id: ours['id'], ...fields, ...ours };
}

export function campaignDetails(campaign: Campaign): JsonObject {
  return { ...campaignData(campaign), stats: campaign.stats };
}

/** Without the secret, which is shown only when it is made. */
export function webhookData({ id, url, events, paused, createdAt }: WebhookEndpoint): JsonObject {
  return { id, url, events, paused, createdAt };
}
