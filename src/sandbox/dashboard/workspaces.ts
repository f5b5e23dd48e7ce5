/** Workspaces, their plans, and how much of its limits each has used (api.md §§1, 8). */
import { z } from 'zod';
import { type Plan, plans } from '../../contract/plans.ts';
import { limitsOf } from '../service/limits.ts';
import type { CustomLimits, Workspace } from '../store/workspace.ts';
import type { DashboardParts } from './parts.ts';
import { count, label, valid } from './valid.ts';

const ownLimit = count(0).nullish();
const limits = z.strictObject({ perMinute: ownLimit, perDay: ownLimit, perHour: ownLimit, webhookEndpoints: ownLimit });
const limitsNote = `${Object.keys(limits.shape).join(', ')}, in place of the plan's; null gives the plan's back, what is absent stays`;

const plan = z.enum(plans);

export const workspaceDraft = z.strictObject({
  name: label.describe('Any text'),
  plan: plan.describe(`One of ${plans.join(', ')}`),
});

export const workspaceChanges = z.strictObject({
  name: label.optional().describe('Any text'),
  plan: plan.optional().describe(`One of ${plans.join(', ')}`),
  limits: limits.optional().describe(limitsNote),
});

export type WorkspaceDraft = z.input<typeof workspaceDraft>;
export type WorkspaceChanges = z.input<typeof workspaceChanges>;

export interface WorkspaceView {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Its own ones only. */
  readonly limits: CustomLimits;
  readonly createdAt: string;
}

/** Calls, or webhook endpoints, and how many there may be; null where there may be any number. */
export interface Used {
  readonly used: number;
  readonly limit: number | null;
}

export interface Usage {
  /** v1 calls of each key that is not deleted, in this minute. */
  readonly minute: readonly (Used & { readonly keyId: string })[];
  /** v1 calls today. */
  readonly day: Used;
  /** v2 calls in this hour. */
  readonly hour: Used;
  readonly webhookEndpoints: Used;
}

export interface WorkspaceActions {
  workspaces(): readonly WorkspaceView[];
  createWorkspace(draft: WorkspaceDraft): WorkspaceView;
  changeWorkspace(workspaceId: string, changes: WorkspaceChanges): WorkspaceView;
  /** How much of its limits a workspace has used. */
  usage(workspaceId: string): Usage;
}

export function workspaceActions({ store, limits, assumptions, workspaceOf }: DashboardParts): WorkspaceActions {
  return {
    workspaces: () => store.workspaces().map(view),
    createWorkspace(draft) {
      const { name, plan } = valid(workspaceDraft, draft);
      return view(store.createWorkspace(name, plan));
    },
    changeWorkspace(id, changes) {
      const workspace = workspaceOf(id);
      const { name = workspace.name, plan = workspace.plan, limits = {} } = valid(workspaceChanges, changes);
      Object.assign(workspace, { name, plan, limits: merge(workspace.limits, limits) } satisfies Partial<Workspace>);
      return view(workspace);
    },
    usage(id) {
      const workspace = workspaceOf(id);
      const allowed = limitsOf(workspace, assumptions);
      const keys = store.keys.list(workspace).filter(({ deleted }) => !deleted);
      return {
        minute: keys.map(({ id: keyId, perMinute = Infinity }) => ({
          keyId,
          ...used(limits.used('minute', keyId), Math.min(allowed.perMinute, perMinute)),
        })),
        day: used(limits.used('day', workspace.id), allowed.perDay),
        hour: used(limits.used('hour', workspace.id), allowed.perHour),
        webhookEndpoints: used(workspace.webhooks.size, allowed.webhookEndpoints),
      };
    },
  };
}

function view({ id, name, plan, limits, createdAt }: Workspace): WorkspaceView {
  return { id, name, plan, limits, createdAt };
}

function used(calls: number, limit: number): Used {
  return { used: calls, limit: limit === Infinity ? null : limit };
}

function merge(before: CustomLimits, changes: z.output<typeof limits>): CustomLimits {
  const given = Object.entries(changes).filter(([, limit]) => limit !== undefined);
  const merged = Object.entries<number | null | undefined>({ ...before, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}
