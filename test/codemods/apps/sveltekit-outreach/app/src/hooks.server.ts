import { env } from '$env/dynamic/private';
import { createMessaging } from '$lib/server/messaging';

export async function handle({ event, resolve }) {
  if (event.url.pathname.startsWith('/api/v1/') && event.request.headers.get('x-api-key') !== env.PARTNER_KEY) {
    return new Response('Whose key is that?', { status: 401 });
  }
  event.locals.messaging = createMessaging(event.fetch);
  return resolve(event);
}
