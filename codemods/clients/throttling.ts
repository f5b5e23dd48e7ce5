/** Packages around requests of whatever client: they hold calls back, or wait between tries. Of each only the name matters. */
import type { ClientRule } from '../evaluate/client-rule.ts';

export const throttlingLibraries: ClientRule = {
  name: 'throttling',
  throttles: ['bottleneck', 'p-throttle', 'p-queue', 'limiter', 'async-sema', 'bull', 'bullmq', '@nestjs/bull', '@nestjs/bullmq'],
  retries: ['p-retry', 'async-retry', 'retry', 'cockatiel'],
};
