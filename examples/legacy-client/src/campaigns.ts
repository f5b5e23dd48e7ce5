import axios from 'axios';
import { config } from './config.ts';

const campaigns = axios.create({
  baseURL: `${config.baseUrl}/v1`,
  headers: { 'X-API-Key': config.apiKey },
});

/** Creates a campaign and sends it to its audience. Returns its id. */
export async function launch(campaign: { readonly name: string }): Promise<string> {
  const { data: created } = await campaigns.post('/campaigns', campaign);
  await campaigns.post(`/campaigns/${created.data.id}/send`);
  return created.data.id;
}

export async function campaignStatus(id: string): Promise<string> {
  const { data } = await campaigns.get(`/campaigns/${id}`);
  return data.data.status;
}
