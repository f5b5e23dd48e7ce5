/** Tells what happened: one log line per v1 call, one per failure, and the counters behind /metrics. Keys never come here in the clear. */
import type { Logger } from 'pino';
import { clientProducts } from '../src/usage/client-product.ts';
import { type DeprecatedUse, daysUntil, recordedMethod, traceIdOf } from '../src/usage/deprecated-use.ts';
import { type KeyFingerprint, keyFingerprinter } from '../src/usage/key-fingerprint.ts';
import type { Call } from './call.ts';
import type { Failure } from './failures.ts';
import type { MappingError } from './mappings/error.ts';
import { Metrics } from './metrics.ts';
import type { ProxyOptions } from './options.ts';
import { isV1 } from './route.ts';

/** Label of calls to paths that are no endpoint. */
const unlisted = 'unlisted';

export class Recorder {
  readonly metrics = new Metrics();
  readonly fingerprint: (key: string) => KeyFingerprint;
  readonly #logger: Logger;
  readonly #client: (userAgent: string | undefined) => string;
  readonly #sunset: number;
  readonly #now: () => number;
  readonly #requestIdPrefix = `${crypto.randomUUID().slice(0, 8)}-`;
  #requests = 0;

  constructor({ logger, hashSecret, clients, assumptions, now }: ProxyOptions) {
    this.#logger = logger;
    this.fingerprint = keyFingerprinter(hashSecret);
    this.#client = clientProducts(clients, hashSecret);
    this.#sunset = Date.parse(assumptions.sunsetAt);
    this.#now = now;
  }

  /** Records one answered (or abandoned) v1 call. A request that is none – a load balancer's probe of `/` – is no use of v1. */
  record(call: Call): void {
    const { req, res, head, key } = call;
    if (call.route === undefined && !isV1(req.url ?? '')) return;
    const endpoint = call.route?.label ?? unlisted;
    const duration = performance.now() - call.startedAt;
    const status = res.headersSent ? res.statusCode : 0;
    const traceId = traceIdOf(head.traceparent);
    const use: DeprecatedUse = {
      event: 'deprecated_use',
      endpoint,
      method: recordedMethod(req.method),
      status,
      outcome: call.outcome,
      duration: Math.round(duration * 100) / 100,
      ...(key === undefined ? undefined : { key: key.prefix, keyHash: key.hash }),
      client: this.#client(head.userAgent),
      daysUntilSunset: daysUntil(this.#sunset, this.#now()),
      requestId: this.#requestIdPrefix + ++this.#requests,
      ...(traceId === undefined ? undefined : { traceId }),
      ...(call.code === undefined ? undefined : { code: call.code }),
    };
    this.#logger.info(use);
    this.metrics.call(endpoint, status, call.outcome, duration);
  }

  /** Says why a call failed. Only codes are logged: messages of parsers and sockets can quote what the client sent. */
  failure(call: Call, failure: Failure, cause: NodeJS.ErrnoException): void {
    this.#logger.warn({
      event: 'call_failed',
      endpoint: call.route?.label ?? unlisted,
      code: failure.code,
      cause: cause.code ?? cause.name,
    });
  }

  /** A request that the listener refused before there was a call. */
  refused(failure: Failure, cause: string): void {
    this.#logger.info({ event: 'request_refused', status: failure.status, code: failure.code, cause });
    this.metrics.refused(failure.code);
  }

  /** Says why an untranslated request failed. */
  passThroughFailed(failure: Failure, cause: NodeJS.ErrnoException | undefined): void {
    this.#logger.warn({ event: 'pass_through_failed', code: failure.code, cause: cause?.code ?? cause?.name });
  }

  /** A v1 409 without the contact that v1 would have carried: the gap is named, never filled with a guess. */
  missingContact(call: Call, reason: string): void {
    this.#logger.warn({
      event: 'existing_contact_missing',
      endpoint: call.route?.label ?? unlisted,
      reason,
      hint: 'v2 did not show the existing contact; set mappings or assumptions.contactSearchParameter',
    });
  }

  /** A mapping that does not fit what it was given: a request is refused then, of an answer v2's own body is relayed. */
  mappingFailed(call: Call, { code, place, message }: MappingError): void {
    // Its message is made to be logged: see MappingError.
    this.#logger.error({ event: 'mapping_failed', endpoint: call.route?.label ?? unlisted, place, code }, message);
  }

  /** The state of the deprecation, once per start. */
  start(): void {
    const days = daysUntil(this.#sunset, this.#now());
    if (this.#now() >= this.#sunset)
      this.#logger.warn({ event: 'sunset_passed', daysUntilSunset: days }, 'v1 is past its sunset; the proxy goes on translating to v2');
    else if (days < 30)
      this.#logger.warn(
        { event: 'sunset_near', daysUntilSunset: days },
        `v1 is switched off in ${days} days; move the remaining clients to v2`,
      );
  }
}
