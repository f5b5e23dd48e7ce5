import type { z } from 'zod';
import type { Role } from '../dashboard/keys.ts';
import { timestamp } from '../clock/clock.ts';
import { ControlError } from './error.ts';
import type { RouteId, routes } from './routes.ts';
import type { ControlTarget } from './target.ts';

type Names<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type Read<Id extends RouteId, Part extends 'body' | 'query'> = (typeof routes)[Id] extends {
  readonly [P in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : unknown;

/** A request that was checked against its row. */
export interface ControlCall<Id extends RouteId> {
  /** What stands in the places of the path's names. */
  readonly at: { readonly [Name in Names<(typeof routes)[Id]['path']>]: string };
  readonly body: Read<Id, 'body'>;
  readonly query: Read<Id, 'query'>;
  /** That of the user who acts. */
  readonly role: Role;
}

/** Each gives what to answer with, or throws. */
export type ControlHandlers = { readonly [Id in RouteId]: (call: ControlCall<Id>) => unknown };

export function createHandlers(target: ControlTarget): ControlHandlers {
  return {
    health: () => ok,
    openapiV1: () => target.describe('v1'),
    openapiV2: () => target.describe('v2'),
    ...instanceHandlers(target),
    ...clockHandlers(target),
    ...workspaceHandlers(target),
    ...webhookHandlers(target),
    ...lifeCycleHandlers(target),
    ...faultHandlers(target),
  } satisfies Record<RouteId, unknown>;
}

const ok = { status: 'ok' };

type Handlers<Id extends RouteId> = Pick<ControlHandlers, Id>;

function instanceHandlers(target: ControlTarget): Handlers<'reset' | 'snapshot' | 'restore'> {
  return {
    async reset() {
      await target.reset();
      return ok;
    },
    snapshot: () => target.snapshot(),
    async restore({ body }) {
      await target.restore(body);
      return ok;
    },
  };
}

function clockHandlers({ clock }: ControlTarget): Handlers<'clock' | 'freeze' | 'resume' | 'advance' | 'set'> {
  const shown = () => ({ now: timestamp(clock), frozen: clock.frozen });
  return {
    clock: shown,
    freeze() {
      clock.freeze();
      return shown();
    },
    resume() {
      clock.resume();
      return shown();
    },
    async advance({ body }) {
      await clock.advance(body.by);
      return shown();
    },
    async set({ body }) {
      await clock.set(body.to);
      return shown();
    },
  };
}

function workspaceHandlers(
  target: ControlTarget,
): Handlers<'workspaces' | 'createWorkspace' | 'changeWorkspace' | 'usage' | 'keys' | 'createKey' | 'changeKey' | 'deleteKey'> {
  return {
    workspaces: () => ({ workspaces: target.dashboard.workspaces() }),
    createWorkspace: ({ body }) => target.dashboard.createWorkspace(body),
    changeWorkspace: ({ at, body }) => target.dashboard.changeWorkspace(at.workspace, body),
    usage: ({ at }) => target.dashboard.usage(at.workspace),
    keys: ({ at }) => ({ keys: target.dashboard.keys(at.workspace) }),
    createKey: ({ at, body, role }) => target.dashboard.createKey(at.workspace, body, role),
    changeKey: ({ at, body, role }) => target.dashboard.changeKey(at.workspace, at.key, body, role),
    deleteKey: ({ at, role }) => target.dashboard.deleteKey(at.workspace, at.key, role),
  };
}

function webhookHandlers(
  target: ControlTarget,
): Handlers<
  | 'webhooks'
  | 'registerWebhook'
  | 'changeWebhook'
  | 'deleteWebhook'
  | 'regenerateSecret'
  | 'testWebhook'
  | 'raise'
  | 'receiveMessage'
  | 'deliveries'
  | 'notifications'
> {
  return {
    webhooks: ({ at }) => ({ webhooks: target.dashboard.webhooks(at.workspace) }),
    registerWebhook: ({ at, body }) => target.dashboard.registerWebhook(at.workspace, body),
    changeWebhook: ({ at, body }) => target.dashboard.changeWebhook(at.workspace, at.webhook, body),
    deleteWebhook: ({ at }) => target.dashboard.deleteWebhook(at.workspace, at.webhook),
    regenerateSecret: ({ at }) => target.dashboard.regenerateSecret(at.workspace, at.webhook),
    testWebhook: ({ at }) => target.dashboard.testWebhook(at.workspace, at.webhook),
    raise: ({ at, body }) => target.dashboard.raise(at.workspace, body.event, body.data),
    receiveMessage: ({ at, body }) => target.dashboard.receiveMessage(at.workspace, body),
    deliveries: ({ at, query }) => ({ deliveries: target.dashboard.deliveries(at.workspace, query) }),
    notifications: ({ at, query }) => ({ notifications: target.dashboard.notifications(at.workspace, query) }),
  };
}

function lifeCycleHandlers(
  target: ControlTarget,
): Handlers<
  'messages' | 'advanceMessages' | 'advanceMessage' | 'setMessageStatus' | 'campaigns' | 'advanceCampaign' | 'setCampaignStatus'
> {
  return {
    messages: ({ at, query }) => ({ messages: target.dashboard.messages(at.workspace, query) }),
    advanceMessages: ({ at }) => target.dashboard.advanceMessages(at.workspace),
    advanceMessage: ({ at }) => target.dashboard.advanceMessage(at.workspace, at.message),
    setMessageStatus: ({ at, body }) => target.dashboard.setMessageStatus(at.workspace, at.message, body.status),
    campaigns: ({ at, query }) => ({ campaigns: target.dashboard.campaigns(at.workspace, query) }),
    advanceCampaign: ({ at }) => target.dashboard.advanceCampaign(at.workspace, at.campaign),
    setCampaignStatus: ({ at, body }) => target.dashboard.setCampaignStatus(at.workspace, at.campaign, body.status),
  };
}

function faultHandlers(target: ControlTarget): Handlers<'faults' | 'addFault' | 'clearFaults' | 'removeFault'> {
  const list = () => ({ faults: target.faults.list() });
  return {
    faults: list,
    addFault: ({ body }) => target.faults.add(body),
    clearFaults() {
      target.faults.clear();
      return list();
    },
    removeFault({ at }) {
      if (!target.faults.remove(at.fault)) throw new ControlError('FAULT_NOT_FOUND', 'No fault has this id; list the faults');
      return list();
    },
  };
}
