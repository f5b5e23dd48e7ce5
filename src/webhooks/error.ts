/** Each failure, and what the receiver answers to it: 401 and 400 tell the sender, 500 says that the receiver itself has to be mended. */
const statuses = {
  /** No signature, or an empty one. */
  WEBHOOK_SIGNATURE_MISSING: 401,
  /** Not of the documented form, or sent more than once. */
  WEBHOOK_SIGNATURE_MALFORMED: 401,
  /** Another secret, or other bytes. */
  WEBHOOK_SIGNATURE_MISMATCH: 401,
  /** Rightly signed, but no delivery. */
  WEBHOOK_BODY_INVALID: 400,
  /** The body was decoded or parsed before it was verified. */
  WEBHOOK_BODY_NOT_RAW: 500,
  /** The receiver has no secret to verify with. */
  WEBHOOK_SECRET_MISSING: 500,
} as const;

export type WebhookErrorCode = keyof typeof statuses;

/** A webhook that must not be handled. The message says what to do; it holds neither the secret nor the signature that was expected. */
export class WebhookError extends Error {
  readonly code: WebhookErrorCode;
  /** The status to answer with. */
  readonly status: 400 | 401 | 500;
  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WebhookError';
    this.code = code;
    this.status = statuses[code];
  }
}
