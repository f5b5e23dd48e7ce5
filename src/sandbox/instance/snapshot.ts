/** A sandbox as one JSON value. What is read back is looked at closely: it comes from files, and must break nothing. */
import { z } from 'zod';
import { keyAccesses } from '../../contract/auth.ts';
import { eventKindNames } from '../../contract/events.ts';
import { channels } from '../../contract/fields.ts';
import { plans } from '../../contract/plans.ts';
import type { ClockState } from '../clock/clock.ts';
import type { Demo } from './demo.ts';
import { faultNumber, type FaultsState } from '../faults/faults.ts';
import { faultRule } from '../faults/rule.ts';
import type { IdsState } from '../values/ids.ts';
import { lastInstant } from '../clock/instants.ts';
import { isJsonObject, maxDepth, nestsDeeper, readFields, type SavedFields } from '../values/json.ts';
import type { LimitsState } from '../service/limits.ts';
import type { SavedKey } from '../store/keys.ts';
import type { SavedRecord, StoreState } from '../store/saved.ts';
import type { SavedWorkspace } from '../store/workspace.ts';
import type { DeliveriesState, DeliveryAttempt } from '../webhooks/deliveries.ts';
import type { Notification } from '../webhooks/notifications.ts';
import type { InstanceState } from './instance.ts';

/** Goes up when snapshots are written in another way. */
const version = 1;

/** An instance and its clock. Plain JSON; what is inside may change from one version of the package to the next. The options of the sandbox are no part of it. */
export interface SandboxSnapshot extends InstanceState {
  readonly version: typeof version;
  readonly clock: ClockState;
}

export function writeSnapshot(clock: ClockState, instance: InstanceState): SandboxSnapshot {
  return { version, clock, ...instance };
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
/** Of things that were given numbers; from here the sandbox can count on for ever. */
const given = z.int().min(0).max(1e12);
/** Milliseconds since the epoch. */
const instant = z.int().min(0).max(lastInstant);
const timestamp = z.iso.datetime({ precision: 3 });
/** Objects of clients, in which any names may stand: zod would leave out `__proto__`. */
const fields = z.custom<SavedFields>((value) => readFields(value) !== undefined, 'must be an object, or its text, that is not too deep');

/** A list in which no two have the same name, by any of these. */
function distinct<T>(type: z.ZodType<T>, ...namings: readonly ((entry: T) => string)[]): z.ZodType<T[]> {
  return z.array(type).superRefine((entries, context) => {
    for (const nameOf of namings) {
      const names = new Set<string>();
      for (const [index, entry] of entries.entries()) {
        const before = names.size;
        if (names.add(nameOf(entry)).size === before) context.addIssue({ code: 'custom', path: [index], message: 'is there twice' });
      }
    }
  });
}

const clock: z.ZodType<ClockState> = z.strictObject({ now: instant, frozen: z.boolean() });

const ids: z.ZodType<IdsState> = z.strictObject({ seed: z.string(), counts: z.record(z.string(), given) });

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
  access: z.enum(keyAccesses),
  prefix: z.string(),
  createdAt: timestamp,
  // The demo's expired key has expired before its sandbox began, which may have been in 1970.
  expiresAt: z.int().max(lastInstant).optional(),
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
const contact = z.strictObject({ id, fields, createdAt: timestamp, updatedAt: timestamp });
const campaign = z.strictObject({
  id,
  fields,
  status: z.string(),
  stats: z.strictObject({ sent: count }),
  createdAt: timestamp,
});
const webhook = z.strictObject({
  id,
  url: z.string().refine((url) => URL.canParse(url), 'is no URL'),
  events: distinct(event, (kind) => kind).refine((kinds) => kinds.length > 0, 'must not be empty'),
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

const store: z.ZodType<StoreState> = z.strictObject({
  workspaces: distinct(workspace, ({ id }) => id),
  keys: distinct(
    key,
    ({ id }) => id,
    ({ hash }) => hash,
  ),
  records: distinct(record, recordId),
});

const limits: z.ZodType<LimitsState> = z.record(z.string(), z.strictObject({ window: count, calls: count }));

const pending = z.strictObject({
  workspaceId: id,
  raised: z.strictObject({ id, event, timestamp, body: z.string(), webhookIds: z.array(id) }),
  evenPaused: z.boolean(),
  round: z.int().min(1),
  due: instant,
  over: z.array(z.strictObject({ webhookId: id, delivered: z.boolean(), logId: id })).default([]),
});

/** Only ever shown, as it is. */
const shown = <T>(): z.ZodType<T> =>
  z.custom<T>((value) => isJsonObject(value) && !nestsDeeper(value, maxDepth), 'must be an object that is not too deep');

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
  pending: distinct(pending, ({ raised }) => raised.id),
  log: distinct(z.strictObject({ workspaceId: id, entry: attempt }), ({ entry }) => entry.id),
  notifications: distinct(z.strictObject({ workspaceId: id, entry: notification }), ({ entry }) => entry.id),
});

const fault = z.strictObject({ id: z.string(), rule: faultRule, fired: count, draws: given });

const faults: z.ZodType<FaultsState> = z
  .strictObject({ made: given, entries: distinct(fault, ({ id }) => id) })
  .superRefine(({ made, entries }, context) => {
    const numbers = entries.map(({ id }) => faultNumber(id));
    for (const [index, number] of numbers.entries()) {
      if (number === undefined) context.addIssue({ code: 'custom', path: ['entries', index, 'id'], message: 'is no id of a fault' });
      else if (number > made) context.addIssue({ code: 'custom', path: ['made'], message: 'is less than what the ids of the faults say' });
    }
  });

const snapshot: z.ZodType<SandboxSnapshot> = z
  .strictObject({ version: z.literal(version), clock, ids, demo, store, limits, deliveries, faults })
  .superRefine(({ demo, store, deliveries }, context) => {
    const known = new Set(store.workspaces.map(({ id }) => id));
    const check = (id: string, path: PropertyKey[]): void => {
      if (!known.has(id)) context.addIssue({ code: 'custom', path, message: 'is the id of no workspace' });
    };
    check(demo.workspaceId, ['demo', 'workspaceId']);
    const { keys, records } = store;
    for (const [part, lists] of Object.entries({ store: { keys, records }, deliveries })) {
      for (const [list, entries] of Object.entries(lists)) {
        for (const [index, { workspaceId }] of entries.entries()) check(workspaceId, [part, list, index, 'workspaceId']);
      }
    }
  });
