import { ApiClient, ApiError } from './api-client.ts';
import { config } from './config.ts';

export interface Contact {
  readonly id: string;
  readonly phone?: string;
  readonly email?: string;
  readonly name?: string;
}

const CONTACTS = '/v1/contacts';
const api = new ApiClient(config.baseUrl);

/** The contact with this phone number or email: a new one, or the one that was there. */
export async function ensureContact(contact: Omit<Contact, 'id'>): Promise<Contact> {
  try {
    return (await api.post<{ data: Contact }>(CONTACTS, contact)).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return error.body.data as Contact;
    throw error;
  }
}

export async function getContact(id: string): Promise<Contact> {
  return (await api.get<{ data: Contact }>(`${CONTACTS}/${id}`)).data;
}

export async function renameContact(id: string, name: string): Promise<Contact> {
  return (await api.put<{ data: Contact }>(`${CONTACTS}/${id}`, { name })).data;
}

export async function contactPage(page: number, limit = 50): Promise<Contact[]> {
  const query = new URLSearchParams({ page: String(page), limit: String(limit) });
  return (await api.get<{ data: Contact[] }>(`${CONTACTS}?${query}`)).data;
}
