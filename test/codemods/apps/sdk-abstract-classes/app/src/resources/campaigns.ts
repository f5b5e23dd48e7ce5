import { Resource } from './resource.js';

export interface Campaign {
  id: string;
  name: string;
}

export class Campaigns extends Resource<Campaign> {
  protected readonly path = '/campaigns';

  launch(id: string): Promise<Campaign> {
    return this.client.request('POST', `${this.path}/${encodeURIComponent(id)}/send`);
  }
}
