/** By way of our own server: the key never reaches the browser. */
export const useContacts = (page: Ref<number>) => useFetch('/api/contacts', { query: { page }, watch: [page] });

export const useContact = (id: string) => useFetch(`/api/contacts/${id}`, { key: `contact-${id}` });
