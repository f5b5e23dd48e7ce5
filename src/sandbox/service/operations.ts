/**
 * What the service does with a call once it is let in: the rules of the resources (api.md §§2, 4, 7).
 * Both versions offer these operations; each has its own handlers, authentication and errors.
 */
import type { Assumptions } from '../../contract/assumptions.ts';
import { checkCampaign, contactChecks, messageDraft } from './checks.ts';
import type { JsonObject } from '../values/json.ts';
import { notFound, type Refusal } from './outcome.ts';
import type { Contact } from '../store/contacts.ts';
import type { ContactOrClash, Store } from '../store/store.ts';
import type { Campaign, Message, Workspace } from '../store/workspace.ts';
import { contactData } from './views.ts';

/** Each gives the record it made, changed or found, or the refusal to answer with. */
export interface Operations {
  sendMessage(workspace: Workspace, body: JsonObject): Message | Refusal;
  getMessage(workspace: Workspace, id: string): Message | Refusal;
  createContact(workspace: Workspace, body: JsonObject): Contact | Refusal;
  getContact(workspace: Workspace, id: string): Contact | Refusal;
  updateContact(workspace: Workspace, id: string, body: JsonObject): Contact | Refusal;
  deleteContact(workspace: Workspace, id: string): Contact | Refusal;
  createCampaign(workspace: Workspace, body: JsonObject): Campaign | Refusal;
  getCampaign(workspace: Workspace, id: string): Campaign | Refusal;
  updateCampaign(workspace: Workspace, id: string, body: JsonObject): Campaign | Refusal;
  sendCampaign(workspace: Workspace, id: string): Campaign | Refusal;
}

export function createOperations(store: Store, assumptions: Assumptions): Operations {
  const merge = (before: JsonObject, body: JsonObject): JsonObject => (assumptions.putKeepsFields ? { ...before, ...body } : body);
  return { ...messageOperations(store), ...contactOperations(store, assumptions, merge), ...campaignOperations(store, merge) };
}

type Merge = (before: JsonObject, body: JsonObject) => JsonObject;

function messageOperations(store: Store): Pick<Operations, 'sendMessage' | 'getMessage'> {
  return {
    sendMessage(workspace, body) {
      const draft = messageDraft(body);
      return 'refused' in draft ? draft : store.addMessage(workspace, draft);
    },
    getMessage: (workspace, id) => workspace.messages.get(id) ?? notFound,
  };
}

function contactOperations(
  store: Store,
  assumptions: Assumptions,
  merge: Merge,
): Pick<Operations, 'createContact' | 'getContact' | 'updateContact' | 'deleteContact'> {
  const check = contactChecks(assumptions);
  return {
    createContact: (workspace, body) => check.identity(body) ?? check.fields(body) ?? contactOrRefusal(store.addContact(workspace, body)),
    getContact: (workspace, id) => workspace.contacts.get(id) ?? notFound,
    updateContact(workspace, id, body) {
      const refusal = check.fields(body);
      if (refusal !== undefined) return refusal;
      const contact = workspace.contacts.get(id);
      if (contact === undefined) return notFound;
      const fields = merge(contact.fields, body);
      return check.identity(fields) ?? contactOrRefusal(store.updateContact(workspace, contact, fields));
    },
    deleteContact(workspace, id) {
      const contact = workspace.contacts.get(id);
      if (contact === undefined) return notFound;
      store.deleteContact(workspace, contact);
      return contact;
    },
  };
}

function contactOrRefusal(result: ContactOrClash): Contact | Refusal {
  return 'clash' in result ? { refused: 'contactExists', existing: contactData(result.clash) } : result.contact;
}

function campaignOperations(
  store: Store,
  merge: Merge,
): Pick<Operations, 'createCampaign' | 'getCampaign' | 'updateCampaign' | 'sendCampaign'> {
  return {
    createCampaign: (workspace, body) => checkCampaign(body) ?? store.addCampaign(workspace, body),
    getCampaign: (workspace, id) => workspace.campaigns.get(id) ?? notFound,
    updateCampaign(workspace, id, body) {
      const refusal = checkCampaign(body);
      if (refusal !== undefined) return refusal;
      const campaign = workspace.campaigns.get(id);
      if (campaign === undefined) return notFound;
      store.updateCampaign(workspace, campaign, merge(campaign.fields, body));
      return campaign;
    },
    sendCampaign(workspace, id) {
      const campaign = workspace.campaigns.get(id);
      if (campaign === undefined) return notFound;
      store.sendCampaign(workspace, campaign);
      return campaign;
    },
  };
}
