/** What becomes of messages and campaigns after they were sent. Their states are not shown (api.md §3): the assumptions name them. */
import type { JsonObject } from '../values/json.ts';
import type { Campaign, Message } from '../store/workspace.ts';
import { campaignDetails } from '../service/views.ts';
import { DashboardError } from './error.ts';
import { type ListSize, newest } from './lists.ts';
import type { DashboardParts } from './parts.ts';

export interface LifeCycleActions {
  /** The newest messages first. */
  messages(workspaceId: string, size?: ListSize): readonly Readonly<Message>[];
  /** @throws DashboardError INVALID for a status that is none of the assumed ones */
  setMessageStatus(workspaceId: string, messageId: string, status: string): Readonly<Message>;
  /** One step on the way of the assumed statuses. @throws DashboardError LAST_STATUS at its end, or where delivery has failed */
  advanceMessage(workspaceId: string, messageId: string): Readonly<Message>;
  /** One step for every message that has one left. @returns how many went on */
  advanceMessages(workspaceId: string): { readonly advanced: number };
  /** The newest campaigns first, with their stats. */
  campaigns(workspaceId: string, size?: ListSize): readonly JsonObject[];
  /** @throws DashboardError INVALID for a status that is none of the assumed ones */
  setCampaignStatus(workspaceId: string, campaignId: string, status: string): JsonObject;
  /** One step on the way of the assumed statuses; at its end, all contacts of the workspace have been sent to. @throws DashboardError LAST_STATUS */
  advanceCampaign(workspaceId: string, campaignId: string): JsonObject;
}

export function lifeCycleActions(parts: DashboardParts): LifeCycleActions {
  return { ...messageActions(parts), ...campaignActions(parts) };
}

type MessageActions = Pick<LifeCycleActions, 'messages' | 'setMessageStatus' | 'advanceMessage' | 'advanceMessages'>;

function messageActions({ assumptions: { deliveryStatuses, failedDeliveryStatus }, workspaceOf }: DashboardParts): MessageActions {
  const find = (workspaceId: string, messageId: string): Message => {
    const message = workspaceOf(workspaceId).messages.get(messageId);
    if (message !== undefined) return message;
    throw new DashboardError('MESSAGE_NOT_FOUND', 'No message of this workspace has this id; list the messages');
  };
  const nextOf = ({ status }: Message): string | undefined =>
    status === failedDeliveryStatus ? undefined : next(deliveryStatuses, status);
  return {
    messages: (workspaceId, size) => newest(workspaceOf(workspaceId).messages.all(), size).map(show),
    setMessageStatus(workspaceId, messageId, status) {
      const message = find(workspaceId, messageId);
      message.status = oneOf([...deliveryStatuses, failedDeliveryStatus], status);
      return show(message);
    },
    advanceMessage(workspaceId, messageId) {
      const message = find(workspaceId, messageId);
      message.status = nextOf(message) ?? noneLeft(message.status);
      return show(message);
    },
    advanceMessages(workspaceId) {
      const steps = workspaceOf(workspaceId)
        .messages.all()
        .map((message) => ({ message, status: nextOf(message) }))
        .filter((step): step is { message: Message; status: string } => step.status !== undefined);
      for (const { message, status } of steps) message.status = status;
      return { advanced: steps.length };
    },
  };
}

/** A copy: what callers hold does not change under them. */
const show = (message: Message): Message => ({ ...message });

type CampaignActions = Pick<LifeCycleActions, 'campaigns' | 'setCampaignStatus' | 'advanceCampaign'>;

function campaignActions({ store, assumptions: { campaignStatuses }, workspaceOf }: DashboardParts): CampaignActions {
  const find = (workspaceId: string, campaignId: string): Campaign => {
    const campaign = workspaceOf(workspaceId).campaigns.get(campaignId);
    if (campaign !== undefined) return campaign;
    throw new DashboardError('CAMPAIGN_NOT_FOUND', 'No campaign of this workspace has this id; list the campaigns');
  };
  const set = (workspaceId: string, campaign: Campaign, status: string): JsonObject => {
    store.setCampaignStatus(workspaceOf(workspaceId), campaign, status);
    return campaignDetails(campaign);
  };
  return {
    campaigns: (workspaceId, size) => newest(workspaceOf(workspaceId).campaigns.all(), size).map(campaignDetails),
    setCampaignStatus: (workspaceId, campaignId, status) =>
      set(workspaceId, find(workspaceId, campaignId), oneOf(campaignStatuses, status)),
    advanceCampaign(workspaceId, campaignId) {
      const campaign = find(workspaceId, campaignId);
      return set(workspaceId, campaign, next(campaignStatuses, campaign.status) ?? noneLeft(campaign.status));
    },
  };
}

function oneOf(statuses: readonly string[], status: string): string {
  if (statuses.includes(status)) return status;
  throw new DashboardError('INVALID', `status: must be one of ${statuses.join(', ')}`);
}

/** Undefined at the end of the way; the first one from beside it, where an assumed status may be. */
function next(statuses: readonly string[], status: string): string | undefined {
  return statuses[statuses.indexOf(status) + 1];
}

function noneLeft(status: string): never {
  throw new DashboardError('LAST_STATUS', `After ${status} comes no other status; set the one you want`);
}
