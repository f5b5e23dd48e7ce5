export interface ApiOptions {
  baseUrl: string;
  apiKey: string;
}

export class ApiError extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

/** One function for all calls: it adds the key and reads the answer. */
export function createApi({ baseUrl, apiKey }: ApiOptions) {
  async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(`${baseUrl}${path}`, {
      ...init,
      headers: { 'Content-Type': 'application/json', 'x-api-key': apiKey, ...init.headers },
    });
    if (!response.ok) throw new ApiError(response.status);
    return response.json();
  }
  return {
    request,
    get: <T>(path: string) => request<T>(path),
    post: <T>(path: string, body: unknown) => request<T>(path, { method: 'POST', body: JSON.stringify(body) }),
  };
}

export type Api = ReturnType<typeof createApi>;
