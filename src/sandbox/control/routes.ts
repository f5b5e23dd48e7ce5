/** What the control surface offers: one row for each request. The handlers are checked against the rows, and the table of docs/sandbox.md is made from them. */
import { z } from 'zod';
import { eventKindNames } from '../../contract/events.ts';
import { eventDraft, inboundMessage } from '../dashboard/events.ts';
import { keyChanges, keyDraft } from '../dashboard/keys.ts';
import { readBy } from '../dashboard/valid.ts';
import { webhookChanges, webhookDraft } from '../dashboard/webhooks.ts';
import { workspaceChanges, workspaceDraft } from '../dashboard/workspaces.ts';
import type { FaultRule } from '../faults/rule.ts';
import { readDuration, readInstant } from '../clock/instants.ts';
import type { BodyKind } from './body.ts';

export interface ControlRoute extends BodyKind {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `:name` stands for one path segment. */
  readonly path: string;
  readonly does: string;
  /** Its fields say in their descriptions what they are. Without required fields, the request may come without a body. */
  readonly body?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Of the answer; 200 where absent. */
  readonly status?: number;
}

const size = { limit: z.coerce.number().int().min(1).max(1_000).optional().describe('At most so many; 100 where absent') };
const listed = z.strictObject(size);
const status = (values: string) => z.strictObject({ status: z.string().describe(values) });
const attempts = z.strictObject({
  event: z.enum(eventKindNames).optional().describe('Only of this kind of event'),
  webhook: z.string().optional().describe('Only at the endpoint with this id'),
  ...size,
});

const turn = z.strictObject({
  by: readBy(readDuration).describe('A duration: 90s, 5m, 24h, 30d or a number of milliseconds'),
});
const setting = z.strictObject({ to: readBy(readInstant).describe('An instant: 2026-12-31T00:00:00Z') });

const faultKinds = Object.entries({
  latency: '`ms`',
  error: '`status`, `retryAfter`',
  reset: '`at`: request, head or body',
  truncated: '',
  invalidJson: '',
  slow: '`bytesPerSecond`',
} satisfies Record<FaultRule['fault']['kind'], string>);
const faultNote = faultKinds.map(([kind, takes]) => (takes === '' ? kind : `${kind} (${takes})`)).join('; ');

/** Faults check what they are given, and say what is wrong: also of fields that there are not. */
const faultRule = z.looseObject({
  route: z.custom<FaultRule['route']>().describe('An endpoint, with or without its method, or `/v1/*`, `/v2/*`, `*`'),
  fault: z.custom<FaultRule['fault']>().describe(`An object whose \`kind\` is one of ${faultNote}`),
  times: z.custom<FaultRule['times']>().optional().describe('How many calls it befalls; all where absent'),
  probability: z.custom<FaultRule['probability']>().optional().describe('From 0 to 1; every call where absent'),
});
const snapshot = z.looseObject({}).describe('What `GET /snapshot` answered');

const one = '/workspaces/:workspace';

export const routes = {
  health: { method: 'GET', path: '/healthz', does: 'Say that the sandbox serves' },
  openapiV1: { method: 'GET', path: '/openapi/v1.json', does: 'The OpenAPI 3.1 document of v1' },
  openapiV2: { method: 'GET', path: '/openapi/v2.json', does: 'The OpenAPI 3.1 document of v2, with its webhooks' },

  reset: { method: 'POST', path: '/reset', does: 'Begin anew, with nothing but the demo data; calls under way end in what was before' },
  snapshot: { method: 'GET', path: '/snapshot', does: 'Everything that the sandbox remembers, as JSON' },
  restore: { method: 'PUT', path: '/snapshot', does: 'Go back to a snapshot', body: snapshot, snapshot: true },

  clock: { method: 'GET', path: '/clock', does: 'Read the clock' },
  freeze: { method: 'POST', path: '/clock/freeze', does: 'Stop the clock' },
  resume: { method: 'POST', path: '/clock/resume', does: 'Let the clock run on' },
  advance: {
    method: 'POST',
    path: '/clock/advance',
    does: 'Turn the clock forwards; answers once everything that fell due is done, in order',
    body: turn,
  },
  set: { method: 'POST', path: '/clock/set', does: 'Turn the clock to an instant, like advance or backwards', body: setting },

  workspaces: {
    method: 'GET',
    path: '/workspaces',
    does: 'List the workspaces; in every path, `demo` stands for the id of the demo workspace',
  },
  createWorkspace: { method: 'POST', path: '/workspaces', does: 'Create a workspace', body: workspaceDraft, status: 201 },
  changeWorkspace: { method: 'PATCH', path: one, does: 'Change name, plan or limits', body: workspaceChanges },
  usage: { method: 'GET', path: `${one}/usage`, does: 'How much of its limits it has used' },

  keys: { method: 'GET', path: `${one}/keys`, does: 'List the API keys, with prefix and state' },
  createKey: {
    method: 'POST',
    path: `${one}/keys`,
    does: 'Create a key; its value is shown this once. `Dashboard-Role: member` is refused, owner (the default) and admin are not',
    body: keyDraft,
    status: 201,
  },
  changeKey: { method: 'PATCH', path: `${one}/keys/:key`, does: 'Change expiry or limit of a key', body: keyChanges },
  deleteKey: { method: 'DELETE', path: `${one}/keys/:key`, does: 'Delete a key; it is rejected from now on' },

  webhooks: { method: 'GET', path: `${one}/webhooks`, does: 'List the webhook endpoints' },
  registerWebhook: {
    method: 'POST',
    path: `${one}/webhooks`,
    does: 'Register a webhook endpoint; its secret is shown this once',
    body: webhookDraft,
    status: 201,
  },
  changeWebhook: { method: 'PATCH', path: `${one}/webhooks/:webhook`, does: 'Choose events; pause or resume', body: webhookChanges },
  deleteWebhook: { method: 'DELETE', path: `${one}/webhooks/:webhook`, does: 'Delete an endpoint' },
  regenerateSecret: {
    method: 'POST',
    path: `${one}/webhooks/:webhook/secret`,
    does: 'Make a new secret, shown this once; the old one stops working at once',
  },
  testWebhook: { method: 'POST', path: `${one}/webhooks/:webhook/test`, does: 'Send test.ping to this endpoint', status: 202 },

  raise: { method: 'POST', path: `${one}/events`, does: 'Raise an event', body: eventDraft, exact: true, status: 202 },
  receiveMessage: { method: 'POST', path: `${one}/inbound`, does: 'Let a message arrive in the inbox', body: inboundMessage, status: 202 },
  deliveries: {
    method: 'GET',
    path: `${one}/deliveries`,
    does: 'The attempts at deliveries, newest first: request, response, next try',
    query: attempts,
  },
  notifications: {
    method: 'GET',
    path: `${one}/notifications`,
    does: 'What the workspace was told of failing endpoints, newest first',
    query: listed,
  },

  messages: { method: 'GET', path: `${one}/messages`, does: 'List the messages, newest first', query: listed },
  advanceMessages: { method: 'POST', path: `${one}/messages/advance`, does: 'Move every message to its next status' },
  advanceMessage: { method: 'POST', path: `${one}/messages/:message/advance`, does: 'Move a message to its next status' },
  setMessageStatus: {
    method: 'PUT',
    path: `${one}/messages/:message/status`,
    does: 'Set the status of a message',
    body: status('One of `assumptions.deliveryStatuses`, or `assumptions.failedDeliveryStatus`'),
  },
  campaigns: { method: 'GET', path: `${one}/campaigns`, does: 'List the campaigns and their stats, newest first', query: listed },
  advanceCampaign: {
    method: 'POST',
    path: `${one}/campaigns/:campaign/advance`,
    does: 'Move a campaign to its next status; at the last one, it was sent to every contact',
  },
  setCampaignStatus: {
    method: 'PUT',
    path: `${one}/campaigns/:campaign/status`,
    does: 'Set the status of a campaign',
    body: status('One of `assumptions.campaignStatuses`'),
  },

  faults: { method: 'GET', path: '/faults', does: 'List the faults that were ordered' },
  addFault: { method: 'POST', path: '/faults', does: 'Order a fault', body: faultRule, status: 201 },
  clearFaults: { method: 'DELETE', path: '/faults', does: 'Take all faults back' },
  removeFault: { method: 'DELETE', path: '/faults/:fault', does: 'Take one fault back' },
} as const satisfies Record<string, ControlRoute>;

export type RouteId = keyof typeof routes;
