/**
 * The path of a v1 call. A pass gives what the next one needs, or answers the call, and then no other follows.
 *
 *   the head    validateRequest -> matchRoute -> presentedKey
 *   its stage   Stages (stages.ts): v1 itself (observe.ts), a brownout (refuse.ts), or as follows
 *   the rules   checkContentType -> the v2 key: a Translation
 *   the body    readRequest -> checkRequired -> mapRequest: another one, where there is something to read or to map
 *   v2          send (send.ts) -> Reuse (reuse/) -> Spending (budget/) -> Upstream (upstream.ts)
 *   its answer  Relay (relay.ts): onHead, onData, onEnd -> the client
 *
 * Everything the head decides is answered before the body is looked at and before v2's quota is spent.
 */
import { type V1Endpoint, unlisted } from '../src/contract/endpoints.ts';
import type { Call } from './call.ts';
import type { RollingOut } from './context.ts';
import { hasBody } from './head.ts';
import { observe } from './observe.ts';
import { refuseInBrownout } from './refuse.ts';
import { readRequest, wasConsumed } from './request-body.ts';
import { mapRequest } from './request-mapping.ts';
import { validateRequest } from './request-validation.ts';
import { type RouteMatch, matchRoute, originForm } from './route.ts';
import { send } from './send.ts';
import type { Decision, Stages } from './stages.ts';
import type { Translation } from './translation.ts';
import { type LocalAnswer, checkContentType, checkRequired, presentedKey, refuse } from './v1-rules.ts';

/** Serves one v1 call, or any request that is no v2 path. */
export function serveV1(call: Call): void {
  const { req, head } = call;
  const { assumptions, draining, recorder, rollout } = call.context;

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
  const goOn = (): void => translate(call, { match, v1Key, query });
  if (rollout === undefined) return goOn();
  if (draining) return call.fail('draining');
  takeStage(call, rollout, { target: request.target, v1Key: typeof v1Key === 'string' ? v1Key : undefined, goOn });
}

interface Staged {
  readonly target: string;
  readonly v1Key: string | undefined;
  /** Has v2 answer the call. */
  readonly goOn: () => void;
}

/** Does with a call what the roll-out says of it. */
function takeStage(call: Call, { stages, v1, comparer }: RollingOut, { target, v1Key, goOn }: Staged): void {
  const { stage, refusal } = decide(call, stages, v1Key);
  if (refusal !== undefined) return refuseInBrownout(call, refusal);
  if (stage === 'translate') return goOn();
  const witness = stage === 'compare' ? comparer.witness(call) : undefined;
  call.outcome = stage === 'compare' ? 'compared' : 'observed';
  const changeOver = (): void => {
    call.outcome = 'local';
    goOn();
  };
  observe(call, { v1, target, witness, changeOver });
}

/** Finds the stage of a call whose endpoint and key are known, and notes the rule that says so. */
export function decide(call: Call, stages: Stages, key: string | undefined): Decision {
  const decision = stages.of({
    key,
    keyHash: call.key?.fingerprint.hash,
    workspace: call.key?.workspace ?? null,
    client: call.context.recorder.clientOf(call),
    endpoint: call.route?.label ?? unlisted,
    method: call.req.method ?? '',
  });
  call.rule = decision.rule;
  return decision;
}

interface Headed {
  readonly match: RouteMatch | undefined;
  readonly v1Key: string | LocalAnswer;
  readonly query: string;
}

/** Answers a call with v2, as v1 would. */
function translate(call: Call, { match, v1Key, query }: Headed): void {
  const { head } = call;
  const { assumptions, budget, draining, mappings, options, recorder } = call.context;
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
  const purpose = budget.accounts.purposeOf(v2Key, call.key, route.id, v2Key !== v1Key);
  const request = { route, v2Path, query, resourceId, fields, body, sentBody: undefined } as const;
  const translation: Translation = { ...request, v1Key, v2Key, purpose, mapping };

  if (isReady(translation)) send(call, translation);
  else void prepare(call, translation).catch((error: Error) => call.fail('internal', error));
}

/** Notes for the record what a request was for that is not translated, and whose it is: its client uses v1, and is no scanner. @returns its key */
export function nameRefused(call: Call): string | undefined {
  const { assumptions, recorder } = call.context;
  const [path = ''] = originForm(call.req.url ?? '').split(/[?#]/, 1);
  call.route = matchRoute(call.req.method ?? '', path, assumptions.headLikeGet)?.route;
  const key = presentedKey(call.head, assumptions);
  if (typeof key !== 'string') return undefined;
  call.key = recorder.identify(key);
  return key;
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
