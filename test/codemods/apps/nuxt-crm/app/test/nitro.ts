import { ofetch } from 'ofetch';

/** What Nitro imports for us, as far as the handlers under test use it. */
const runtimeConfig = {
  messagingApiKey: 'test-key',
  messaging: { baseUrl: 'https://api.example.com' },
  parcelApiKey: 'parcel-key',
};

export const calls: { url: string; method: string; body: unknown }[] = [];

Object.assign(globalThis, {
  $fetch: ofetch,
  useRuntimeConfig: () => runtimeConfig,
  defineEventHandler: (handler: unknown) => handler,
  cachedEventHandler: (handler: unknown) => handler,
  getQuery: (event: { query: unknown }) => event.query ?? {},
  getRouterParam: (event: { params: Record<string, string> }, name: string) => event.params[name],
  readBody: async (event: { body: unknown }) => event.body,
  readValidatedBody: async (event: { body: unknown }, parse: (body: unknown) => unknown) => parse(event.body),
  setResponseStatus: () => {},
  createError: (facts: { statusMessage: string }) => Object.assign(new Error(facts.statusMessage), facts),
});

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  calls.push({
    url: request.url,
    method: request.method,
    body: request.body === null ? undefined : await request.json(),
  });
  return Response.json({ messageId: 'm1', data: [] });
};
