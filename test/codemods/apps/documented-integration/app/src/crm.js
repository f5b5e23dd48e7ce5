import axios from 'axios';

/** The CRM, which has keys of its own. */
export const createCrm = ({ apiKey }) => axios.create({ baseURL: 'https://crm.example.net/v1', headers: { 'x-api-key': apiKey } });

export const syncPeople = async (crm, messaging) => {
  const { data } = await crm.get('/people');
  const known = await messaging.contacts({ limit: 100 });
  return data.people.length - known.data.length;
};
