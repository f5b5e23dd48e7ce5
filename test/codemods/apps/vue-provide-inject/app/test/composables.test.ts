import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<main id="app"></main>');
Object.assign(globalThis, { window, document: window.document, Element: window.Element, SVGElement: window.SVGElement });

const { createApp, h, nextTick } = await import('vue');
const { useContacts } = await import('../src/composables/useContacts');
const { useSender } = await import('../src/composables/useSender');
const { mapPlugin, useMap } = await import('../src/map/plugin');
const { createApi } = await import('../src/plugins/api');

const fetched = mock.fn(async (url: string, _init: RequestInit = {}) =>
  Response.json(url.endsWith('/send') ? { messageId: 'msg_1' } : { data: [{ id: 'con_1', name: ' Ada', phone: '+14155550101' }] }),
);

beforeEach(() => {
  globalThis.fetch = fetched as unknown as typeof fetch;
});
afterEach(() => fetched.mock.resetCalls());

/** Runs a composable in an application that has the plugins. */
function withSetup<T>(composable: () => T): T {
  let result!: T;
  const app = createApp({
    setup() {
      result = composable();
      return () => h('div');
    },
  });
  app.use(createApi({ baseUrl: 'https://api.example.com', apiKey: 'test-key' }));
  app.use(mapPlugin, { key: 'public' });
  app.mount(window.document.createElement('div'));
  return result;
}

test('contacts are there once it is mounted', async () => {
  const { contacts } = withSetup(() => useContacts(5));
  await nextTick();
  await new Promise(setImmediate);
  assert.equal(contacts.value[0].id, 'con_1');
  const [url, init] = fetched.mock.calls[0].arguments;
  assert.equal(url, 'https://api.example.com/v1/contacts?limit=5');
  assert.equal((init!.headers as Record<string, string>)['X-API-Key'], 'test-key');
});

test('a contact gets another name', async () => {
  const { rename } = withSetup(() => useContacts());
  await rename({ id: 'con_1', name: ' Ada', phone: '' }, 'Ada');
  const put = fetched.mock.calls.find((call) => call.arguments[1]?.method === 'PUT');
  assert.equal(put?.arguments[0], 'https://api.example.com/v1/contacts/con_1');
});

test('a message is sent', async () => {
  const { send, isSending } = withSetup(useSender);
  assert.equal(await send('+14155550101', 'Hello'), 'msg_1');
  assert.equal(isSending.value, false);
  assert.equal(fetched.mock.calls[0].arguments[0], 'https://api.example.com/v1/messages/send');
});

test('the map is asked with its own key', async () => {
  await withSetup(useMap).placeOf('con_1');
  const [url, init] = fetched.mock.calls[0].arguments;
  assert.equal(url, 'https://maps.example.net/v1/contacts/con_1');
  assert.equal((init!.headers as Record<string, string>)['x-api-key'], 'public');
});
