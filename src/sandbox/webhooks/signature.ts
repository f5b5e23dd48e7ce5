import { createHmac } from 'node:crypto';
import { deliveryHead } from '../../contract/events.ts';

/**
 * The signature field of a delivery (api.md §6). Written apart from `verifyWebhook`, so that one proves the other.
 * @param body the exact bytes that are sent
 */
export function sign(body: Buffer, secret: string): string {
  return deliveryHead.signaturePrefix + createHmac('sha256', secret).update(body).digest('hex');
}
