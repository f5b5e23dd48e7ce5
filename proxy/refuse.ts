/** The answer of a brownout: v1 as it will be after the sunset, for a while. */
import { errorBody } from '../src/contract/errors.ts';
import type { Call } from './call.ts';
import type { Decision } from './stages.ts';

/** Stable, and no code of the API: what a client's log shows. */
export const brownoutCode = 'PROXY_BROWNOUT';

/** Refuses a call, with the time at which v1 is there again. The Link to the guide stands on it as on every answer of v1. */
export function refuseInBrownout(call: Call, { status, until }: NonNullable<Decision['refusal']>): void {
  const { options } = call.context;
  const seconds = Math.max(1, Math.ceil((until - options.now()) / 1_000));
  call.outcome = 'refused';
  call.code = brownoutCode;
  const text = `v1 is switched off for a test until ${new Date(until).toISOString()}, and for good at its sunset; move this client to v2`;
  call.answer({ status, body: errorBody(text, brownoutCode), fields: ['Retry-After', String(seconds)] });
}
