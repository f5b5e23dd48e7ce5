/** Webhook endpoints (api.md §§2, 3, 6, 8): registered within the plan's limit, their secrets shown once. */
import { z } from 'zod';
import type { Assumptions } from '../../contract/assumptions.ts';
import { type EventKind, eventKindNames } from '../../contract/events.ts';
import { errorRows, errorText } from '../../contract/errors.ts';
import type { Refusal } from '../service/outcome.ts';
import type { WebhookEndpoint } from '../store/workspace.ts';
import { DashboardError } from './error.ts';
import type { DashboardParts } from './parts.ts';
import { valid } from './valid.ts';

const events = z
  .array(z.enum(eventKindNames))
  .min(1)
  .transform((kinds) => [...new Set(kinds)]);
const eventsNote = `A list of ${eventKindNames.join(', ')}`;

export const webhookDraft = z.strictObject({
  url: z.string().describe('An https address that is public'),
  events: events.optional().describe(eventsNote),
});

export const webhookChanges = z.strictObject({
  events: events.optional().describe(eventsNote),
  paused: z.boolean().optional().describe('true pauses the endpoint, and what it misses meanwhile is not sent later; false resumes it'),
});

export type WebhookDraft = z.input<typeof webhookDraft>;
export type WebhookChanges = z.input<typeof webhookChanges>;

export interface WebhookView {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventKind[];
  readonly paused: boolean;
  /** Failed deliveries since the last one that arrived. */
  readonly failures: number;
  readonly createdAt: string;
}

/** What holds a signing secret that is shown this once. */
export type WithSecret = WebhookView & { readonly secret: string };

export interface WebhookActions {
  webhooks(workspaceId: string): readonly WebhookView[];
  /** @throws DashboardError WEBHOOK_URL, WEBHOOK_LIMIT (rejects) */
  registerWebhook(workspaceId: string, draft: WebhookDraft): Promise<WithSecret>;
  changeWebhook(workspaceId: string, webhookId: string, changes: WebhookChanges): WebhookView;
  deleteWebhook(workspaceId: string, webhookId: string): WebhookView;
  /** Makes a new secret; the old one stops working at once. */
  regenerateSecret(workspaceId: string, webhookId: string): WithSecret;
}

export function webhookActions({ store, registry, assumptions, workspaceOf, webhookOf }: DashboardParts): WebhookActions {
  return {
    webhooks: (workspaceId) => workspaceOf(workspaceId).webhooks.all().map(view),
    async registerWebhook(workspaceId, draft) {
      const workspace = workspaceOf(workspaceId);
      const webhook = await registry.register(workspace, valid(webhookDraft, draft));
      if ('refused' in webhook) throw refusal(webhook, assumptions);
      return { ...view(webhook), secret: webhook.secret };
    },
    changeWebhook(workspaceId, webhookId, changes) {
      const webhook = webhookOf(workspaceId, webhookId);
      const { events = webhook.events, paused = webhook.paused } = valid(webhookChanges, changes);
      webhook.events = events;
      webhook.paused = paused;
      return view(webhook);
    },
    deleteWebhook(workspaceId, webhookId) {
      const webhook = webhookOf(workspaceId, webhookId);
      store.deleteWebhook(workspaceOf(workspaceId), webhook);
      return view(webhook);
    },
    regenerateSecret(workspaceId, webhookId) {
      const webhook = webhookOf(workspaceId, webhookId);
      store.regenerateSecret(webhook);
      return { ...view(webhook), secret: webhook.secret };
    },
  };
}

/** The URL is what is left to be wrong with a draft that was checked, where it is not the limit. */
function refusal({ refused, detail }: Refusal, assumptions: Assumptions): DashboardError {
  const { code } = errorRows.webhookLimit;
  return refused === 'webhookLimit'
    ? new DashboardError(code, errorText(refused, assumptions))
    : new DashboardError('WEBHOOK_URL', detail ?? assumptions.webhookUrlText);
}

function view({ id, url, events, paused, failures, createdAt }: WebhookEndpoint): WebhookView {
  return { id, url, events, paused, failures, createdAt };
}
