import { handle } from './hooks.server';
import { load } from './routes/(app)/contacts/+page.server';
import { POST } from './routes/api/v1/subscribers/+server';

/** What the server would do with two of its pages. */
export default async function main({ key }: { key: string }) {
  process.env['MESSAGING_API_KEY'] = key;
  process.env['PARTNER_KEY'] = 'partner';
  const asked = async (url: string, init: RequestInit, resolve: (event: object) => Promise<unknown>) => {
    const event = { url: new URL(url), request: new Request(url, init), fetch, locals: {}, params: {} };
    return handle({ event, resolve });
  };
  const body = JSON.stringify({ phone: '+14155550101' });
  const added = await asked('http://localhost/api/v1/subscribers', { method: 'POST', body, headers: { 'x-api-key': 'partner' } }, (event) => POST(event as never));
  const refused = await asked('http://localhost/api/v1/subscribers', { method: 'POST', body }, async () => undefined);
  const contacts = await asked('http://localhost/contacts', {}, async ({ locals }: never) => load({ locals, fetch: async () => new Response(null, { status: 404 }) } as never));
  return { added: (added as Response).status, refused: (refused as Response).status, contacts };
}
