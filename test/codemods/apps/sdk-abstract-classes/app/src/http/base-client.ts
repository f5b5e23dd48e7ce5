import { API_KEY_HEADER, API_VERSION, SDK_VERSION } from '../constants.js';
import { type ClientOptions, resolveOptions, type ResolvedOptions } from '../options.js';
import { ApiError } from './errors.js';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface RequestOptions {
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  idempotencyKey?: string;
}

/** What every client of ours has in common; those who extend it say what they offer. */
export abstract class BaseClient {
  protected readonly options: ResolvedOptions;

  constructor(options: ClientOptions) {
    this.options = resolveOptions(options);
  }

  /** Shown in the user agent. */
  protected abstract get product(): string;

  async request<T>(method: HttpMethod, path: string, { query, body, idempotencyKey }: RequestOptions = {}): Promise<T> {
    const response = await this.options.fetch(this.buildUrl(path, query), {
      method,
      headers: this.buildHeaders(idempotencyKey),
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(this.options.timeoutMs),
    });
    this.options.onEvent?.('response', { method, path, status: response.status });
    if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => undefined));
    const answer = await response.json();
    return answer.data ?? answer;
  }

  protected buildUrl(path: string, query: RequestOptions['query'] = {}): string {
    const url = new URL(`${this.options.baseUrl}/${API_VERSION}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.toString();
  }

  private buildHeaders(idempotencyKey?: string): Record<string, string> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': `${this.product}/${SDK_VERSION}`,
      [API_KEY_HEADER]: this.options.apiKey,
    };
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    return headers;
  }
}
