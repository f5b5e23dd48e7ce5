// In the manner of a generated SDK: the base and the header are far from the resource.
export class APIClient {
  baseURL = 'https://api.anthropic.com';
  constructor(protected apiKey: string | null) {}

  protected apiKeyAuth(): Record<string, string> {
    return this.apiKey === null ? {} : { 'X-Api-Key': this.apiKey };
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return fetch(this.baseURL + path, { method: 'POST', headers: this.apiKeyAuth(), body: JSON.stringify(body) }).then((r) => r.json() as Promise<T>);
  }
}

export class Messages {
  constructor(private readonly client: APIClient) {}

  create(body: object): Promise<unknown> {
    return this.client.post('/v1/messages', body);
  }

  countTokens(body: object): Promise<unknown> {
    return this.client.post('/v1/messages/count_tokens', body);
  }
}
