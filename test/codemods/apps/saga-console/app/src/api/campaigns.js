import client from './client';

class CampaignsApi {
  constructor(http) {
    this.http = http;
  }

  get(id) {
    return this.http.get(`/campaigns/${id}`);
  }

  create(campaign) {
    return this.http.post('/campaigns', campaign);
  }

  send(id) {
    return this.http.post(`/campaigns/${id}/send`);
  }
}

export default new CampaignsApi(client);
