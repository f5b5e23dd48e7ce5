/**
 * Start-up check of the contract: refuses tables that contradict themselves or that a consumer does not cover.
 * The types catch most of it at build time; this also guards tables that were extended at run time or from JavaScript.
 */
import type { Endpoint } from './endpoints.ts';

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
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** The ids of the endpoints that the consumer handles. */
  readonly handled: Iterable<string>;
  /** The ids of the error rows that must be mapped, and those that are. */
  readonly rows?: { readonly required: Iterable<string>; readonly mapped: Iterable<string> };
}

/**
 * Checks one consumer's use of the tables.
 * @throws ContractError when two routes match one path, an endpoint has no handler, a handler no endpoint, or an error row is mapped by nobody
 */
export function checkContract({ consumer, endpoints, handled, rows }: ContractUse): void {
  const ids = Object.keys(endpoints);
  const handledIds = new Set(handled);
  const mapped = new Set(rows?.mapped);
  const problems = [
    ...overlaps(endpoints).map(([a, b]) => `${consumer}: ${a} and ${b} match one path`),
    ...ids.filter((id) => !handledIds.has(id)).map((id) => `${consumer}: endpoint ${id} has no handler`),
    ...[...handledIds].filter((id) => !ids.includes(id)).map((id) => `${consumer}: handler ${id} has no endpoint`),
    ...[...(rows?.required ?? [])].filter((id) => !mapped.has(id)).map((id) => `${consumer}: error row ${id} is mapped by nobody`),
  ];
  if (problems.length > 0) throw new ContractError(problems);
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
    left.length === right.length && left.every((segment, i) => segment === right[i] || segment.startsWith(':') || right[i]?.startsWith(':'))
  );
}
