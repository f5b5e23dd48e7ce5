export interface Contact {
  id: string;
  name: string;
  phone: string;
}

export interface ClientOptions {
  baseUrl: string;
  apiKey: string;
}

export class ApiError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

export class ApiClient {
  private readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  private async request(path: string, init: RequestInit = {}) {
    const response = await fetch(`${this.options.baseUrl}${path}`, {
      ...init,
      headers: { 'Content-Type': 'application/json', 'X-API-Key': this.options.apiKey },
    });
    if (!response.ok) throw new ApiError(response.status);
    return response.json();
  }

  get(path: string) {
    return this.request(path);
  }

  post(path: string, body?: unknown) {
    return this.request(path, { method: 'POST', body: JSON.stringify(body) });
  }

  put(path: string, body: unknown) {
    return this.request(path, { method: 'PUT', body: JSON.stringify(body) });
  }
}
