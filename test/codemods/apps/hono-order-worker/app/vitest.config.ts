import { defineWorkersConfig } from '@cloudflare/vitest-pool-workers/config';

export default defineWorkersConfig({
  test: {
    include: ['test/**/*.spec.ts'],
    poolOptions: {
      workers: {
        wrangler: { configPath: './wrangler.toml' },
        miniflare: { bindings: { MESSAGING_KEY: 'test-key', GEOCODER_KEY: 'geo-key', SHOP_TOKEN: 'shop-token' } },
      },
    },
  },
});
