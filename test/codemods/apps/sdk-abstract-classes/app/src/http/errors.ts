export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, body: { error?: string; code?: string } | undefined) {
    super(body?.error ?? `HTTP ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body?.code;
  }

  get isRetryable(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}
