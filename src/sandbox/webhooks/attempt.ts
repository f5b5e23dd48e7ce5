/** One attempt at one endpoint: its address is looked up and checked anew, then the event is posted there. */
import type { EventKind } from '../../contract/events.ts';
import type { WebhookEndpoint } from '../store/workspace.ts';
import type { AddressRules, Destination, RefusedUrl } from './address.ts';
import { post, type Attempt, type AttemptError } from './post.ts';

/** An event as it was raised. */
export interface RaisedEvent {
  readonly id: string;
  readonly event: EventKind;
  /** ISO 8601 UTC with milliseconds. */
  readonly timestamp: string;
  /** Sent byte for byte in every attempt, so that a repetition can be known by its bytes. */
  readonly body: string;
  /** The endpoints that are to receive it. */
  readonly webhookIds: readonly string[];
}

/** What came of an attempt, as the log shows it. */
export interface AttemptResult {
  /** Absent where the URL was refused: then nothing was sent. */
  readonly request?: Attempt['request'] & { readonly body: string };
  readonly response?: NonNullable<Attempt['response']>;
  readonly error?: { readonly code: AttemptError['code'] | RefusedUrl['problem']; readonly message: string };
  readonly delivered: boolean;
}

export interface AttemptOptions {
  readonly addresses: AddressRules;
  /** Milliseconds of real time for the receiver to answer, and for its name to resolve. */
  readonly timeout: number;
  /** Ends the attempt at once. */
  readonly signal: AbortSignal;
}

/** Makes one attempt. @returns what came of it; never rejects */
export async function attemptDelivery(webhook: WebhookEndpoint, raised: RaisedEvent, options: AttemptOptions): Promise<AttemptResult> {
  const destination = await locate(webhook.url, options);
  if ('problem' in destination) return { error: { code: destination.problem, message: destination.detail }, delivered: false };
  const { event, body } = raised;
  // The secret is read only now: a regenerated one counts from the next attempt on (api.md §3).
  const { secret } = webhook;
  const { request, ...result } = await post({ ...options, destination, event, body: Buffer.from(body), secret });
  return { request: { ...request, body }, ...result };
}

const late: RefusedUrl = { problem: 'UNRESOLVED', detail: 'The name did not resolve in time' };

/** A resolver sets its own time, which may be longer than a receiver's, and cannot be told to stop. */
function locate(url: string, { addresses, timeout, signal }: AttemptOptions): Promise<Destination | RefusedUrl> {
  const { promise, resolve } = Promise.withResolvers<Destination | RefusedUrl>();
  const giveUp = (): void => resolve(late);
  const timer = setTimeout(giveUp, timeout);
  signal.addEventListener('abort', giveUp);
  void addresses.check(url).then(resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  });
}
