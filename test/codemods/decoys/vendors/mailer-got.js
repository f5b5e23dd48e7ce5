import got from 'got';

const mailer = got.extend({ prefixUrl: 'https://mailer.example.net/v1', headers: { 'x-api-key': process.env.MAILER_KEY } });

export const campaign = (id) => mailer.get(`campaigns/${id}`).json();
export const campaigns = (json) => mailer.post('campaigns', { json }).json();
