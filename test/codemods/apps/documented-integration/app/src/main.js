import { createMessaging } from './index.js';

export default async function main({ key }) {
  const messaging = createMessaging({ apiKey: key });
  const { messageId } = await messaging.send({ channel: 'SMS', to: '+15550100001', content: 'Hello' });
  const status = await messaging.status(messageId);
  return { sent: typeof messageId, status: typeof status };
}
