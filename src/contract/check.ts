/**
 * Start-up check of the contract: refuses tables that contradict themselves or that a consumer does not cover.
 * The types catch most of it at build time; this also guards tables that were extended at run time or from JavaScript.
 */
import type { Endpoint } from './endpoints.ts';
import { compileTemplates, isParameter } from './route-templates.ts';

export class ContractError extends Error {
  readonly code = 'CONTRACT_CONTRADICTION';
  /** One line for each contradiction. */
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The endpoint and error tables contradict themselves; mend src/contract: ${problems.join('; ')}`);
    this.name = 'ContractError';
    this.problems = problems;
  }
}

export interface ContractUse {
  /** Who asks, for the message: `proxy`, `sandbox v1`, … */
  readonly consumer: string;
  readonly endpoints: Readonly<Record<string, Endpoint & { readonly successor?: string }>>;
  /** Where the endpoints have successors: their table. */
  readonly successors?: Readonly<Record<string, Endpoint>>;
  /** The ids of the endpoints that the consumer handles. */
  readonly handled: Iterable<string>;
  /** The ids of the error rows that must be mapped, and those that are. */
  readonly rows?: { readonly required: Iterable<string>; readonly mapped: Iterable<string> };
}

/**
 * Checks one consumer's use of the tables.
 * @throws ContractError when two routes match one path, an endpoint has no handler, a handler no endpoint, an error row is mapped by nobody,
 * or a path cannot be made of that of the endpoint that it succeeds
 */
export function checkContract({ consumer, endpoints, successors, handled, rows }: ContractUse): void {
  const ids = Object.keys(endpoints);
  const handledIds = new Set(handled);
  const mapped = new Set(rows?.mapped);
  const problems = [
    ...overlaps(endpoints).map(([a, b]) => `${consumer}: ${a} and ${b} match one path`),
    ...parameterProblems(endpoints, successors).map((problem) => `${consumer}: ${problem}`),
    ...ids.filter((id) => !handledIds.has(id)).map((id) => `${consumer}: endpoint ${id} has no handler`),
    ...[...handledIds].filter((id) => !ids.includes(id)).map((id) => `${consumer}: handler ${id} has no endpoint`),
    ...[...(rows?.required ?? [])].filter((id) => !mapped.has(id)).map((id) => `${consumer}: error row ${id} is mapped by nobody`),
  ];
  if (problems.length > 0) throw new ContractError(problems);
}

/** A path is put together by the names of its parameters: each must stand there once, and a successor's in the path that it succeeds. */
function parameterProblems(endpoints: ContractUse['endpoints'], successors: ContractUse['successors']): string[] {
  return compileTemplates(endpoints).flatMap(({ id, endpoint, parameters }) => {
    const names = parameters.map(({ name }) => name);
    const twice = names.filter((name, i) => names.indexOf(name) < i).map((name) => `the path of ${id} has :${name} twice`);
    if (successors === undefined || endpoint.successor === undefined) return twice;
    const successor = successors[endpoint.successor];
    if (successor === undefined) return [...twice, `the successor of ${id}, ${endpoint.successor}, is no endpoint`];
    const wanted = compileTemplates({ successor }).flatMap((template) => template.parameters);
    return [
      ...twice,
      ...wanted.flatMap(({ name }) => (names.includes(name) ? [] : [`the path of ${id} lacks :${name}, which that of its successor has`])),
    ];
  });
}

function overlaps(endpoints: Readonly<Record<string, Endpoint>>): [string, string][] {
  const entries = Object.entries(endpoints);
  return entries.flatMap(([idA, a], index) =>
    entries
      .slice(index + 1)
      .flatMap(([idB, b]): [string, string][] => (a.method === b.method && sameShape(a.path, b.path) ? [[idA, idB]] : [])),
  );
}

/** Whether some path matches both templates: segment by segment equal, or one of the two is a parameter. */
function sameShape(a: string, b: string): boolean {
  const [left, right] = [a.split('/'), b.split('/')];
  return (
    left.length === right.length && left.every((segment, i) => segment === right[i] || isParameter(segment) || isParameter(right[i] ?? ''))
  );
}
