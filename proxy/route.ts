/** From the raw request target to the v1 endpoint and its v2 path. Bytes are compared as sent: nothing is decoded or normalised. */
import { type Endpoint, type V1Endpoint, type V1EndpointId, endpointIds, v1Endpoints, v2Endpoints } from '../src/contract/endpoints.ts';

export interface Route {
  readonly id: V1EndpointId;
  readonly endpoint: V1Endpoint;
  /** Method and template, as records name it. */
  readonly label: string;
}

export interface RouteMatch {
  readonly route: Route;
  /** The successor's path with the ids of this request, percent-encoded as sent. */
  readonly v2Path: string;
  /** The id in the path, percent-encoded as sent. */
  readonly resourceId: string | undefined;
}

interface Template {
  readonly endpoint: Endpoint;
  readonly label: string;
  readonly segments: readonly string[];
  /** Index of the segment that is the id, or -1. */
  readonly parameter: number;
}

interface V1Template extends Template, Route {
  readonly endpoint: V1Endpoint;
  /** The successor's path before and after the id; all of it where there is none. */
  readonly before: string;
  readonly after: string;
}

function template({ method, path }: Endpoint): Omit<Template, 'endpoint'> {
  const segments = path.split('/');
  return { label: `${method} ${path}`, segments, parameter: segments.findIndex((segment) => segment.startsWith(':')) };
}

const v1Templates: readonly V1Template[] = endpointIds(v1Endpoints).map((id) => {
  const endpoint: V1Endpoint = v1Endpoints[id];
  const successor: Endpoint = v2Endpoints[endpoint.successor];
  const [before = '', after = ''] = successor.path.split(':id');
  return { ...template(endpoint), id, endpoint, before, after };
});
const v2Templates: readonly Template[] = Object.values<Endpoint>(v2Endpoints).map((endpoint) => ({ ...template(endpoint), endpoint }));

const v1ByMethod = Map.groupBy(v1Templates, ({ endpoint }): string => endpoint.method);
const v2ByMethod = Map.groupBy(v2Templates, ({ endpoint }): string => endpoint.method);

// `.` and `..`, also percent-encoded, would be resolved by URL parsers behind us and reach another endpoint (RFC 3986 §6.2.2.3).
// `\` is no character of a path, and browsers' URL parsers take it for `/`.
const misleading = /^(?:\.|%2e){1,2}$|\\/i;

/**
 * Finds the endpoint of a v1 request.
 * @param method as sent; HEAD is routed like GET where `headLikeGet` says so
 * @param path the target without its query
 */
export function matchRoute(method: string, path: string, headLikeGet: boolean): RouteMatch | undefined {
  const candidates = v1ByMethod.get(method === 'HEAD' && headLikeGet ? 'GET' : method);
  if (candidates === undefined) return undefined;
  const segments = path.split('/');
  for (const template of candidates) {
    if (!fits(template, segments)) continue;
    const resourceId = segments[template.parameter];
    return {
      route: template,
      v2Path: resourceId === undefined ? template.before : template.before + resourceId + template.after,
      resourceId,
    };
  }
  return undefined;
}

/** The endpoint of v2 that a request is for, by the name it has in records; undefined where it is for none. HEAD is named like GET. */
export function labelOfV2(method: string, path: string): { readonly label: string } | undefined {
  const segments = path.split('/');
  return v2ByMethod.get(method === 'HEAD' ? 'GET' : method)?.find((candidate) => fits(candidate, segments));
}

function fits({ segments: expected, parameter }: Template, segments: readonly string[]): boolean {
  if (expected.length !== segments.length) return false;
  for (let i = 1; i < expected.length; i++) if (i !== parameter && segments[i] !== expected[i]) return false;
  const resourceId = segments[parameter];
  return segments[0] === '' && resourceId !== '' && (resourceId === undefined || !misleading.test(resourceId));
}

/** Whether the path belongs to v1 and is answered here. */
export function isV1(target: string): boolean {
  return isUnder('/v1', target);
}

/** Whether the path belongs to v2 and is passed through. */
export function isV2(target: string): boolean {
  return isUnder('/v2', target);
}

/** A target without scheme and authority, which a server must accept (RFC 9112 §3.2.2); one in another form as it came. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function isUnder(folder: string, sent: string): boolean {
  const target = originForm(sent);
  return target.startsWith(folder) && (target.length === folder.length || target[folder.length] === '/' || target[folder.length] === '?');
}

/** Renames query parameters; everything but the names of those parameters stays as sent. */
export function renameQuery(query: string, names: Readonly<Record<string, string>> | undefined): string {
  if (names === undefined || query === '') return query;
  return query
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      const renamed = Object.hasOwn(names, name) ? names[name] : undefined;
      return renamed === undefined ? pair : `${encodeURIComponent(renamed)}${pair.slice(name.length)}`;
    })
    .join('&');
}
