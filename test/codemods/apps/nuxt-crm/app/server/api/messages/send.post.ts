import { z } from 'zod';

const Body = z.object({
  to: z.string().min(5),
  content: z.string().max(1000),
});

export default defineEventHandler(async (event) => {
  const { to, content } = await readValidatedBody(event, Body.parse);
  const { messaging, messagingApiKey } = useRuntimeConfig(event);

  const sent = await $fetch<{ messageId: string }>('/v1/messages/send', {
    method: 'POST',
    baseURL: messaging.baseUrl,
    headers: { 'X-API-Key': messagingApiKey },
    body: { channel: 'SMS', to, content },
  });
  setResponseStatus(event, 202);
  return { id: sent.messageId };
});
