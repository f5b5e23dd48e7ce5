import { setTimeout } from 'node:timers/promises';
import { isAxiosError } from 'axios';
import { deliveryStatus } from './messages.ts';

const POLL_INTERVAL = 10_000;
const ONE_MINUTE = 60_000;
const ENDED = new Set(['DELIVERED', 'READ', 'FAILED']);

function isRateLimited(error: unknown): boolean {
  return isAxiosError(error) && error.response?.status === 429 && error.response.data.code === 'API_KEY_RATE_LIMITED';
}

/** Asks for the delivery status until the message has arrived, or failed, or nobody wants to know any more. */
export async function waitForDelivery(
  messageId: string,
  attempts = 30,
  wait: (ms: number) => Promise<unknown> = setTimeout,
): Promise<string> {
  let status = 'UNKNOWN';
  for (let attempt = 0; attempt < attempts && !ENDED.has(status); attempt++) {
    try {
      status = await deliveryStatus(messageId);
      await wait(POLL_INTERVAL);
    } catch (error) {
      if (!isRateLimited(error)) throw error;
      // In a minute our key may call again.
      await wait(ONE_MINUTE);
    }
  }
  return status;
}
