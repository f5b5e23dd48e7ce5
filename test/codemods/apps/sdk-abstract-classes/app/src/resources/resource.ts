import type { BaseClient } from '../http/base-client.js';

export interface ListQuery {
  page?: number;
  limit?: number;
}

/** Reading and writing as most resources have it. Not all of them have all of it. */
export abstract class Resource<Item, Input = Partial<Item>> {
  protected abstract readonly path: string;
  protected readonly client: BaseClient;

  constructor(client: BaseClient) {
    this.client = client;
  }

  list(query: ListQuery = {}): Promise<Item[]> {
    return this.client.request('GET', this.path, { query: { ...query } });
  }

  get(id: string): Promise<Item> {
    return this.client.request('GET', `${this.path}/${encodeURIComponent(id)}`);
  }

  create(input: Input): Promise<Item> {
    return this.client.request('POST', this.path, { body: input });
  }

  update(id: string, input: Partial<Input>): Promise<Item> {
    return this.client.request('PUT', `${this.path}/${encodeURIComponent(id)}`, { body: input });
  }

  remove(id: string): Promise<void> {
    return this.client.request('DELETE', `${this.path}/${encodeURIComponent(id)}`);
  }
}
