/** A client for any service: whoever makes it says where it goes. */
export class HttpClient {
  constructor(private readonly options: { baseUrl: string; apiKey: string; header?: string }) {}

  async get<T>(path: string): Promise<T> {
    const { baseUrl, apiKey, header = 'x-api-key' } = this.options;
    const response = await fetch(baseUrl + path, { headers: { [header]: apiKey } });
    return (await response.json()) as T;
  }
}
