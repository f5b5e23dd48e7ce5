import { createEnv } from '@t3-oss/env-core';
import { z } from 'zod';

export const env = createEnv({
  server: {
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    MESSAGING_API_URL: z.url().default('https://api.example.com'),
    MESSAGING_API_KEY: z.string().min(1),
    SHOP_API_URL: z.url().default('https://shop.example.net/v1'),
    SHOP_API_KEY: z.string().min(1),
  },
  runtimeEnv: process.env,
  emptyStringAsUndefined: true,
  skipValidation: process.env.SKIP_ENV_VALIDATION === 'true',
});
