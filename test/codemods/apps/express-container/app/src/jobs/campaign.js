import { container } from '../services.js';

/** Run by cron: tells everybody of the new season. */
export async function announce(id) {
  const messaging = container.resolve('messaging');
  await messaging.request('POST', `/v1/campaigns/${id}/send`);
}
