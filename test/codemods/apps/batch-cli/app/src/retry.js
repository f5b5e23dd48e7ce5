import { setTimeout as sleep } from 'node:timers/promises';

/** Tries again what may work later. */
export async function withRetry(task, { attempts = 3, delay = 50 } = {}) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await task(attempt);
    } catch (error) {
      const status = error.response?.statusCode ?? error.statusCode;
      if (attempt >= attempts || (status !== 503 && status !== 502)) throw error;
      await sleep(delay * 2 ** attempt);
    }
  }
}
