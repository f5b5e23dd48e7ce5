import type { Bindings } from '../env.ts';

/** Each morning: what was sent goes into the cache of the dashboard. */
export async function digest(env: Bindings): Promise<void> {
  const { MESSAGING_URL: base, MESSAGING_KEY: key } = env;
  const url = new URL(`${base}/messages`);
  url.searchParams.set('limit', '100');
  const headers = new Headers();
  headers.set('X-API-Key', key);
  const response = await fetch(url, { headers });
  await env.CACHE.put('digest', await response.text());
}
