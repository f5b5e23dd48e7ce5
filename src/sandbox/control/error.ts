/** Why the control surface itself refuses a request. */
const statuses = {
  INVALID: 400,
  INVALID_JSON: 400,
  SNAPSHOT_INVALID: 400,
  KEY_NOT_ACCEPTED: 401,
  FORBIDDEN_HOST: 403,
  CROSS_SITE: 403,
  WEBHOOK_DELIVERY: 403,
  NOT_FOUND: 404,
  FAULT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  BODY_TOO_LARGE: 413,
  CONTENT_TYPE: 415,
  SNAPSHOT_TOO_LARGE: 507,
} as const;

export class ControlError extends Error {
  readonly code: keyof typeof statuses;
  readonly status: number;
  /** Fields of the answer. */
  readonly fields: Readonly<Record<string, string>>;
  constructor(code: keyof typeof statuses, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'ControlError';
    this.code = code;
    this.status = statuses[code];
    this.fields = fields;
  }
}
