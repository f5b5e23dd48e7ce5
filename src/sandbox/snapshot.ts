/** A sandbox as one JSON value. What is read back is looked at closely: it comes from files, and must break nothing. */
import { z } from 'zod';
import { eventKindNames } from '../contract/events.ts';
import { channels } from '../contract/fields.ts';
import { plans } from '../contract/plans.ts';
import type { ClockState } from './clock.ts';
import type { Demo } from './demo.ts';
import type { FaultsState } from './faults/faults.ts';
import { faultRule } from './faults/rule.ts';
import type { IdsState } from './ids.ts';
import { lastInstant } from './instants.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import type { LimitsState } from './limits.ts';
import type { SavedKey } from './store/keys.ts';
import type { SavedRecord, StoreState } from './store/store.ts';
import type { SavedWorkspace } from './store/workspace.ts';
import type { DeliveriesState, DeliveryAttempt, Notification } from './webhooks/deliveries.ts';
import type { WorldState } from './world.ts';

/** Goes up when snapshots are written in another way. */
const version = 1;

/** A world and its clock. Plain JSON; what is inside may change from one version of the package to the next. The options of the sandbox are no part of it. */
export interface SandboxSnapshot extends WorldState {
  readonly version: typeof version;
  readonly clock: ClockState;
}

export function writeSnapshot(clock: ClockState, world: WorldState): SandboxSnapshot {
  return { version, clock, ...world };
}

/** A value that is no snapshot. Nothing was changed. */
export class SnapshotError extends Error {
  readonly code = 'SNAPSHOT_INVALID';

  /** @param place the names that lead to what is wrong */
  constructor(place: readonly PropertyKey[], problem: string, cause: unknown) {
    super(`${['snapshot', ...place].map(String).join('.')}: ${problem}; give what snapshot() gave`, { cause });
    this.name = 'SnapshotError';
  }
}

/**
 * Reads a snapshot.
 * @returns a copy
 * @throws SnapshotError that names the place where it is none
 */
export function readSnapshot(given: unknown): Omit<SandboxSnapshot, 'version'> {
  const result = snapshot.safeParse(copyOf(given));
  if (result.success) {
    const { version: _, ...rest } = result.data;
    return rest;
  }
  const [issue] = result.error.issues;
  throw new SnapshotError(issue?.path ?? [], issue?.message ?? 'is not valid', result.error);
}

/** As it would come out of a file. */
function copyOf(given: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(given) ?? 'null');
  } catch (cause) {
    throw new SnapshotError([], 'is not JSON', cause);
  }
}

const id = z.string().min(1);
const count = z.int().min(0);
/** Milliseconds since the epoch. */
const instant = z.int().min(0).max(lastInstant);
const timestamp = z.iso.datetime({ precision: 3 });
/** Objects of clients, in which any names may stand: zod would leave out `__proto__`. */
const anyObject = z.custom<JsonObject>(isJsonObject, 'must be an object');

const clock: z.ZodType<ClockState> = z.strictObject({ now: instant, frozen: z.boolean() });

const ids: z.ZodType<IdsState> = z.strictObject({ seed: z.string(), counts: z.record(z.string(), count) });

const demo: z.ZodType<Demo> = z.strictObject({ workspaceId: id, readWriteKey: id, readOnlyKey: id, expiredKey: id, deletedKey: id });

const workspace: z.ZodType<SavedWorkspace> = z.strictObject({
  id,
  name: z.string(),
  plan: z.enum(plans),
  limits: z.strictObject({
    perMinute: count.optional(),
    perDay: count.optional(),
    perHour: count.optional(),
    webhookEndpoints: count.optional(),
  }),
  createdAt: timestamp,
});

const key: z.ZodType<SavedKey> = z.strictObject({
  id,
  workspaceId: id,
  hash: id,
  name: z.string(),
  access: z.enum(['read', 'read-write']),
  prefix: z.string(),
  createdAt: timestamp,
  expiresAt: z.number().optional(),
  perMinute: count.optional(),
  deleted: z.boolean(),
});

const event = z.enum(eventKindNames);

const message = z.strictObject({
  messageId: id,
  channel: z.enum(channels),
  to: z.string(),
  content: z.string(),
  status: z.string(),
  createdAt: timestamp,
});
const contact = z.strictObject({ id, fields: anyObject, createdAt: timestamp, updatedAt: timestamp });
const campaign = z.strictObject({
  id,
  fields: anyObject,
  status: z.string(),
  stats: z.strictObject({ sent: count }),
  createdAt: timestamp,
});
const webhook = z.strictObject({
  id,
  url: z.string(),
  events: z.array(event),
  paused: z.boolean(),
  secret: id,
  failures: count,
  createdAt: timestamp,
});

const record: z.ZodType<SavedRecord> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('message'), workspaceId: id, record: message }),
  z.strictObject({ kind: z.literal('contact'), workspaceId: id, record: contact }),
  z.strictObject({ kind: z.literal('campaign'), workspaceId: id, record: campaign }),
  z.strictObject({ kind: z.literal('webhook'), workspaceId: id, record: webhook }),
]);

const recordId = ({ record }: SavedRecord): string => ('messageId' in record ? record.messageId : record.id);

const store: z.ZodType<StoreState> = z
  .strictObject({ workspaces: z.array(workspace), keys: z.array(key), records: z.array(record) })
  .superRefine(({ workspaces, keys, records }, context) => {
    const refuse = (path: PropertyKey[], message: string): void => context.addIssue({ code: 'custom', path, message });
    const names = { workspaces: workspaces.map(({ id }) => id), keys: keys.map(({ hash }) => hash), records: records.map(recordId) };
    for (const [place, all] of Object.entries(names)) {
      const first = new Map(all.map((name, index) => [name, index] as const).toReversed());
      for (const [index, name] of all.entries()) if (first.get(name) !== index) refuse([place, index], 'is there twice');
    }
    const known = new Set(names.workspaces);
    for (const [place, all] of Object.entries({ keys, records })) {
      for (const [index, { workspaceId }] of all.entries()) {
        if (!known.has(workspaceId)) refuse([place, index, 'workspaceId'], 'is the id of no workspace');
      }
    }
  });

const limits: z.ZodType<LimitsState> = z.record(z.string(), z.strictObject({ window: count, calls: count }));

const pending = z.strictObject({
  workspaceId: id,
  raised: z.strictObject({ id, event, timestamp, body: z.string(), webhookIds: z.array(id) }),
  evenPaused: z.boolean(),
  round: z.int().min(1),
  due: instant,
});

/** Only ever shown, as it is. */
const shown = <T>(): z.ZodType<T> => z.custom<T>(isJsonObject, 'must be an object');

const attempt: z.ZodType<DeliveryAttempt> = z.strictObject({
  id,
  eventId: id,
  event,
  webhookId: id,
  url: z.string(),
  attempt: z.int().min(1),
  at: timestamp,
  request: shown<NonNullable<DeliveryAttempt['request']>>().optional(),
  response: shown<NonNullable<DeliveryAttempt['response']>>().optional(),
  error: shown<NonNullable<DeliveryAttempt['error']>>().optional(),
  delivered: z.boolean(),
  nextAttemptAt: timestamp.optional(),
});

const notification: z.ZodType<Notification> = z.strictObject({ id, webhookId: id, url: z.string(), at: timestamp, message: z.string() });

const deliveries: z.ZodType<DeliveriesState> = z.strictObject({
  pending: z.array(pending),
  log: z.array(z.strictObject({ workspaceId: id, entry: attempt })),
  notifications: z.array(z.strictObject({ workspaceId: id, entry: notification })),
});

const faults: z.ZodType<FaultsState> = z.strictObject({
  made: count,
  entries: z.array(z.strictObject({ id, rule: faultRule, fired: count, draws: count })),
});

const snapshot: z.ZodType<SandboxSnapshot> = z
  .strictObject({ version: z.literal(version), clock, ids, demo, store, limits, deliveries, faults })
  .superRefine(({ demo, store }, context) => {
    if (store.workspaces.some(({ id }) => id === demo.workspaceId)) return;
    context.addIssue({ code: 'custom', path: ['demo', 'workspaceId'], message: 'is the id of no workspace' });
  });
