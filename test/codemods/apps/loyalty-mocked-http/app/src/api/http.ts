import { settings } from '../settings.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`The messaging service answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

export async function api<T>(path: string, { method = 'GET', json }: { method?: string; json?: unknown } = {}): Promise<T> {
  const { url, version, key } = settings.messaging;
  const headers = new Headers({ accept: 'application/json' });
  headers.set('x-api-key', key || 'test-key');
  if (json !== undefined) headers.set('content-type', 'application/json');
  const response = await fetch(new URL(`/${version}/${path}`, url), { method, headers, body: json === undefined ? null : JSON.stringify(json) });
  const body = await response.json();
  if (!response.ok) throw new ApiError(response.status, body);
  return body as T;
}
