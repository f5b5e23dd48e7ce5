import type { Bindings } from '../env.ts';

/** Another vendor, whose key goes into a header of the same name. */
export async function locate(env: Pick<Bindings, 'GEOCODER_URL' | 'GEOCODER_KEY'>, address: string): Promise<{ lat: number; lng: number }> {
  const url = new URL(`${env.GEOCODER_URL}/search`);
  url.searchParams.set('q', address);
  const response = await fetch(url, { headers: { 'x-api-key': env.GEOCODER_KEY } });
  return response.json() as Promise<{ lat: number; lng: number }>;
}
