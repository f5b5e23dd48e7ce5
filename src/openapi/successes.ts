/** What an endpoint answers with when all went well, and how an envelope wraps it. */
import type { Assumptions } from '../contract/assumptions.ts';
import type { SuccessEnvelope } from '../contract/dialects.ts';
import type { V2EndpointId } from '../contract/endpoints.ts';
import { sendMessageAnswer } from '../contract/fields.ts';
import type { ResourceName, WebhookResourceName } from './resources.ts';
import { assumed, assumedKeywords, closed, count, type Mark, reference, text } from './schema.ts';
import type { Schema } from './types.ts';

/** `sent`: a message that was just sent. */
type Shape = 'one' | 'sent' | 'list';

interface Success {
  readonly shape: Shape;
  readonly resource: ResourceName | WebhookResourceName;
  /** The open question that gives the status; 200 where there is none. */
  readonly status?: 'createdStatus' | 'sendStatus' | 'deleteStatus';
}

const successes: Record<V2EndpointId, Success> = {
  sendMessage: { shape: 'sent', resource: 'Message', status: 'sendStatus' },
  getMessage: { shape: 'one', resource: 'Message' },
  listMessages: { shape: 'list', resource: 'Message' },
  createContact: { shape: 'one', resource: 'Contact', status: 'createdStatus' },
  getContact: { shape: 'one', resource: 'Contact' },
  listContacts: { shape: 'list', resource: 'Contact' },
  updateContact: { shape: 'one', resource: 'Contact' },
  deleteContact: { shape: 'one', resource: 'Contact', status: 'deleteStatus' },
  createCampaign: { shape: 'one', resource: 'Campaign', status: 'createdStatus' },
  getCampaign: { shape: 'one', resource: 'CampaignDetails' },
  sendCampaign: { shape: 'one', resource: 'SentCampaign', status: 'sendStatus' },
  updateCampaign: { shape: 'one', resource: 'Campaign' },
  createWebhook: { shape: 'one', resource: 'NewWebhookEndpoint', status: 'createdStatus' },
  listWebhooks: { shape: 'list', resource: 'WebhookEndpoint' },
  deleteWebhook: { shape: 'one', resource: 'WebhookEndpoint', status: 'deleteStatus' },
};

export const isList = (id: V2EndpointId): boolean => successes[id].shape === 'list';

/** The status of a success; none is shown, so each is an open question or a sentence. */
export function successStatus(id: V2EndpointId, assumptions: Assumptions): { readonly status: number; readonly mark: Mark } {
  const { status } = successes[id];
  return status === undefined
    ? { status: 200, mark: 'The statuses of successes are not shown' }
    : { status: assumptions[status], mark: status };
}

/** The body of a v1 success: only the messageId of a message that was sent is shown (api.md §4). */
export function v1Success(id: V2EndpointId): Schema {
  const { shape, resource } = successes[id];
  const body = wrap.v1[shape](reference(resource));
  if (shape !== 'sent') return assumed(notShown, body);
  const shown = new Set<string>(sendMessageAnswer.map(({ name }) => name));
  const marked = Object.entries(body.properties).map(([name, schema]): [string, Schema] => [
    name,
    shown.has(name) ? schema : assumed(notShown, schema),
  ]);
  return assumedKeywords({ required: notShown, additionalProperties: notShown }, { ...body, properties: Object.fromEntries(marked) });
}

const notShown = 'Success bodies are not shown, except the messageId of a message that was sent';

/** The body of a v2 success in an envelope. Nothing of it is shown. */
export function v2Success(id: V2EndpointId, envelope: SuccessEnvelope): Schema {
  const { shape, resource } = successes[id];
  return assumed(`Success bodies of v2 are not shown; this is the envelope ${envelope}`, wrap[envelope][shape](reference(resource)));
}

const place = { page: { type: 'integer', minimum: 1 }, limit: { type: 'integer', minimum: 1 }, total: count } as const;
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const success = { type: 'boolean', const: true } as const;

const wrap = {
  v1: {
    one: (data) => closed({ success, data }),
    sent: (data) => closed({ success, messageId: text, data }),
    list: (items) => closed({ success, data: listOf(items), ...place }),
  },
  data: {
    one: (data) => closed({ data }),
    sent: (data) => closed({ data }),
    list: (items) => closed({ data: listOf(items), meta: closed(place) }),
  },
  bare: {
    one: (data) => data,
    sent: (data) => data,
    list: (items) => closed({ items: listOf(items), ...place }),
  },
} as const satisfies Record<SuccessEnvelope, Record<Shape, (resource: Schema) => Schema>>;
