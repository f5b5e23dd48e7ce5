/** API keys (api.md §§2, 3, 5): made by owners and admins, their values shown once. */
import { z } from 'zod';
import { type KeyAccess, keyAccesses, type KeyState } from '../../contract/auth.ts';
import type { Key } from '../store/keys.ts';
import { DashboardError } from './error.ts';
import type { DashboardParts } from './parts.ts';
import { count, instant, label, valid } from './valid.ts';

/** What somebody may be in a workspace. api.md §2 names owners and admins; a member is anybody else. */
export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

const keyExpiry = 'Instant (ISO 8601) after which the key is rejected';
const keyLimit = "v1 calls a minute, where that is lower than the plan's";

export const keyDraft = z.strictObject({
  name: label.describe('Any text; named after the integration'),
  access: z.enum(keyAccesses).describe(`One of ${keyAccesses.join(', ')}`),
  expiresAt: instant.optional().describe(keyExpiry),
  perMinute: count(0).optional().describe(keyLimit),
});

export const keyChanges = z.strictObject({
  expiresAt: instant.nullish().describe(`${keyExpiry}; null for never`),
  perMinute: count(0).nullish().describe(`${keyLimit}; null for the plan's`),
});

export type KeyDraft = z.input<typeof keyDraft>;
export type KeyChanges = z.input<typeof keyChanges>;

export interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly access: KeyAccess;
  /** The first characters of its value. */
  readonly prefix: string;
  readonly state: KeyState;
  /** ISO 8601; null for never. */
  readonly expiresAt: string | null;
  /** Its own limit of v1 calls a minute; null where it has none. */
  readonly perMinute: number | null;
  readonly createdAt: string;
}

/** A role is that of the user who acts; the owner where absent. */
export interface KeyActions {
  /** All keys of a workspace, deleted ones included. */
  keys(workspaceId: string): readonly KeyView[];
  /** @returns the key with its value, for the only time. @throws DashboardError ROLE for a member */
  createKey(workspaceId: string, draft: KeyDraft, role?: Role): KeyView & { readonly value: string };
  /** @throws DashboardError ROLE for a member, where the assumption keyChangesNeedAdmin says so */
  changeKey(workspaceId: string, keyId: string, changes: KeyChanges, role?: Role): KeyView;
  /** @throws DashboardError ROLE for a member, where the assumption keyChangesNeedAdmin says so */
  deleteKey(workspaceId: string, keyId: string, role?: Role): KeyView;
}

export function keyActions({ store: { keys }, assumptions, workspaceOf }: DashboardParts): KeyActions {
  const view = (key: Key): KeyView => {
    const { id, name, access, prefix, expiresAt, perMinute = null, createdAt } = key;
    const expiry = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
    return { id, name, access, prefix, state: keys.stateOf(key), expiresAt: expiry, perMinute, createdAt };
  };
  const toChange = (workspaceId: string, keyId: string, role: Role): Key => {
    const key = keys.list(workspaceOf(workspaceId)).find(({ id, deleted }) => id === keyId && !deleted);
    if (assumptions.keyChangesNeedAdmin) needAdmin(role);
    if (key === undefined)
      throw new DashboardError('KEY_NOT_FOUND', 'No key of this workspace has this id, or it is deleted; list the keys');
    return key;
  };
  return {
    keys: (workspaceId) => keys.list(workspaceOf(workspaceId)).map(view),
    createKey(workspaceId, draft, role = 'owner') {
      const workspace = workspaceOf(workspaceId);
      needAdmin(role);
      const { key, value } = keys.create(workspace, valid(keyDraft, draft));
      return { ...view(key), value };
    },
    changeKey(workspaceId, keyId, changes, role = 'owner') {
      const key = toChange(workspaceId, keyId, role);
      keys.update(key, valid(keyChanges, changes));
      return view(key);
    },
    deleteKey(workspaceId, keyId, role = 'owner') {
      const key = toChange(workspaceId, keyId, role);
      keys.delete(key);
      return view(key);
    },
  };
}

function needAdmin(role: Role): void {
  if (role !== 'owner' && role !== 'admin') throw new DashboardError('ROLE', 'Only an owner or admin of the workspace may do this');
}
