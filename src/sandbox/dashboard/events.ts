/** Events, and what became of their deliveries (api.md §6). */
import { z } from 'zod';
import { type EventKind, eventKindNames } from '../../contract/events.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import type { RaisedEvent } from '../webhooks/attempt.ts';
import type { DeliveryAttempt } from '../webhooks/deliveries.ts';
import type { Notification } from '../webhooks/notifications.ts';
import { DashboardError } from './error.ts';
import { type ListSize, newest } from './lists.ts';
import type { DashboardParts } from './parts.ts';
import { valid } from './valid.ts';

/** The only kind whose data is shown (api.md §6). */
const inbound: EventKind = 'message.received';

export const eventDraft = z
  .strictObject({
    event: z.enum(eventKindNames).describe(`One of ${eventKindNames.join(', ')}`),
    data: z
      .custom<JsonObject>(isJsonObject, 'must be an object')
      .optional()
      .describe(`Any object; a sample where absent, as for ${inbound}`),
  })
  .refine(({ event, data }) => event !== inbound || data === undefined, {
    path: ['data'],
    message: `must be absent for ${inbound}, whose data is documented: let a message arrive with POST …/inbound (receiveMessage in code)`,
  });

export const inboundMessage = z.strictObject({
  from: z.string().describe('Phone number of the sender'),
  text: z.string().describe('Any text'),
  name: z.string().optional().describe('Name of the sender, for a contact that is not there yet'),
});

export type InboundMessage = z.input<typeof inboundMessage>;

export interface DeliveryFilter extends ListSize {
  readonly event?: EventKind | undefined;
  /** The id of an endpoint, which may have been deleted since. */
  readonly webhook?: string | undefined;
}

/** Events go out on their own: `clock.idle()` resolves once everything that is due has been delivered or has failed. */
export interface EventActions {
  /** Sends test.ping to this endpoint alone, whatever it has chosen. */
  testWebhook(workspaceId: string, webhookId: string): RaisedEvent;
  /**
   * Raises an event of any kind.
   * @param data as it is; a sample where absent
   * @throws DashboardError INVALID where message.received is given data: `receiveMessage` makes what is documented
   */
  raise(workspaceId: string, event: EventKind, data?: JsonObject): RaisedEvent;
  /** A message arrives in the inbox and raises message.received. @throws DashboardError INVALID where `from` is no phone number */
  receiveMessage(workspaceId: string, message: InboundMessage): RaisedEvent;
  /** The attempts that are over: the newest first. */
  deliveries(workspaceId: string, filter?: DeliveryFilter): readonly DeliveryAttempt[];
  /** What the workspace was told of endpoints that keep failing: the newest first. */
  notifications(workspaceId: string, size?: ListSize): readonly Notification[];
}

export function eventActions({ events, deliveries, workspaceOf, webhookOf }: DashboardParts): EventActions {
  return {
    testWebhook: (workspaceId, webhookId) => events.test(workspaceOf(workspaceId), webhookOf(workspaceId, webhookId)),
    raise(workspaceId, event, data) {
      const workspace = workspaceOf(workspaceId);
      const draft = valid(eventDraft, { event, data });
      return events.raise(workspace, draft.event, draft.data);
    },
    receiveMessage(workspaceId, message) {
      const workspace = workspaceOf(workspaceId);
      const raised = events.receiveMessage(workspace, valid(inboundMessage, message));
      if ('refused' in raised) throw new DashboardError('INVALID', raised.error ?? 'The message cannot be received');
      return raised;
    },
    deliveries(workspaceId, { event, webhook, ...size } = {}) {
      const matches = (attempt: DeliveryAttempt): boolean =>
        (event === undefined || attempt.event === event) && (webhook === undefined || attempt.webhookId === webhook);
      return newest(deliveries.log(workspaceOf(workspaceId)).filter(matches), size);
    },
    notifications: (workspaceId, size) => newest(deliveries.notifications(workspaceOf(workspaceId)), size),
  };
}
