/** How v2 writes its successes. Their shape is not shown (api.md §4), so the sandbox speaks the usual ones; a mapping of the proxy must fit each. */
import type { SuccessEnvelope } from '../../contract/dialects.ts';
import type { JsonObject } from '../values/json.ts';
import type { Page } from '../store/records.ts';
import type { Message } from '../store/workspace.ts';

export interface Envelope {
  readonly one: (resource: object) => JsonObject;
  /** A message that was just sent. */
  readonly sent: (message: Message) => JsonObject;
  readonly list: (page: Page<object>) => JsonObject;
}

export const envelopes = {
  /** Like v1's answers, as the proxy assumes without mappings. */
  v1: {
    one: (data) => ({ success: true, data }),
    sent: (message) => ({ success: true, messageId: message.messageId, data: message }),
    list: ({ entries, page, limit, total }) => ({ success: true, data: entries, page, limit, total }),
  },
  data: {
    one: (data) => ({ data }),
    sent: (message) => ({ data: message }),
    list: ({ entries, page, limit, total }) => ({ data: entries, meta: { page, limit, total } }),
  },
  bare: {
    one: (resource) => ({ ...resource }),
    sent: (message) => ({ ...message }),
    list: ({ entries, page, limit, total }) => ({ items: entries, page, limit, total }),
  },
} as const satisfies Record<SuccessEnvelope, Envelope>;
