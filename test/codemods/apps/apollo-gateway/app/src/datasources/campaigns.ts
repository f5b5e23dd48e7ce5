import { RESTDataSource, type WillSendRequestOptions } from 'apollo-datasource-rest';

/** Of the old gateway, with the package of Apollo Server 3. */
export class CampaignsAPI extends RESTDataSource {
  constructor() {
    super();
    this.baseURL = 'https://api.example.com';
  }

  willSendRequest(request: WillSendRequestOptions) {
    request.headers.set('x-api-key', this.context.apiKey);
  }

  async campaign(id: string) {
    return this.get(`/v1/campaigns/${id}`);
  }

  async create(name: string) {
    return this.post('/v1/campaigns', { name });
  }

  async start(id: string) {
    return this.post(`/v1/campaigns/${id}/send`);
  }
}
