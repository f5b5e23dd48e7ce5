/** The integration that the tests are for: it sends messages over v2. */
import { setTimeout } from 'node:timers/promises';

export interface Service {
  /** Base address, without /v2. */
  readonly base: string;
  readonly key: string;
  /** Waits so many seconds; tests turn the sandbox's clock instead. */
  readonly wait?: (seconds: number) => Promise<void>;
}

export interface Message {
  readonly channel: 'WHATSAPP' | 'SMS' | 'EMAIL';
  readonly to: string;
  readonly content: string;
}

/** Longer than any quota lasts. */
const longestWait = 3_600;

/**
 * Sends a message. Where the service asks to wait, it waits and tries once more.
 * @returns the id of the message
 */
export async function sendMessage(service: Service, message: Message): Promise<string> {
  const { wait = (seconds) => setTimeout(seconds * 1_000) } = service;
  let response = await post(service, message);
  const retryAfter = Number(response.headers.get('retry-after'));
  if ((response.status === 429 || response.status === 503) && retryAfter > 0 && retryAfter <= longestWait) {
    await response.body?.cancel();
    await wait(retryAfter);
    response = await post(service, message);
  }
  if (!response.ok) throw new Error(`The message was not sent: ${response.status} ${await response.text()}`);
  const sent = (await response.json()) as { readonly messageId: string };
  return sent.messageId;
}

function post({ base, key }: Service, message: Message): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return fetch(`${base}/v2/messages/send`, { method: 'POST', headers, body: JSON.stringify(message) });
}
