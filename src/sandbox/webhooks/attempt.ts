/** One attempt at one endpoint: its address is looked up and checked anew, then the event is posted there. */
import type { EventKind } from '../../contract/events.ts';
import type { WebhookEndpoint } from '../store/workspace.ts';
import type { AddressRules, RefusedUrl } from './address.ts';
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
  /** The endpoint as it is now; undefined where nothing is to be sent to it any more. */
  readonly endpoint: () => WebhookEndpoint | undefined;
  /** Milliseconds of real time for the name to resolve and the receiver to answer, together. */
  readonly timeout: number;
  /** Ends the attempt at once. */
  readonly signal: AbortSignal;
}

/**
 * Makes one attempt.
 * @returns what came of it; undefined where the endpoint was paused or deleted before anything was sent. Never rejects
 */
export async function attemptDelivery(url: string, raised: RaisedEvent, options: AttemptOptions): Promise<AttemptResult | undefined> {
  const { addresses, endpoint, timeout, signal } = options;
  const begun = performance.now();
  const destination = await addresses.check(url, signal);
  // The endpoint is read only now: a name takes its time to resolve, and a regenerated secret counts at once (api.md §3).
  const webhook = endpoint();
  if (webhook === undefined) return undefined;
  if ('problem' in destination) return { error: { code: destination.problem, message: destination.detail }, delivered: false };
  const { event, body } = raised;
  // A name may take all of it.
  const left = Math.max(0, timeout - (performance.now() - begun));
  const { secret } = webhook;
  const { request, ...result } = await post({ destination, event, body: Buffer.from(body), secret, timeout: left, signal });
  return { request: { ...request, body }, ...result };
}
