/**
 * The path of a v1 call, in order: request validation -> route -> key -> v1 rules -> translate request -> send -> (relay.ts) translate response.
 * Everything the head decides is answered before the body is looked at and before v2's quota is spent.
 */
import type { Call, Sending } from './call.ts';
import { type ReadBody, readBody } from './body.ts';
import { readText, readableCodings } from './content.ts';
import type { Context } from './context.ts';
import { bearer, viaName } from './fields.ts';
import { validateRequest } from './request-validation.ts';
import { hasBody, without } from './head.ts';
import { type LocalAnswer, checkContentType, checkSendMessage, presentedKey, refuse } from './v1-rules.ts';
import type { CompiledMapping } from './mappings.ts';
import { MappingError } from './mappings/error.ts';
import { Relay } from './relay.ts';
import { arriving, continueIfExpected, wasConsumed } from './request-body.ts';
import { type RouteMatch, matchRoute, originForm, renameQuery } from './route.ts';

/** Endpoints whose request body is read: to check it by v1's rules, or to find the existing contact of a 409. */
const readEndpoints: ReadonlySet<string> = new Set(['sendMessage', 'createContact', 'updateContact']);

/** Serves one v1 call, or any request that is no v2 path. */
export function serveV1(call: Call, context: Context): void {
  const { req, head } = call;
  const { assumptions } = context;
  const passed = validateRequest(req, head);
  if ('refused' in passed) {
    nameRefused(call, context);
    return call.abandon(passed.refused);
  }

  const [path, query] = splitQuery(passed.target);
  const match = matchRoute(req.method ?? '', path, assumptions.headLikeGet);
  call.route = match?.route;
  call.successor = match?.v2Path;
  const key = presentedKey(head, assumptions);
  if (typeof key === 'string') call.key = context.recorder.identify(key);
  if (match === undefined) return answerLocally(call, refuse('notFound', assumptions));
  if (typeof key !== 'string') return answerLocally(call, key);
  const wrongType = checkContentType(match.route.endpoint, head, assumptions);
  if (wrongType !== undefined) return answerLocally(call, wrongType);
  if (context.draining) return call.fail('draining');
  const v2Key = context.options.keyMap === undefined ? key : context.options.keyMap.lookup(key);
  if (v2Key === undefined) return answerLocally(call, refuse('invalidKey', assumptions));
  if (v2Key !== key && call.key !== undefined) context.recorder.pays(v2Key, call.key);

  translate(call, context, { match, query, v1Key: key, v2Key });
}

/** Notes for the record what a refused request was for, and whose it is: its client uses v1, and is no scanner. Nothing else goes by it. */
export function nameRefused(call: Call, { assumptions, recorder }: Context): void {
  const [path = ''] = originForm(call.req.url ?? '').split(/[?#]/, 1);
  call.route = matchRoute(call.req.method ?? '', path, assumptions.headLikeGet)?.route;
  const key = presentedKey(call.head, assumptions);
  if (typeof key === 'string') call.key = recorder.identify(key);
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
  const payload: Payload = { query: translation.query, body: withBody ? 'stream' : undefined };
  const mustMap = mapping?.query !== undefined || mapping?.requestBody !== undefined;
  // A send without any body has nothing to read and still lacks its fields.
  if (!mustRead && !mustMap && route.id !== 'sendMessage') return send(call, context, translation, payload);
  void prepare(call, context, translation, payload, mustRead).catch((error: Error) => failToPrepare(call, context, error));
}

/** What goes to v2 of what came from the client. */
interface Payload {
  readonly query: string;
  readonly body: Buffer | 'stream' | undefined;
  /** The body as it came, where it was read. */
  readonly read?: Buffer;
  /** Names and values in turn, where they differ from those of the client. */
  readonly fields?: string[];
}

/** Reads, checks and maps what must be, then sends. */
async function prepare(call: Call, context: Context, translation: Translation, payload: Payload, mustRead: boolean): Promise<void> {
  const { route } = translation.match;
  const mapping = context.mappings.of(route.id);
  let body: ReadBody = Buffer.alloc(0);
  if (mustRead) {
    const announced = Number(call.head.contentLengths[0] ?? 0);
    if (announced > context.options.maxBody) return call.fail('bodyTooLarge');
    continueIfExpected(call);
    body = await readBody(call.req, context.options.maxBody);
  }
  if (body === 'gone') return;
  if (body === 'too large') return call.fail('bodyTooLarge');
  const refused = route.id === 'sendMessage' ? checkSendMessage(body, call.head, context.assumptions) : undefined;
  if (refused !== undefined) return answerLocally(call, refused);
  const read = mustRead ? { ...payload, body, read: body } : payload;
  const mapped = mapping === undefined ? read : await mapPayload(mapping, read, call, context);
  if ('status' in mapped) return answerLocally(call, mapped);
  if (!call.gone) send(call, context, translation, mapped);
}

/**
 * @returns v1's 400 where the body cannot be read: what is written in its place would be another text
 * @throws MappingError
 */
async function mapPayload(mapping: CompiledMapping, payload: Payload, { head }: Call, context: Context): Promise<Payload | LocalAnswer> {
  const { query, requestBody } = mapping;
  const mapped = query === undefined ? payload : { ...payload, query: await query(payload.query) };
  if (requestBody === undefined) return mapped;
  const read = await readText(payload.read ?? Buffer.alloc(0), head, context.options.maxBody);
  if ('unreadable' in read) return refuse('invalidJson', context.assumptions, { error: unreadable[read.unreadable] });
  const body = await requestBody(read.text);
  if (body === '') return { ...mapped, body: undefined };
  return { ...mapped, body: Buffer.from(body), fields: [...without(head.forward, contentFields), 'Content-Type', 'application/json'] };
}

const unreadable = {
  coding: 'The body cannot be read: its Content-Encoding is not supported, or is not what the body has',
  charset: 'The body cannot be read: it is not in UTF-8, or not in the charset that its Content-Type names',
} as const;

/** Fields that described the body before it was mapped. */
const contentFields: ReadonlySet<string> = new Set(['content-type', 'content-encoding']);

function failToPrepare(call: Call, context: Context, error: Error): void {
  if (!(error instanceof MappingError)) return call.fail('internal', error);
  if (error.code === 'MAPPING_INPUT') return answerLocally(call, refuse('invalidJson', context.assumptions));
  context.recorder.mappingFailed(call, error);
  call.fail('internal');
}

function send(call: Call, context: Context, translation: Translation, { query, body, read, fields: changed }: Payload): void {
  const { match, v1Key, v2Key } = translation;
  const { route, v2Path, resourceId } = match;
  const { head, req } = call;
  const renamed = renameQuery(query, context.options.queryRenames[route.id]);
  const mapping = context.mappings.of(route.id);
  const fields = withReadableCodings(changed ?? head.forward, mapping?.responseBody !== undefined);
  fields.push(...bearer(v2Key), 'Via', `${req.httpVersion} ${viaName}`, ...context.origins.fields(req));
  const length = head.contentLengths[0];
  if (body === 'stream' && length !== undefined) fields.push('Content-Length', length);
  if (body === 'stream') continueIfExpected(call);

  const sending: Sending = { call, route, resourceId, v1Key, v2Key, body: read, mapping };
  const relay = new Relay(sending, context);
  relay.follow(
    context.upstream.send(
      {
        method: req.method ?? '',
        path: renamed === '' ? v2Path : `${v2Path}?${renamed}`,
        fields,
        body: body === 'stream' ? arriving(req) : (body ?? null),
      },
      relay,
    ),
  );
}

/** Limits what v2 may answer in to what can be read here; a client that names nothing accepts anything (RFC 9110 §12.5.3). */
function withReadableCodings(fields: string[], mustRead: boolean): string[] {
  let named = false;
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] ?? '';
    // Its length first: this is on the way of every call.
    if (name.length !== acceptEncoding.length || name.toLowerCase() !== acceptEncoding) continue;
    fields[i + 1] = readableCodings(fields[i + 1] ?? '');
    named = true;
  }
  if (mustRead && !named) fields.push('Accept-Encoding', 'identity');
  return fields;
}
const acceptEncoding = 'accept-encoding';

function answerLocally(call: Call, { status, body }: LocalAnswer): void {
  call.answer(status, body);
}

function splitQuery(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}
