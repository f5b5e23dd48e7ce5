/** Decides about a request, in whatever format it is written: all of path, base and header change, or none. */
import { v1Auth } from '../../src/contract/auth.ts';
import { anyPlaceholder } from '../verdict/routes.ts';
import type { FindingCode } from '../model.ts';
import { type Draft, type Header, type Problem, type SpanEdit, type SpanStep, isAuthorization, isKeyField } from './candidate-edit.ts';
import { carry, move } from './edits.ts';
import { type Place, type Text, placesOf } from './text.ts';
import { expand } from './variables.ts';
import { type Ours, type World, isBase, whose } from './ownership.ts';

export interface Request extends Place {
  /** `curl`, `http file` … */
  readonly client: string;
  readonly url: Text;
  /** undefined where it cannot be known. */
  readonly method: string | undefined;
  readonly headers: readonly Header[];
  /** Whether credentials are sent in another way: basic authentication, a token option. */
  readonly credentials: boolean;
  /** Whether it may do without a key here: descriptors whose key is added by the code that reads them. */
  readonly keyless: boolean;
}

/** Why a request stays as it is. */
type Refusal = readonly [code: FindingCode, detail?: Problem['detail']];

export function draftRequest(request: Request, world: World): Draft {
  const { text: url, read } = expand(request.url, world.scope);
  const keys = request.headers.filter(({ name }) => isKeyField(name.value));
  const common = {
    start: request.start,
    end: request.end,
    reads: [...read.flatMap(({ value }) => placesOf(value)), ...keys.flatMap(({ name }) => placesOf(name))],
    literals: [...placesOf(url), ...keys.flatMap(({ name }) => placesOf(name))],
    edits: [],
  };
  const refused = ([code, detail = {}]: Refusal): Draft => ({ ...common, stance: 'ours', problem: { code, at: request, detail } });
  const found = whose(url, request.method, world);
  if (found.kind === 'foreign') return { ...refused(['other-host', { host: found.host }]), stance: 'foreign' };
  if (found.kind === 'unknown') {
    const suspect = keys.length > 0 || found.looksOurs;
    return suspect ? refused(['base-not-proven', found.detail]) : { ...common, stance: 'bystander' };
  }
  const { ours } = found;
  const variable = ours.base === undefined && ours.definitions.length === 0 ? ours.by : undefined;
  const against = againstRoute(ours, request, keys.length > 0);
  if (against === 'bystander') return { ...common, stance: 'bystander', variable };
  if (against !== undefined) return { ...refused(against), variable };
  const edits = editsOf(request, url, ours, keys, world);
  if (!Array.isArray(edits)) return { ...refused(edits.refusal), variable };
  const set = ours.definitions.flatMap(({ value }) => placesOf(value));
  const made: Draft = {
    ...common,
    reads: [...common.reads, ...set],
    literals: [...common.literals, ...set],
    stance: 'ours',
    variable,
    edits,
  };
  const proof = proofOf(request, ours, url, keys[0]);
  return ours.route === undefined ? made : { ...made, call: { endpoint: ours.route, client: request.client, proof } };
}

/** A URL of ours that is no route of v1: v2's are done, others are for a person where v1 or a key is named. */
function againstRoute(ours: Ours, { method = 'GET', keyless }: Request, hasKey: boolean): Refusal | 'bystander' | undefined {
  if (ours.route !== undefined || (keyless && isBase(ours) && ours.version !== undefined)) return undefined;
  // The paths of a base stand elsewhere, and are still those of v1.
  if (keyless && isBase(ours)) return hasKey ? ['unconsumed'] : 'bystander';
  if (ours.version === undefined && !hasKey) return 'bystander';
  const isDynamic = ours.version !== undefined && anyPlaceholder.test(ours.path);
  return [isDynamic ? 'dynamic-path' : 'unknown-route', { method, route: ours.path }];
}

function editsOf(
  request: Request,
  url: Text,
  ours: Ours,
  keys: readonly Header[],
  world: World,
): SpanEdit[] | { readonly refusal: Refusal } {
  if (request.credentials || request.headers.some(({ name }) => isAuthorization(name.value))) return { refusal: ['authorization-present'] };
  const [key] = keys;
  if (key === undefined && !request.keyless) return { refusal: ['key-not-found'] };
  if (keys.length > 1) return { refusal: ['key-not-text', { what: 'given more than once' }] };
  const moved = move(url, ours, world);
  const carried = key === undefined ? [] : carry(key, world.source);
  if (!Array.isArray(moved)) return { refusal: [moved] };
  if (!Array.isArray(carried)) return { refusal: [carried, { what: 'no text that can be seen' }] };
  return [...moved, ...carried];
}

function proofOf(request: Request, ours: Ours, url: Text, key: Header | undefined): SpanStep[] {
  const [place = { start: request.start, end: request.end }] = placesOf(request.url);
  const [base = place] = placesOf(url);
  const [field] = key === undefined ? [] : placesOf(key.name);
  const origin: SpanStep =
    ours.base === undefined ? { step: 'environment', ...place, text: ours.by } : { step: 'base', ...base, text: ours.by };
  return [
    { step: 'call', start: request.start, end: request.end, text: request.client },
    { step: 'path', ...place, text: ours.path },
    origin,
    ...(field === undefined ? [] : [{ step: 'header' as const, ...field, text: v1Auth.field }]),
  ];
}
