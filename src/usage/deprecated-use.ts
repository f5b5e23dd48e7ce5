/**
 * What one deprecated use is: one record per answered v1 call.
 *
 * Keys stay out of it by construction: every property is a number, a member of a closed set, something we made
 * ourselves, or a keyed hash. Nothing the client sent is copied, except the first characters of its key, a W3C trace
 * id, which is 32 hexadecimal digits in one fixed place, and what reads like the name of a program where its key was
 * accepted (name-like.ts).
 */

import { dayInMs } from '../contract/times.ts';

/** How a call can have been answered. `translated`, `local` and `failed` are those of the stage in which v2 serves v1's clients. */
export const outcomes = ['translated', 'local', 'failed', 'observed', 'compared', 'refused'] as const;

export type Outcome = (typeof outcomes)[number];

export interface DeprecatedUse {
  readonly event: 'deprecated_use';
  /** Method and path template of the endpoint, or `unlisted`. */
  readonly endpoint: string;
  /** The request method, or `OTHER` for methods outside the well-known set. */
  readonly method: string;
  /** Status sent to the client; 0 where the client left before it got one. */
  readonly status: number;
  /**
   * `translated`: v2 was called and its answer relayed; `local`: answered without v2; `failed`: v2 was called and gave no usable answer;
   * `observed`: it went to v1 as it is, whatever came of it; `compared`: the same, and v2 may have been asked beside it; `refused`: a brownout
   * answered it. All of them are use of v1.
   */
  readonly outcome: Outcome;
  /** From the request's head to the end of the answer, in milliseconds. */
  readonly duration: number;
  /** First characters of the key (at most 8 and at most a third of it), for people; absent without exactly one key. */
  readonly key?: string;
  /** Keyed hash of the key, for counting; absent without exactly one key. */
  readonly keyHash?: string;
  /** The workspace that the configuration gives the key; absent where it gives none. */
  readonly workspace?: string;
  /** Product of the User-Agent, see client-product.ts. */
  readonly client: string;
  /** Whole days until the sunset, negative after it. */
  readonly daysUntilSunset: number;
  readonly requestId: string;
  readonly traceId?: string;
  /** The stable code of the proxy's own failure, where there was one. */
  readonly code?: string;
}

const wellKnownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The method for the record; unknown tokens could carry anything and are not copied. */
export function recordedMethod(method: string | undefined): string {
  return method !== undefined && wellKnownMethods.has(method) ? method : 'OTHER';
}

/** Whole days from `now` until the sunset, rounded towards the earlier day; both in epoch milliseconds. */
export function daysUntil(sunset: number, now: number): number {
  return Math.floor((sunset - now) / dayInMs);
}

/** The trace id of a `traceparent` field (W3C Trace Context §3.2), where it is well-formed. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  if (traceparent === undefined) return undefined;
  return /^00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent)?.[1];
}
