/**
 * The path of a v1 call. A pass gives what the next one needs, or answers the call, and then no other follows.
 *
 *   the head    validateRequest -> matchRoute -> presentedKey -> checkContentType -> the v2 key: a Translation
 *   the body    readRequest -> checkRequired -> mapRequest: another one, where there is something to read or to map
 *   v2          send (send.ts) -> Upstream (upstream.ts)
 *   its answer  Relay (relay.ts): onHead, onData, onEnd -> the client
 *
 * Everything the head decides is answered before the body is looked at and before v2's quota is spent.
 */
import type { V1Endpoint } from '../src/contract/endpoints.ts';
import type { Call } from './call.ts';
import { hasBody } from './head.ts';
import { readRequest, wasConsumed } from './request-body.ts';
import { mapRequest } from './request-mapping.ts';
import { validateRequest } from './request-validation.ts';
import { matchRoute, originForm } from './route.ts';
import { send } from './send.ts';
import type { Translation } from './translation.ts';
import { checkContentType, checkRequired, presentedKey, refuse } from './v1-rules.ts';

/** Serves one v1 call, or any request that is no v2 path. */
export function serveV1(call: Call): void {
  const { req, head } = call;
  const { assumptions, draining, mappings, options, recorder } = call.context;

  const request = validateRequest(req, head);
  if ('refused' in request) {
    nameRefused(call);
    return call.abandon(request.refused);
  }

  // Asks whether this server is there, whatever stands behind it (RFC 9110 §9.3.7).
  if (request.target === '*' && req.method === 'OPTIONS') return call.answer({ status: 204, body: undefined });

  const [path, query] = splitQuery(request.target);
  const match = matchRoute(req.method ?? '', path, assumptions.headLikeGet);
  call.route = match?.route;
  call.successor = match?.v2Path;
  const v1Key = presentedKey(head, assumptions);
  if (typeof v1Key === 'string') call.key = recorder.identify(v1Key);
  if (match === undefined) return call.answer(refuse('notFound', assumptions));
  if (typeof v1Key !== 'string') return call.answer(v1Key);
  const { route, v2Path, resourceId } = match;
  const wrongType = checkContentType(route.endpoint, head, assumptions);
  if (wrongType !== undefined) return call.answer(wrongType);

  if (draining) return call.fail('draining');
  const v2Key = options.keyMap === undefined ? v1Key : options.keyMap.lookup(v1Key);
  if (v2Key === undefined) return call.answer(refuse('invalidKey', assumptions));
  if (v2Key !== v1Key && call.key !== undefined) recorder.pays(v2Key, call.key);

  const withBody = route.endpoint.body !== 'none' && hasBody(head);
  if (withBody && wasConsumed(call)) return call.fail('bodyConsumed');
  const body = withBody ? 'stream' : undefined;
  const mapping = mappings.of(route.id);
  const fields = head.forward;
  const translation: Translation = { route, v2Path, query, resourceId, v1Key, v2Key, mapping, fields, body, sentBody: undefined };

  if (isReady(translation)) send(call, translation);
  else void prepare(call, translation).catch((error: Error) => call.fail('internal', error));
}

/** Notes for the record what a refused request was for, and whose it is: its client uses v1, and is no scanner. Nothing else goes by it. */
export function nameRefused(call: Call): void {
  const { assumptions, recorder } = call.context;
  const [path = ''] = originForm(call.req.url ?? '').split(/[?#]/, 1);
  call.route = matchRoute(call.req.method ?? '', path, assumptions.headLikeGet)?.route;
  const key = presentedKey(call.head, assumptions);
  if (typeof key === 'string') call.key = recorder.identify(key);
}

/** Whether an endpoint's request body is read: to check it by v1's rules, or to find the existing contact of a 409. */
const mayRead = ({ required, conflict }: V1Endpoint): boolean => required !== undefined || conflict !== undefined;

const mustRead = ({ route, mapping, body }: Translation): boolean =>
  body !== undefined && (mayRead(route.endpoint) || mapping?.requestBody !== undefined);

/** Whether the head has decided everything, as it has for nearly every call. A send without any body has nothing to read and still lacks its fields. */
const isReady = (translation: Translation): boolean =>
  translation.mapping?.query === undefined &&
  translation.mapping?.requestBody === undefined &&
  translation.route.endpoint.required === undefined &&
  !mustRead(translation);

const noBody = Buffer.alloc(0);

/** Reads, checks and maps what must be, then sends. */
async function prepare(call: Call, translation: Translation): Promise<void> {
  const isRead = mustRead(translation);
  const body = isRead ? await readRequest(call) : noBody;
  if (body === 'gone') return;
  if (body === 'too large') return call.fail('bodyTooLarge');
  const { required } = translation.route.endpoint;
  const refused = required && checkRequired(required, body, call.head, call.context.assumptions);
  if (refused !== undefined) return call.answer(refused);
  const read = isRead ? { ...translation, body, sentBody: body } : translation;
  const mapped = read.mapping === undefined ? read : await mapRequest(call, read, read.mapping);
  if (mapped !== undefined && !call.gone) send(call, mapped);
}

function splitQuery(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}
