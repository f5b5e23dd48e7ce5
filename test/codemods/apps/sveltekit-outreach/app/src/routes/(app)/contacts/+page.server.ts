import { parcelsOf } from '$lib/server/parcels';

export async function load({ locals, fetch }) {
  const contacts = await locals.messaging.contacts(20);
  return { contacts, parcels: contacts.length === 0 ? [] : await parcelsOf(contacts[0].id, fetch) };
}

export const actions = {
  add: async ({ request, locals }) => {
    const form = await request.formData();
    await locals.messaging.addContact({ phone: String(form.get('phone')), name: String(form.get('name')) });
    return { added: true };
  },
};
