/** Records as the API shows them. The shapes are assumed: api.md shows no more than messageId. */
import type { JsonObject } from '../values/json.ts';
import type { Contact } from '../store/contacts.ts';
import type { Campaign, WebhookEndpoint } from '../store/workspace.ts';

export function contactData({ id, fields, createdAt, updatedAt }: Contact): JsonObject {
  return show(fields, { id, createdAt, updatedAt });
}

export function campaignData(campaign: Campaign): JsonObject {
  const { stats: _, ...data } = campaignDetails(campaign);
  return data;
}

export function campaignDetails({ id, fields, status, createdAt, stats }: Campaign): JsonObject {
  return show(fields, { id, status, createdAt, stats });
}

/** The id first, for people; and no field of a client's in the place of one of ours. */
function show(fields: JsonObject, ours: JsonObject): JsonObject {
  return { id: ours['id'], ...fields, ...ours };
}

/** Without the secret, which is shown only when it is made. */
export function webhookData({ id, url, events, paused, createdAt }: WebhookEndpoint): JsonObject {
  return { id, url, events, paused, createdAt };
}
