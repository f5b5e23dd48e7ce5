/**
 * The path templates of the endpoints, compiled once for everybody who asks which endpoint a path is.
 * Segments are compared byte for byte: nothing is decoded or normalised.
 */
import { type Endpoint, endpointIds, labelOf, v1Endpoints, v2Endpoints } from './endpoints.ts';

export interface RouteTemplate<Id extends string = string, Row extends Endpoint = Endpoint> {
  readonly id: Id;
  readonly endpoint: Row;
  /** See `labelOf`. */
  readonly label: string;
  /** The segments of the path, with the empty one before its first slash; undefined for a parameter. */
  readonly segments: readonly (string | undefined)[];
  /** The parameters by their names, without the colon, and at which segment each stands. */
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  readonly at: number;
}

export function compileTemplate<Id extends string, Row extends Endpoint>(id: Id, endpoint: Row): RouteTemplate<Id, Row> {
  const parts = endpoint.path.split('/');
  return {
    id,
    endpoint,
    label: labelOf(endpoint),
    segments: parts.map((part) => (isParameter(part) ? undefined : part)),
    parameters: parts.flatMap((part, at) => (isParameter(part) ? [{ name: part.slice(1), at }] : [])),
  };
}

/** Compiles the rows of a table, in its order. */
export const compileTemplates = <Id extends string, Row extends Endpoint>(table: Readonly<Record<Id, Row>>): RouteTemplate<Id, Row>[] =>
  endpointIds(table).map((id) => compileTemplate(id, table[id]));

/** Whether a segment of a path template stands for any segment. */
export const isParameter = (segment: string): boolean => segment.startsWith(':');

export const v1Templates = compileTemplates(v1Endpoints);
export const v2Templates = compileTemplates(v2Endpoints);

/** Whether a path, given by its segments, is one of the template's. */
export function fits({ segments: expected }: RouteTemplate, segments: readonly string[]): boolean {
  if (expected.length !== segments.length) return false;
  for (let i = 0; i < expected.length; i++) {
    const segment = segments[i] ?? '';
    if (expected[i] === undefined ? segment === '' || misleading.test(segment) : expected[i] !== segment) return false;
  }
  return true;
}

/**
 * The label of the endpoint of v2 that v1 has not (api.md §4), by a method and a path of v1, or one without a version.
 * @returns undefined where v1 has an endpoint there, or v2 has none
 */
export function newInV2(method: string, path: string): string | undefined {
  const rest = path.replace(/^\/v1(?=\/)/, '');
  const labelIn = (templates: readonly RouteTemplate[], version: string): string | undefined => {
    const segments = `/${version}${rest}`.split('/');
    return templates.find((template) => template.endpoint.method === method && fits(template, segments))?.label;
  };
  return labelIn(v1Templates, 'v1') === undefined ? labelIn(v2Templates, 'v2') : undefined;
}

/**
 * Makes the function that writes the path of one template from the segments of a path of another.
 * @param from has all parameters of `to` (see `checkContract`)
 */
export function pathWriter(from: RouteTemplate, to: RouteTemplate): (segments: readonly string[]) => string {
  const [first = '', ...after] = to.endpoint.path.split(/:[^/]+/);
  const places = to.parameters.map(({ name }, i) => ({ at: from.parameters.find((own) => own.name === name)?.at ?? -1, after: after[i] }));
  return (segments) => {
    let path = first;
    for (const { at, after } of places) path += `${segments[at]}${after}`;
    return path;
  };
}

// `.` and `..`, also percent-encoded, would be resolved by URL parsers behind us and reach another endpoint (RFC 3986 §6.2.2.3).
// `\` is no character of a path, and browsers' URL parsers take it for `/`.
const misleading = /^(?:\.|%2e){1,2}$|\\/i;
