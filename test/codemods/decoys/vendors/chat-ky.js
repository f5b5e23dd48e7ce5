import ky from 'ky';

const chat = ky.create({ prefixUrl: 'https://chat.vendor.dev', headers: { 'x-api-key': process.env.CHAT_KEY } });

export const messages = () => chat.get('v1/messages').json();
export const send = (json) => chat.post('v1/messages/send', { json }).json();
