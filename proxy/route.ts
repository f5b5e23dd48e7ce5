/** From the raw request target to the v1 endpoint and its v2 path. Bytes are compared as sent: nothing is decoded or normalised. */
import {
  type Endpoint,
  type V1Endpoint,
  type V1EndpointId,
  type V2EndpointId,
  v1Endpoints,
  v2Endpoints,
} from '../src/contract/endpoints.ts';
import { type RouteTemplate, compileTemplate, compileTemplates, fits, pathWriter, v2Templates } from '../src/contract/route-templates.ts';

export type Route<Id extends string = V1EndpointId> = Pick<RouteTemplate<Id, V1Endpoint>, 'id' | 'endpoint' | 'label'>;

export interface RouteMatch<Id extends string = V1EndpointId> {
  readonly route: Route<Id>;
  /** The successor's path with the parameters of this request, percent-encoded as sent. */
  readonly v2Path: string;
  /** What stands in the place of `:id`, percent-encoded as sent. */
  readonly resourceId: string | undefined;
}

/**
 * Makes the function that finds the endpoint of a v1 request. It takes the method as sent, of which HEAD is routed like GET where
 * `headLikeGet` says so, and the target without its query.
 */
export function createRoutes<Id extends string>(
  endpoints: Readonly<Record<Id, V1Endpoint>>,
  successors: Readonly<Record<V2EndpointId, Endpoint>>,
): (method: string, path: string, headLikeGet: boolean) => RouteMatch<Id> | undefined {
  const routes = compileTemplates(endpoints).map((template) => ({
    template,
    writeV2Path: pathWriter(template, compileTemplate(template.id, successors[template.endpoint.successor])),
    idAt: template.parameters.find(({ name }) => name === 'id')?.at ?? -1,
  }));
  const byMethod = Map.groupBy(routes, ({ template }): string => template.endpoint.method);
  return (method, path, headLikeGet) => {
    const candidates = byMethod.get(method === 'HEAD' && headLikeGet ? 'GET' : method);
    if (candidates === undefined) return undefined;
    const segments = path.split('/');
    const found = candidates.find(({ template }) => fits(template, segments));
    return found && { route: found.template, v2Path: found.writeV2Path(segments), resourceId: segments[found.idAt] };
  };
}

/** Finds the endpoint of a v1 request in the contract. */
export const matchRoute = createRoutes(v1Endpoints, v2Endpoints);

const v2ByMethod = Map.groupBy(v2Templates, ({ endpoint }): string => endpoint.method);

/** The endpoint of v2 that a request is for, by the name it has in records; undefined where it is for none. HEAD is named like GET. */
export function labelOfV2(method: string, path: string): { readonly label: string; readonly id: V2EndpointId } | undefined {
  const segments = path.split('/');
  return v2ByMethod.get(method === 'HEAD' ? 'GET' : method)?.find((candidate) => fits(candidate, segments));
}

/** The endpoint of v2 that a request is for; undefined where it is for none. */
export function v2EndpointOf(method: string, path: string): V2EndpointId | undefined {
  const segments = path.split('/');
  return v2ByMethod.get(method)?.find((candidate) => fits(candidate, segments))?.id;
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
