import axios from 'axios';

const CRM = 'https://rest.crm-vendor.net';

export const createContact = (contact) => axios.post(`${CRM}/v1/contacts`, contact, { headers: { 'x-api-key': process.env.CRM_KEY } });
export const contact = (id) => axios.get(`${CRM}/v1/contacts/${id}`, { headers: { 'x-api-key': process.env.CRM_KEY } });
