/** The body of a request: it goes on to v2 as it arrives, or is read here. */
import { type ReadBody, readBody } from './body.ts';
import type { Call } from './call.ts';

/** Whether somebody (a body parser) has read the body before us; waiting for it would hang for ever. */
export function wasConsumed({ req, kept }: Call): boolean {
  return kept === undefined && (req.readableDidRead || req.readableEnded);
}

/** RFC 9110 §10.1.1: the client waits for this before it sends the body. Called where the body will be read, and only then. */
export function continueIfExpected({ req, res }: Call): void {
  if (expecting.delete(req)) res.writeContinue();
}

/** Requests that Node handed over through its `checkContinue` event, and so did not answer with 100 itself. */
export const expecting = new WeakSet<object>();

/** A body as it arrives. What v2 does not take is dropped: the connection must live to carry the answer, and the next request. */
export async function* arriving(call: Call): AsyncGenerator<Buffer> {
  const { req, kept } = call;
  continueIfExpected(call);
  try {
    if (kept !== undefined) yield kept.bytes();
    if (!req.readableEnded) yield* req.iterator({ destroyOnReturn: false });
  } finally {
    req.resume();
  }
}

/** Reads the body into memory: not one that announces itself as too large. */
export function readRequest(call: Call): Promise<ReadBody> {
  const { maxBody } = call.context.options;
  if (Number(call.head.contentLengths[0] ?? 0) > maxBody) return Promise.resolve('too large');
  continueIfExpected(call);
  return call.kept === undefined ? readBody(call.req, maxBody) : call.kept.readOn(call.req, maxBody);
}
