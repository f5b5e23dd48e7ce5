/** What people do in the web dashboard, as functions: the control surface offers them over HTTP, and test suites call them. */
import { eventActions, type EventActions } from './events.ts';
import { keyActions, type KeyActions } from './keys.ts';
import { lifeCycleActions, type LifeCycleActions } from './life-cycles.ts';
import { dashboardParts, type DashboardServices } from './parts.ts';
import { webhookActions, type WebhookActions } from './webhooks.ts';
import { workspaceActions, type WorkspaceActions } from './workspaces.ts';

/**
 * Everything takes the id of a workspace, where `demo` stands for the demo workspace's, and throws a DashboardError where it is refused:
 * `code` says why, `*_NOT_FOUND` where an id stands for nothing and INVALID where an input is wrong.
 */
export interface Dashboard extends WorkspaceActions, KeyActions, WebhookActions, EventActions, LifeCycleActions {}

export function createDashboard(services: DashboardServices): Dashboard {
  const parts = dashboardParts(services);
  return {
    ...workspaceActions(parts),
    ...keyActions(parts),
    ...webhookActions(parts),
    ...eventActions(parts),
    ...lifeCycleActions(parts),
  };
}
