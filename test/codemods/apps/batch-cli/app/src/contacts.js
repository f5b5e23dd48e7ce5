import got from 'got';
import { withRetry } from './retry.js';
import { settings } from './settings.js';
import { contactsPage } from './urls.js';

/** All contacts, page by page: the answer says where the next one is, or there is none. */
export async function* allContacts(key) {
  const client = got.extend({
    headers: { [settings.api.keyHeader]: key, 'user-agent': settings.userAgent },
    responseType: 'json',
    retry: { limit: 0 },
  });
  let url = contactsPage(1);
  while (url) {
    const page = url;
    const { body } = await withRetry(() => client.get(page));
    yield* body.data ?? [];
    url = body.next;
  }
}
