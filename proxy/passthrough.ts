/**
 * The path of a request that is not translated, `/v2/*` of clients that have moved in part: request validation -> send -> answer as it comes.
 * It goes to v2 as it came – method, target, field names and values, body; only the fields of this hop differ (RFC 9110 §7.6).
 */
import type { Call } from './call.ts';
import { errorBody } from '../src/contract/errors.ts';
import type { Purpose, Refusal } from './budget/purpose.ts';
import type { PaidReceiver } from './budget/spending.ts';
import { type FailureId, failures } from './failures.ts';
import { hasBody } from './head.ts';
import { viaName } from '../src/usage/via-name.ts';
import { type RequestValidation, validateRequest } from './request-validation.ts';
import { countDown } from './max-forwards.ts';
import { arriving, wasConsumed } from './request-body.ts';
import { isWellFramed, readResponseHead } from './response-head.ts';
import { labelOfV2, originForm } from './route.ts';
import { StreamRelay } from './stream-relay.ts';

/** Serves one request to v2. */
export function passThrough(call: Call): void {
  const { req, head, context } = call;
  const passed = admit(call);
  if ('refused' in passed) return call.abandon(passed.refused);
  if (context.draining) return call.fail('draining');
  const fields = [...head.forward];
  if (!countDown(req.method, req.rawHeaders, fields)) return call.fail('lastRecipient');
  const withBody = hasBody(head);
  if (withBody && wasConsumed(call)) return call.fail('bodyConsumed');

  fields.push('Via', `${req.httpVersion} ${viaName}`, ...context.origins.fields(req));
  const length = head.contentLengths[0];
  if (withBody && length !== undefined) fields.push('Content-Length', length);
  const relay = new PassingRelay(call);
  relay.follow(
    context.upstream.send(
      { method: req.method ?? '', path: passed.target, fields, body: withBody ? arriving(call) : null, purpose: purposeOf(call) },
      relay,
    ),
  );
}

/** Whose hour a call is spent of that nobody translates: that of its key, or of the v1 key which this one stands for. */
export function purposeOf({ req, head, context }: Call): Purpose | undefined {
  const [path = ''] = originForm(req.url ?? '').split(/[?#]/, 1);
  const method = req.method ?? '';
  const { bearer } = head;
  const owner = bearer === undefined ? undefined : context.recorder.payerOf(bearer);
  return context.budget.accounts.purposeOfPassed(bearer, owner, labelOfV2(method, path)?.id, method);
}

/** Names the call for the record, refused or not, and checks the request as any other. */
export function admit(call: Call): RequestValidation {
  const { req, head, context } = call;
  const [path = ''] = originForm(req.url ?? '').split(/[?#]/, 1);
  call.route = labelOfV2(req.method ?? '', path);
  if (head.bearer) call.key = context.recorder.identify(head.bearer);
  return validateRequest(req, head);
}

/** v2 says of itself what it likes, also how long it lives. */
const nothing: ReadonlySet<string> = new Set();

/** Gives v2's answer to the client as it comes. */
export class PassingRelay extends StreamRelay implements PaidReceiver {
  protected interimFields(fields: readonly string[]): string[] {
    return this.forwarded(readResponseHead(fields, nothing).forward);
  }

  onHead(status: number, statusText: string, fields: readonly string[]): void {
    const head = readResponseHead(fields, nothing);
    this.call.outcome = 'translated';
    if (isWellFramed(head)) this.start(status, statusText, head, this.forwarded(head.forward));
    else this.fail('invalidAnswer');
  }

  onData(chunk: Buffer): void {
    this.pass(chunk);
  }

  onEnd(): void {
    this.end();
  }

  onFailure(failure: FailureId, cause?: Error): void {
    this.fail(failure, cause);
  }

  /** v2's words for it are not shown: its status, and the field that every client knows (RFC 6585 §4). */
  onRefused({ retryAfter }: Refusal): void {
    const { status, code, text } = failures.hourUsedUp;
    this.call.code = code;
    this.call.answer({ status, body: errorBody(text, code), fields: ['Retry-After', String(retryAfter)] });
  }
}
