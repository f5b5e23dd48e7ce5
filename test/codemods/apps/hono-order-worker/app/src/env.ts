import type { KVNamespace } from '@cloudflare/workers-types';

/** Bindings of the worker: see wrangler.toml. */
export interface Bindings {
  MESSAGING_URL: string;
  MESSAGING_KEY: string;
  GEOCODER_URL: string;
  GEOCODER_KEY: string;
  SHOP_TOKEN: string;
  SMS_SENDER: string;
  CACHE: KVNamespace;
}

export type AppEnv = { Bindings: Bindings; Variables: { shop: string } };
