import type { Assumptions } from '../../contract/assumptions.ts';
import type { Limits } from '../service/limits.ts';
import type { Store } from '../store/store.ts';
import type { WebhookEndpoint, Workspace } from '../store/workspace.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';
import type { Events } from '../webhooks/events.ts';
import type { WebhookOperations } from '../webhooks/operations.ts';
import { DashboardError } from './error.ts';

/** What the dashboard works on: parts of one instance. */
export interface DashboardServices {
  readonly store: Store;
  readonly limits: Limits;
  readonly deliveries: Deliveries;
  readonly events: Events;
  readonly registry: WebhookOperations;
  readonly assumptions: Assumptions;
  /** The id of the workspace that `demo` stands for. */
  readonly demoId: string;
}

export interface DashboardParts extends DashboardServices {
  /** @throws DashboardError WORKSPACE_NOT_FOUND */
  readonly workspaceOf: (id: string) => Workspace;
  /** @throws DashboardError WORKSPACE_NOT_FOUND, WEBHOOK_NOT_FOUND */
  readonly webhookOf: (workspaceId: string, id: string) => WebhookEndpoint;
}

/** The service's parts, and how the dashboard finds what ids stand for. */
export function dashboardParts(services: DashboardServices): DashboardParts {
  const { store, demoId } = services;
  const workspaceOf = (id: string): Workspace => {
    const workspace = store.workspace(id === 'demo' ? demoId : id);
    if (workspace === undefined) throw new DashboardError('WORKSPACE_NOT_FOUND', 'No workspace has this id; list the workspaces');
    return workspace;
  };
  return {
    ...services,
    workspaceOf,
    webhookOf(workspaceId, id) {
      const webhook = workspaceOf(workspaceId).webhooks.get(id);
      if (webhook === undefined) {
        throw new DashboardError('WEBHOOK_NOT_FOUND', 'No webhook endpoint of this workspace has this id; list the webhooks');
      }
      return webhook;
    },
  };
}
