import client from './client';

export const fetchContacts = (params) => client.get('/contacts', { params });
export const fetchContact = (id) => client.get(`/contacts/${id}`);
export const createContact = (contact) => client.post('/contacts', contact);
export const updateContact = (id, contact) => client.put(`/contacts/${id}`, contact);
