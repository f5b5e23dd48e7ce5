/**
 * The path of a v1 call, in order: gate -> route -> key -> local rules -> translate request -> send -> (relay.ts) translate response.
 * Everything the head decides is answered before the body is looked at and before v2's quota is spent.
 */
import type { Call, Sending } from './call.ts';
import { type ReadBody, readBody } from './body.ts';
import type { Context } from './context.ts';
import { bearer, viaName } from './fields.ts';
import { gate } from './gate.ts';
import { type LocalAnswer, checkContentType, checkSendMessage, hasBody, presentedKey, refuse } from './local.ts';
import { Relay } from './relay.ts';
import { type RouteMatch, matchRoute, renameQuery } from './route.ts';

/** Endpoints whose request body is read: to check it by v1's rules, or to find the existing contact of a 409. */
const readEndpoints: ReadonlySet<string> = new Set(['sendMessage', 'createContact', 'updateContact']);

/** Serves one v1 call, or any request that is no v2 path. */
export function serveV1(call: Call, context: Context): void {
  const { req, head } = call;
  const { assumptions } = context;
  const passed = gate(req, head);
  if ('refused' in passed) return call.fail(passed.refused);

  const [path, query] = splitQuery(passed.target);
  const match = matchRoute(req.method ?? '', path, assumptions.headLikeGet);
  call.route = match?.route;
  call.successor = match?.v2Path;
  const key = presentedKey(head, assumptions);
  if (typeof key === 'string') call.key = context.recorder.fingerprint(key);
  if (match === undefined) return answerLocally(call, refuse('notFound', assumptions));
  if (typeof key !== 'string') return answerLocally(call, key);
  const wrongType = checkContentType(match.route.endpoint, head, assumptions);
  if (wrongType !== undefined) return answerLocally(call, wrongType);
  if (context.draining) return call.fail('draining');
  const v2Key = context.options.keyMap === undefined ? key : context.options.keyMap.lookup(key);
  if (v2Key === undefined) return answerLocally(call, refuse('invalidKey', assumptions));

  translate(call, context, { match, query, v1Key: key, v2Key });
}

interface Translation {
  readonly match: RouteMatch;
  readonly query: string;
  readonly v1Key: string;
  readonly v2Key: string;
}

function translate(call: Call, context: Context, translation: Translation): void {
  const { route } = translation.match;
  const mapping = context.mappings.of(route.id);
  const withBody = route.endpoint.body !== 'none' && hasBody(call.head);
  if (withBody && wasConsumed(call)) return call.fail('bodyConsumed');
  const mustRead = withBody && (readEndpoints.has(route.id) || mapping?.requestBody !== undefined);
  // A send without any body has nothing to read and still lacks its fields.
  if (!mustRead && mapping?.query === undefined && route.id !== 'sendMessage')
    return send(call, context, translation, translation.query, withBody ? 'stream' : undefined);
  void prepare(call, context, translation, mustRead).catch((error: Error) => call.fail('internal', error));
}

/** Reads, checks and maps what must be, then sends. */
async function prepare(call: Call, context: Context, translation: Translation, mustRead: boolean): Promise<void> {
  const { route } = translation.match;
  const mapping = context.mappings.of(route.id);
  let body: ReadBody = Buffer.alloc(0);
  if (mustRead) {
    continueIfExpected(call);
    body = await readBody(call.req, context.options.maxBody);
  }
  if (body === 'gone') return;
  if (body === 'too large') return call.fail('bodyTooLarge');
  const refused = route.id === 'sendMessage' ? checkSendMessage(body, call.head, context.assumptions) : undefined;
  if (refused !== undefined) return answerLocally(call, refused);
  const read = mustRead ? body : undefined;
  const mapped =
    read !== undefined && mapping?.requestBody !== undefined ? Buffer.from(await mapping.requestBody(read.toString('utf8'))) : read;
  const query = mapping?.query === undefined ? translation.query : await mapping.query(translation.query);
  if (!call.gone)
    send(
      call,
      context,
      translation,
      query,
      mapped ?? (hasBody(call.head) && !mustRead && route.endpoint.body !== 'none' ? 'stream' : undefined),
      read,
    );
}

function send(
  call: Call,
  context: Context,
  translation: Translation,
  query: string,
  body: Buffer | 'stream' | undefined,
  read?: Buffer,
): void {
  const { match, v1Key, v2Key } = translation;
  const { route, v2Path, resourceId } = match;
  const { head, req } = call;
  const renamed = renameQuery(query, context.options.queryRenames[route.id]);
  const fields = head.forward;
  fields.push(...bearer(v2Key), 'Via', `${req.httpVersion} ${viaName}`);
  const length = head.contentLengths[0];
  if (body === 'stream' && length !== undefined) fields.push('Content-Length', length);
  if (body === 'stream') continueIfExpected(call);

  const sending: Sending = { call, route, resourceId, v1Key, v2Key, body: read, mapping: context.mappings.of(route.id) };
  const relay = new Relay(sending, context);
  relay.follow(
    context.upstream.send(
      {
        method: req.method ?? '',
        path: renamed === '' ? v2Path : `${v2Path}?${renamed}`,
        fields,
        // Not destroyed with the upstream request: the client's connection must live to carry the answer.
        body: body === 'stream' ? req.iterator({ destroyOnReturn: false }) : (body ?? null),
      },
      relay,
    ),
  );
}

function answerLocally(call: Call, { status, body }: LocalAnswer): void {
  call.answer(status, body);
}

function splitQuery(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** Whether somebody (a body parser) has read the body before us; waiting for it would hang for ever. */
function wasConsumed({ req }: Call): boolean {
  return req.readableDidRead || req.readableEnded;
}

/** RFC 9110 §10.1.1: the client waits for this before it sends the body. Called where the body will be read, and only then. */
function continueIfExpected({ req, res }: Call): void {
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0' && expecting.has(req)) res.writeContinue();
}

/** Requests that Node handed over through its `checkContinue` event, and so did not answer with 100 itself. */
export const expecting = new WeakSet<object>();
