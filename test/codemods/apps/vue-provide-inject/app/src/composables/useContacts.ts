import { onMounted, ref } from 'vue';
import type { Contact } from '../api/client';
import { useApi } from '../plugins/api';

export function useContacts(limit = 20) {
  const api = useApi();
  const contacts = ref<Contact[]>([]);
  const error = ref<unknown>(null);

  async function load() {
    try {
      const { data } = await api.get(`/v1/contacts?limit=${limit}`);
      contacts.value = data;
    } catch (caught) {
      error.value = caught;
    }
  }

  async function rename(contact: Contact, name: string) {
    await api.put(`/v1/contacts/${contact.id}`, { name });
    await load();
  }

  onMounted(load);
  return { contacts, error, load, rename };
}
