import { createRoute, z } from '@hono/zod-openapi';

export const sendMessage = createRoute({
  method: 'post',
  path: '/v1/messages/send',
  request: { headers: z.object({ 'x-api-key': z.string().min(1) }), body: { content: { 'application/json': { schema: z.object({ to: z.string() }) } } } },
  responses: { 200: { description: 'Sent' } },
});
