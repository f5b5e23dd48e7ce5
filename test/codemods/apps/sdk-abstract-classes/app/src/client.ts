import { BaseClient } from './http/base-client.js';
import type { ClientOptions } from './options.js';
import { Campaigns } from './resources/campaigns.js';
import { Contacts } from './resources/contacts.js';
import { Messages } from './resources/messages.js';
import { Templates } from './resources/templates.js';

export class MessagingClient extends BaseClient {
  readonly messages: Messages;
  readonly contacts: Contacts;
  readonly campaigns: Campaigns;
  readonly templates: Templates;

  constructor(options: ClientOptions) {
    super(options);
    this.messages = new Messages(this);
    this.contacts = new Contacts(this);
    this.campaigns = new Campaigns(this);
    this.templates = new Templates(this);
  }

  protected get product(): string {
    return 'acme-messaging-node';
  }
}
