/** The store as a snapshot holds it. */
import { type JsonObject, readFields, type SavedFields, saveFields } from '../values/json.ts';
import type { Contact, Contacts } from './contacts.ts';
import type { KeysState } from './keys.ts';
import type { Stored } from './stored.ts';
import type { SavedWorkspace, WebhookEndpoint, Workspace } from './workspace.ts';

/** Not counted with the others: the plan bounds how many there are. */
interface StoredWebhook {
  readonly kind: 'webhook';
  readonly workspace: Workspace;
  readonly record: WebhookEndpoint;
}

type SavedForm<R> = R extends { fields: JsonObject } ? Omit<R, 'fields'> & { readonly fields: SavedFields } : R;
type Saved<S extends Stored | StoredWebhook> = S extends unknown
  ? { readonly kind: S['kind']; readonly workspaceId: string; readonly record: SavedForm<S['record']> }
  : never;
/** A record as a snapshot holds it. */
export type SavedRecord = Saved<Stored | StoredWebhook>;

/** As plain JSON, which shares parts with the store. */
export function saveRecord({ workspace: { id: workspaceId }, ...stored }: Stored): SavedRecord {
  if (stored.kind === 'message') return { ...stored, workspaceId };
  const { fields } = stored.record;
  if (stored.kind === 'contact') return { ...stored, workspaceId, record: { ...stored.record, fields: saveFields(fields) } };
  return { ...stored, workspaceId, record: { ...stored.record, fields: saveFields(fields) } };
}

/** @throws Error where what a client wrote can be no fields */
export function readRecord(saved: SavedRecord, workspace: Workspace): Stored | StoredWebhook {
  if (saved.kind === 'message') return { kind: saved.kind, workspace, record: saved.record };
  if (saved.kind === 'webhook') return { kind: saved.kind, workspace, record: saved.record };
  const fields = readFields(saved.record.fields);
  if (fields === undefined) throw new Error(`The fields of ${saved.record.id} are no object`);
  if (saved.kind === 'contact') return { kind: saved.kind, workspace, record: { ...saved.record, fields } };
  return { kind: saved.kind, workspace, record: { ...saved.record, fields } };
}

/** Plain JSON. */
export interface StoreState {
  /** In the order of their creation. */
  readonly workspaces: readonly SavedWorkspace[];
  readonly keys: KeysState;
  /** In an order in which they can be added again. */
  readonly records: readonly SavedRecord[];
}

/** @throws Error where a contact cannot be one of these */
export function mustFit({ id, fields }: Contact, contacts: Contacts): void {
  if (!contacts.canHold(fields)) throw new Error(`The phone number or email of the contact ${id} is no text`);
  const other = contacts.clash(fields);
  if (other !== undefined) throw new Error(`The contacts ${other.id} and ${id} share a phone number or email`);
}
