/** The store as a snapshot holds it. */
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

type Saved<S extends Stored | StoredWebhook> = S extends unknown ? Omit<S, 'workspace'> & { readonly workspaceId: string } : never;
/** A record as a snapshot holds it. */
export type SavedRecord = Saved<Stored | StoredWebhook>;

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
