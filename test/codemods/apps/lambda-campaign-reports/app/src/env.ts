import { z } from 'zod';

const schema = z
  .object({
    MESSAGING_API_URL: z
      .url()
      .default('https://api.example.com/v1')
      .transform((url) => url.replace(/\/+$/, '')),
    MESSAGING_API_KEY: z.string().min(1),
    BILLING_URL: z.url().optional(),
    BILLING_KEY: z.string().optional(),
    REPORT_PHONE: z.string().regex(/^\+\d+$/).optional(),
    LOG_LEVEL: z.enum(['debug', 'info', 'error']).default('info'),
  })
  .superRefine((env, ctx) => {
    if (env.BILLING_URL !== undefined && env.BILLING_KEY === undefined) {
      ctx.addIssue({ code: 'custom', path: ['BILLING_KEY'], message: 'needed with BILLING_URL' });
    }
  });

export type Env = z.infer<typeof schema>;

/** Read once per container. */
export function loadEnv(source: Record<string, string | undefined> = process.env): Env {
  const parsed = schema.safeParse(source);
  if (!parsed.success) {
    console.error('Invalid environment', z.flattenError(parsed.error).fieldErrors);
    throw new Error('Invalid environment');
  }
  return parsed.data;
}
