import type { Contact } from './contacts.ts';
import type { Campaign, Message, Workspace } from './workspace.ts';

/** A record of which there may be any number, and the workspace that it is in. */
export type Stored = { readonly workspace: Workspace } & (
  | { readonly kind: 'message'; readonly record: Message }
  | { readonly kind: 'contact'; readonly record: Contact }
  | { readonly kind: 'campaign'; readonly record: Campaign }
);

/** Puts a record into its workspace. */
export function put({ kind, workspace, record }: Stored): void {
  if (kind === 'message') workspace.messages.add(record.messageId, record);
  else if (kind === 'contact') workspace.contacts.add(record);
  else workspace.campaigns.add(record.id, record);
}

/** Takes a record out of its workspace. */
export function remove({ kind, workspace, record }: Stored): void {
  if (kind === 'message') workspace.messages.delete(record.messageId);
  else if (kind === 'contact') workspace.contacts.delete(record);
  else workspace.campaigns.delete(record.id);
}
