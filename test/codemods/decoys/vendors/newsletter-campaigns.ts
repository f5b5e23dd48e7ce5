const API = 'https://api.newsletter-vendor.com';

export interface Campaign {
  id: string;
  name: string;
}

export async function createCampaign(key: string, name: string): Promise<Campaign> {
  const response = await fetch(API + '/v1/campaigns', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ name }),
  });
  return (await response.json()) as Campaign;
}

export async function sendCampaign(key: string, id: string): Promise<void> {
  await fetch(`${API}/v1/campaigns/${id}/send`, { method: 'POST', headers: { 'x-api-key': key } });
}
