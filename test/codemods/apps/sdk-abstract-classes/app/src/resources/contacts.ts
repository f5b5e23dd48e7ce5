import { ApiError } from '../http/errors.js';
import { Resource } from './resource.js';

export interface Contact {
  id: string;
  phone?: string;
  email?: string;
  firstName?: string;
}

export class Contacts extends Resource<Contact> {
  protected readonly path = '/contacts';

  /** The one there is, where there is one. */
  async upsert(input: Partial<Contact>): Promise<Contact> {
    try {
      return await this.create(input);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      const [found] = await this.list({ page: 1, limit: 1 });
      if (found === undefined) throw error;
      return this.update(found.id, input);
    }
  }
}
