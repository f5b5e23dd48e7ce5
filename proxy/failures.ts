/**
 * The proxy's own failures: what it answers when neither v1's rules nor v2 decide.
 * The codes are stable and start with PROXY_, so that nobody takes them for the API's.
 */

export interface Failure {
  readonly status: number;
  readonly code: string;
  /** What went wrong and what to do, for the person who runs the client. */
  readonly text: string;
  /** Seconds for Retry-After, where trying again can help. */
  readonly retryAfter?: number;
}

export const failures = {
  badRequest: { status: 400, code: 'PROXY_BAD_REQUEST', text: 'The request is not valid HTTP' },
  requestTimeout: { status: 408, code: 'PROXY_REQUEST_TIMEOUT', text: 'The request did not arrive in time' },
  clientTimeout: { status: 408, code: 'PROXY_CLIENT_TIMEOUT', text: 'The client did not take its answer in time' },
  bodyTooLarge: { status: 413, code: 'PROXY_BODY_TOO_LARGE', text: 'The request body is larger than the proxy accepts' },
  targetTooLong: { status: 414, code: 'PROXY_TARGET_TOO_LONG', text: 'The request target is longer than the proxy accepts' },
  expectation: { status: 417, code: 'PROXY_EXPECTATION_FAILED', text: 'The only expectation supported is 100-continue' },
  hourUsedUp: {
    status: 429,
    code: 'PROXY_HOUR_USED_UP',
    text: 'What v2 allows in an hour is used up, or kept for writes; the request was not sent',
  },
  headersTooLarge: { status: 431, code: 'PROXY_HEADERS_TOO_LARGE', text: 'The request header fields are larger than the proxy accepts' },
  internal: { status: 500, code: 'PROXY_INTERNAL', text: 'The proxy failed; its log says why' },
  bodyConsumed: {
    status: 500,
    code: 'PROXY_BODY_CONSUMED',
    text: 'The request body was read before the proxy got it; mount the proxy before any body parser',
  },
  codingNotImplemented: { status: 501, code: 'PROXY_CODING_NOT_IMPLEMENTED', text: 'The only transfer coding supported is chunked' },
  lastRecipient: {
    status: 501,
    code: 'PROXY_LAST_RECIPIENT',
    text: 'Max-Forwards ends at the proxy, which itself answers no TRACE or OPTIONS; raise it to reach v2',
  },
  loop: {
    status: 508,
    code: 'PROXY_LOOP',
    text: 'The call came round to the proxy; --v1-base must lead to v1, past the name that leads to the proxy',
  },
  versionNotSupported: { status: 505, code: 'PROXY_VERSION_NOT_SUPPORTED', text: 'The only versions supported are HTTP/1.1 and HTTP/1.0' },
  reset: {
    status: 502,
    code: 'PROXY_UPSTREAM_RESET',
    text: 'The connection to v2 broke before it answered; whether it acted on the request is not known',
  },
  unreachable: { status: 502, code: 'PROXY_UPSTREAM_UNREACHABLE', text: 'v2 cannot be reached; the request was not sent', retryAfter: 1 },
  invalidAnswer: { status: 502, code: 'PROXY_UPSTREAM_INVALID', text: 'v2 answered something that is not valid HTTP or not JSON' },
  answerTooLarge: {
    status: 502,
    code: 'PROXY_UPSTREAM_TOO_LARGE',
    text: 'v2 answered more than the proxy reads for a mapping',
  },
  redirect: { status: 502, code: 'PROXY_UPSTREAM_REDIRECT', text: 'v2 answered with a redirect, which is not followed; check --v2-base' },
  overloaded: { status: 503, code: 'PROXY_OVERLOADED', text: 'Too many requests wait for v2; the request was not sent', retryAfter: 1 },
  draining: { status: 503, code: 'PROXY_DRAINING', text: 'The proxy is shutting down; the request was not sent', retryAfter: 1 },
  connectTimeout: {
    status: 504,
    code: 'PROXY_UPSTREAM_CONNECT_TIMEOUT',
    text: 'v2 did not accept a connection in time; the request was not sent',
    retryAfter: 1,
  },
  timeout: {
    status: 504,
    code: 'PROXY_UPSTREAM_TIMEOUT',
    text: 'v2 did not answer in time; whether it acted on the request is not known',
  },
} as const satisfies Record<string, Failure>;

export type FailureId = keyof typeof failures;
