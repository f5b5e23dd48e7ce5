import type { Messaging } from '../clients/messaging';

export class Invitations {
  private readonly messaging: Messaging;

  constructor(messaging: Messaging) {
    this.messaging = messaging;
  }

  /** Adds somebody, and says hello; who is there already is greeted as well. */
  async invite(name: string, phone: string): Promise<string> {
    const added = await this.messaging.contacts.create({ body: { name, phone } });
    if (added.status !== 201 && added.status !== 409) throw new Error(`Nobody was added: ${added.status}`);
    const sent = await this.messaging.messages.send({ body: { channel: 'SMS', to: phone, content: `Welcome, ${name}!` } });
    if (sent.status >= 300) throw new Error(`Nothing was sent: ${sent.status}`);
    return added.body.data.id;
  }

  async nameOf(id: string): Promise<string | undefined> {
    const { status, body } = await this.messaging.contacts.get({ params: { id } });
    return status === 200 ? body.data.name : undefined;
  }

  async names(limit: number): Promise<string[]> {
    const { status, body } = await this.messaging.contacts.list({ query: { page: 1, limit } });
    return status === 200 ? body.data.map(({ name }) => name) : [];
  }
}
