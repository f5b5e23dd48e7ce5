/** Why the dashboard refuses, and the HTTP status that says so on the control surface. */
const statuses = {
  INVALID: 400,
  WEBHOOK_URL: 400,
  WEBHOOK_LIMIT: 402,
  ROLE: 403,
  WORKSPACE_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  MESSAGE_NOT_FOUND: 404,
  CAMPAIGN_NOT_FOUND: 404,
  LAST_STATUS: 409,
} as const;

export type DashboardErrorCode = keyof typeof statuses;

/** What a user of the dashboard is told. */
export class DashboardError extends Error {
  readonly code: DashboardErrorCode;
  readonly status: number;
  constructor(code: DashboardErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DashboardError';
    this.code = code;
    this.status = statuses[code];
  }
}
