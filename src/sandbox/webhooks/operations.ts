/** Registering and deleting webhook endpoints (api.md §§2, 4, 6, 8). */
import type { Assumptions } from '../../contract/assumptions.ts';
import { type EventKind, eventKindNames } from '../../contract/events.ts';
import type { JsonObject } from '../values/json.ts';
import { limitsOf } from '../service/limits.ts';
import { notFound, type Refusal } from '../service/outcome.ts';
import type { Store } from '../store/store.ts';
import type { WebhookEndpoint, Workspace } from '../store/workspace.ts';
import type { AddressRules } from './address.ts';

export interface WebhookOperations {
  /** Both for v2 and for the dashboard: one rule, which each of them words in its own way. */
  register(workspace: Workspace, body: JsonObject): Promise<WebhookEndpoint | Refusal>;
  delete(workspace: Workspace, id: string): WebhookEndpoint | Refusal;
}

export function createWebhookOperations(store: Store, addresses: AddressRules, assumptions: Assumptions): WebhookOperations {
  return {
    async register(workspace, body) {
      const events = eventsIn(body, assumptions);
      if (events === undefined) return { refused: 'badRequest', error: assumptions.webhookEventsText };
      const { url } = body;
      if (typeof url !== 'string') return { refused: 'badRequest', error: assumptions.webhookUrlText };
      const checked = await addresses.check(url);
      if ('problem' in checked) return { refused: 'badRequest', error: assumptions.webhookUrlText, detail: checked.detail };
      // Last, and without waiting in between: other registrations may have come while the name was resolved.
      if (workspace.webhooks.size >= limitsOf(workspace, assumptions).webhookEndpoints) return { refused: 'webhookLimit' };
      // As the URL parser reads it: white space, control characters and other spellings would make no URI (RFC 3986) to show.
      return store.addWebhook(workspace, { url: checked.url.href, events });
    },
    delete(workspace, id) {
      const webhook = workspace.webhooks.get(id);
      if (webhook === undefined) return notFound;
      store.deleteWebhook(workspace, webhook);
      return webhook;
    },
  };
}

/** The events that a body chooses; undefined where they are no list of known kinds. */
function eventsIn({ events: chosen }: JsonObject, { webhookEventsDefault }: Assumptions): readonly EventKind[] | undefined {
  const names: unknown = chosen ?? webhookEventsDefault;
  if (!Array.isArray(names) || names.length === 0 || !names.every(isEventKind)) return undefined;
  return [...new Set(names)];
}

export function isEventKind(name: unknown): name is EventKind {
  return eventKindNames.some((kind) => kind === name);
}
