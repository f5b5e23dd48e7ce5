/** What one place of a file would change, and what it is when it may not. Formats make requests and settings; this file decides. */
import { v1Auth, v2Auth } from '../../src/contract/auth.ts';
import { type V1EndpointId, v1Endpoints } from '../../src/contract/endpoints.ts';
import { anyPlaceholder } from '../identify/routes.ts';
import type { Edit, FindingCode, Step } from '../model.ts';
import { type Place, type Text, placeOf, placesOf, slice } from './text.ts';
import { type Ours, type World, isBase, whose } from './whose.ts';
import { expand, referencesIn } from './variables.ts';

export interface Header {
  readonly name: Text;
  /** undefined where it is not a text: an alias with a tag, a list, null. */
  readonly value: Text | undefined;
}

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

export type SpanEdit = Omit<Edit, 'file' | 'group'>;
export type SpanStep = Omit<Step, 'file'>;

export interface Problem {
  readonly code: FindingCode;
  readonly at: Place;
  readonly detail: Readonly<Record<string, string>>;
}

export interface Draft extends Place {
  readonly edits: readonly SpanEdit[];
  /** Other places that mean something else once they are changed: variables and shared headers that are read here. */
  readonly reads: readonly Place[];
  /** The literals it accounts for. */
  readonly literals: readonly Place[];
  /** Why it may not be made; `bystander`: no harm in itself, but what it reads may not be changed for others. */
  readonly problem?: Problem;
  readonly stance: 'ours' | 'foreign' | 'bystander';
  readonly call?: { readonly endpoint: V1EndpointId; readonly client: string; readonly proof: readonly SpanStep[] };
}

/** `Authorization`, as a field's name is written. */
export const authorization = 'Authorization';
export const isKeyField = (name: string): boolean => name.trim().toLowerCase() === v1Auth.field;
export const isAuthorization = (name: string): boolean => name.trim().toLowerCase() === v2Auth.field;

/** Decides about a request: all of path, base and header, or none. */
export function draftRequest(request: Request, world: World): Draft {
  const { text: url, read } = expand(request.url, world.scope);
  const keys = request.headers.filter(({ name }) => isKeyField(name.value));
  const common = {
    start: request.start,
    end: request.end,
    reads: [...read.flatMap(({ value }) => placesOf(value)), ...keys.flatMap(({ name }) => placesOf(name))],
    literals: [...placesOf(url), ...request.headers.flatMap(({ name }) => (isKeyField(name.value) ? placesOf(name) : []))],
    edits: [],
  };
  const refuse = (code: FindingCode, detail: Problem['detail'] = {}): Draft => ({
    ...common,
    stance: 'ours',
    problem: { code, at: request, detail },
  });
  const found = whose(url, request.method, world);
  if (found.kind === 'foreign')
    return { ...common, stance: 'foreign', problem: { code: 'other-host', at: request, detail: { host: found.host } } };
  if (found.kind === 'unknown')
    return keys.length > 0 || found.looksOurs ? refuse('base-not-proven', found.detail) : { ...common, stance: 'bystander' };
  const { ours } = found;
  if (ours.route === undefined && !(request.keyless && isBase(ours)))
    return notMoved(ours, request, keys.length > 0 ? refuse : undefined, { ...common, stance: 'bystander' });
  // The paths are elsewhere, and still those of v1.
  if (ours.route === undefined && ours.version === undefined)
    return keys.length > 0 ? refuse('unconsumed') : { ...common, stance: 'bystander' };
  if (request.credentials || request.headers.some(({ name }) => isAuthorization(name.value))) return refuse('authorization-present');
  const [key] = keys;
  if (key === undefined && !request.keyless) return refuse('key-not-found');
  if (keys.length > 1) return refuse('key-not-text', { what: 'given more than once' });
  const moved = moveAll(url, ours, world);
  const carried = key === undefined ? [] : carry(key, world.source);
  if (!Array.isArray(moved)) return refuse(moved);
  if (!Array.isArray(carried)) return refuse(carried, { what: 'no text that can be seen' });
  const edits = [...moved, ...carried];
  const set = ours.definitions.flatMap(({ value }) => placesOf(value));
  const made = { ...common, reads: [...common.reads, ...set], literals: [...common.literals, ...set], stance: 'ours', edits } as const;
  const { route: endpoint } = ours;
  if (endpoint === undefined) return made;
  return { ...made, call: { endpoint, client: request.client, proof: proofOf(request, ours, url, key) } };
}

/** A URL of ours that is no route of v1: v2's are done, others are for a person where v1 or a key is named. */
function notMoved(
  ours: Ours,
  { method = 'GET' }: Request,
  refuse: ((code: FindingCode, detail: Problem['detail']) => Draft) | undefined,
  otherwise: Draft,
): Draft {
  const detail = { method, route: ours.path };
  if (ours.version === undefined) return refuse?.('unknown-route', detail) ?? otherwise;
  const code = anyPlaceholder.test(ours.path) ? 'dynamic-path' : 'unknown-route';
  return { ...otherwise, stance: 'ours', problem: { code, at: otherwise, detail } };
}

/** A setting that holds a base says which. */
export type SettingDraft = Draft & { readonly base?: { readonly holdsVersion: boolean; readonly value: string } };

/** Decides about a value that stands alone: a base, or the URL of an endpoint. */
export function draftSetting(value: Text, world: World, name?: string): SettingDraft | undefined {
  const { text: url, read } = expand(defaultOf(value), world.scope);
  const literals = placesOf(url);
  const [first] = literals;
  if (first === undefined) return undefined;
  const place = { start: Math.min(...literals.map(({ start }) => start)), end: Math.max(...literals.map(({ end }) => end)) };
  const common = { ...place, literals, reads: read.flatMap((definition) => placesOf(definition.value)), edits: [] };
  const refuse = (code: FindingCode, detail: Problem['detail'] = {}): Draft => ({
    ...common,
    stance: 'ours',
    problem: { code, at: place, detail },
  });
  const found = whose(url, undefined, world);
  if (found.kind !== 'ours') {
    if (name !== undefined && world.bases.env.has(name)) return declared(url, name, world, common);
    return found.kind === 'foreign'
      ? { ...common, stance: 'foreign', problem: { code: 'other-host', at: place, detail: { host: found.host } } }
      : undefined;
  }
  const { ours } = found;
  if (!isBase(ours)) {
    if (ours.route === undefined) return ours.version === undefined ? undefined : refuse('unknown-route', { route: ours.path });
    // An id that is written out is what somebody once got for an answer: data.
    if (v1Endpoints[ours.route].path.includes(':') && !anyPlaceholder.test(ours.path)) return refuse('unconsumed');
  }
  const moved = move(url, ours, world);
  if (!Array.isArray(moved)) return refuse(moved);
  const base = isBase(ours) ? { holdsVersion: ours.version !== undefined, value: url.value } : undefined;
  return { ...common, stance: 'ours', edits: moved, ...(base !== undefined && { base }) };
}

/** Of `${NAME:-default}` only the default is set here. */
function defaultOf(value: Text): Text {
  const [reference] = referencesIn(value.value);
  const fallback = reference?.start === 0 && reference.end === value.value.length ? reference.fallback : undefined;
  return fallback === undefined ? value : slice(value, fallback.start, fallback.end);
}

/** A variable that was named as our base holds another host, such as a test server: only its version can be moved. */
function declared(url: Text, name: string, { source, bases }: World, common: Omit<Draft, 'stance'>): SettingDraft {
  const version = /(?<=\/)v1(?=\/?$)/.exec(url.value);
  const base = { holdsVersion: version !== null, value: url.value };
  const place = version === null ? undefined : placeOf(source, url, version.index, version.index + 2);
  if (place === undefined) return { ...common, stance: 'ours', base };
  if (bases.v2 === undefined) return { ...common, stance: 'ours', base, edits: [{ ...place, text: 'v2', what: 'base' }] };
  return { ...common, stance: 'ours', base, problem: { code: 'base-not-proven', at: common, detail: { name } } };
}

/** The edits of a URL and, where a variable holds its base, of all the places that set it. */
function moveAll(url: Text, ours: Ours, world: World): SpanEdit[] | FindingCode {
  const all = [move(url, ours, world)];
  for (const { value } of ours.definitions) {
    const { text } = expand(value, world.scope);
    const found = whose(text, undefined, world);
    if (found.kind === 'ours') all.push(move(text, found.ours, world));
  }
  return all.find((moved) => typeof moved === 'string') ?? all.flatMap((moved) => (Array.isArray(moved) ? moved : []));
}

/** The edits that take a URL to v2, or what stands against them. */
function move(url: Text, ours: Ours, { source, bases }: World): SpanEdit[] | FindingCode {
  const edits: SpanEdit[] = [];
  if (ours.version !== undefined) {
    const place = placeOf(source, url, ours.version.start, ours.version.end);
    if (place === undefined) return 'escaped-literal';
    edits.push({ ...place, text: 'v2', what: isBase(ours) ? 'base' : 'path' });
  }
  if (ours.base !== undefined && bases.v2 !== undefined && bases.v2 !== ours.by) {
    const place = placeOf(source, url, ours.base.start, ours.base.end);
    if (place === undefined) return 'base-split';
    edits.unshift({ ...place, text: bases.v2, what: 'base' });
  }
  return edits;
}

/** How a space is written where a mark says that it would end a word. */
const spaces: Readonly<Record<string, string>> = { u: String.raw`\ `, x: String.raw`\\ ` };

/** The edits that make the key a Bearer token, or what stands against them. */
export function carry({ name, value }: Header, source: string): SpanEdit[] | FindingCode {
  const at = name.value.toLowerCase().indexOf(v1Auth.field);
  const field = placeOf(source, name, at, at + v1Auth.field.length);
  if (field === undefined) return 'escaped-literal';
  const key = value === undefined ? '' : value.value.trim();
  if (value === undefined || key === '' || /^bearer\b/i.test(key)) return 'key-not-text';
  // n8n marks an expression by `=` before it.
  const first = /^=(?=.*\{\{)/.test(value.value) ? 1 : 0;
  const start = value.at[first] ?? 0;
  const space = spaces[value.marks[first] ?? ''] ?? ' ';
  return [
    { ...field, text: authorization, what: 'header name' },
    { start, end: start, text: `${v2Auth.scheme}${space}`, what: 'header value' },
  ];
}

function proofOf(request: Request, ours: Ours, url: Text, key: Header | undefined): SpanStep[] {
  const [place = { start: request.start, end: request.end }] = placesOf(request.url);
  const [base = place] = placesOf(url);
  const [field] = key === undefined ? [] : placesOf(key.name);
  return [
    { step: 'call', start: request.start, end: request.end, text: request.client },
    { step: 'path', ...place, text: ours.path },
    ...(ours.base === undefined
      ? [{ step: 'environment' as const, ...place, text: ours.by }]
      : [{ step: 'base' as const, ...base, text: ours.by }]),
    ...(field === undefined ? [] : [{ step: 'header' as const, ...field, text: v1Auth.field }]),
  ];
}
