import { request } from 'undici';

export async function page(to, content) {
  const { statusCode } = await request('https://pager.vendor.app/v1/messages/send', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': process.env.PAGER_KEY },
    body: JSON.stringify({ to, content }),
  });
  return statusCode;
}
