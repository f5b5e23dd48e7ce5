import type { Messaging } from '../clients/messaging';

export async function sendNewsletter({ campaigns }: Messaging, name: string): Promise<string> {
  const created = await campaigns.create({ body: { name } });
  if (created.status >= 300) throw new Error(`No campaign: ${created.status}`);
  const { id } = (created.body as { data: { id: string } }).data;
  const sent = await campaigns.send({ params: { id }, body: {} });
  if (sent.status >= 300) throw new Error(`Not sent: ${sent.status}`);
  return id;
}
