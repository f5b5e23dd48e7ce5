import { serviceHeaders } from './headers.ts';

/** An answer that was no success. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: { readonly error?: string; readonly code?: string; readonly data?: unknown };

  constructor(status: number, body: ApiError['body']) {
    super(`${status} ${body.error ?? ''}`.trim());
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

/** JSON over fetch, with our key. */
export class ApiClient {
  private readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  get<T>(path: string): Promise<T> {
    return this.request('GET', path);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.request('POST', path, body);
  }

  put<T>(path: string, body: object): Promise<T> {
    return this.request('PUT', path, body);
  }

  private async request<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: serviceHeaders(),
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new ApiError(response.status, (await response.json()) as ApiError['body']);
    return (await response.json()) as T;
  }
}
