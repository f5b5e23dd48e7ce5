import { type Dispatcher, request } from 'undici';

const ORIGIN = 'https://api.example.com';

/** Starts the campaign of the month. Runs on its own, with its own dispatcher. */
export async function startCampaign(id: string, { key, dispatcher }: { key: string; dispatcher?: Dispatcher }): Promise<unknown> {
  const headers = { 'x-api-key': key };
  const campaign = await request(`${ORIGIN}/v1/campaigns/${id}`, { headers, dispatcher });
  if (campaign.statusCode === 404) {
    await campaign.body.dump();
    return undefined;
  }
  await campaign.body.dump();
  const sent = await request(`${ORIGIN}/v1/campaigns/${id}/send`, { method: 'POST', headers, dispatcher });
  return sent.body.json();
}
