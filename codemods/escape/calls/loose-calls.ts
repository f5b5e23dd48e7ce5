/**
 * Calls that ask for a path of v1 on something that nobody knows, in whatever file: what a framework, a container, a context or a global hands on is joined
 * to its maker by no import. If it is a client of ours, it would send a header of v2 to a path of v1; so that client stays until a person decides.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Span } from '../../model.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { isRouteOfV1, isUnresolved, methodOf, relations } from './unresolved-calls.ts';

export interface LooseCall extends Span {
  readonly line: number;
  readonly column: number;
  /** The method by which it asks. */
  readonly method: string;
  readonly route: string;
}

/** A method that is given paths of ours, and the group of edits of those. */
export interface PathMethod {
  readonly name: string;
  readonly group: string;
}

/** @param known calls that are accounted for */
export function looseCallsOf(ev: Evaluation, sites: readonly RequestSite[], known: readonly CallNode[]): LooseCall[] {
  const related = relations(ev);
  const keyOf = ({ file }: Pick<SourceModule, 'file'>, name: string): string => `${related.of(file)} ${name}`;
  const own = new Set(
    sites.flatMap(({ request }) => (request.isMock ? [] : namesAround(request.call).map((name) => keyOf(request.module, name)))),
  );
  const seen = new Set<Node>([...known, ...sites.flatMap(({ request }) => [request.call, ...request.callers.map(({ node }) => node)])]);
  return [...ev.world.modules.values()].flatMap((module) =>
    isTest(module)
      ? []
      : module.calls.flatMap((call): LooseCall[] => {
          const [method, route] = [methodOf(call), routeIn(call)];
          if (method === undefined || route === undefined || own.has(keyOf(module, method)) || seen.has(call) || !mayAsk(call)) return [];
          const { start, end } = call.args[0] ?? call;
          const isLoose = ev.budget.question({ node: call, module }, () => isUnresolved(ev, call, module)).value;
          return isLoose ? [{ file: module.file, start, end, ...module.position(start), method, route }] : [];
        }),
  );
}

/** The names of the methods that a request stands in: where imports join a call by that name to it, it was looked at with that. */
function namesAround(call: Node): string[] {
  const names: string[] = [];
  for (let at: Node | undefined = call; at !== undefined; at = at.parent)
    if ((at.kind === 'classMember' || at.kind === 'property') && at.name !== undefined) names.push(at.name);
  return names;
}

/** The path of v1 that a call begins with, as it stands there. */
function routeIn({ args: [path] }: CallNode): string | undefined {
  const text = path?.kind === 'string' ? path.value : path?.kind === 'template' ? path.texts.map(({ value }) => value).join('…') : '';
  return isRouteOfV1(text) ? text : undefined;
}

/** A server that defines a route is given who answers it, and nothing is done with what comes of that. */
export function mayAsk({ args: [, ...others], parent }: CallNode): boolean {
  const isStatement = parent?.kind === 'other' && parent.what === 'ExpressionStatement';
  return !isStatement || others.every(({ kind }) => kind === 'object' || kind === 'string' || kind === 'template');
}

export function pathMethodsOf(sites: readonly RequestSite[], groupOf: (site: RequestSite) => string | undefined): PathMethod[] {
  return sites.flatMap((site): PathMethod[] => {
    const { request, verdict } = site;
    const group = verdict.kind === 'ours' && !request.isMock ? groupOf(site) : undefined;
    if (group === undefined) return [];
    const calls = [{ node: request.call, module: request.module }, ...request.callers];
    return calls.flatMap(({ node, module }): PathMethod[] => {
      const name = methodOf(node);
      return name !== undefined && isGivenPath(node, module, site) ? [{ name, group }] : [];
    });
  });
}

/** Whether the first thing that a call is given is a part of the path that is asked. */
function isGivenPath(node: Node, module: Pick<SourceModule, 'file'>, { request: { url = [] } }: RequestSite): boolean {
  const [path] = node.kind === 'call' ? node.args : [];
  if (path === undefined || path.kind === 'spread') return false;
  if (path.kind === 'name' || path.kind === 'member') return true;
  return url.some((part) => {
    const source = 'text' in part ? part.source : undefined;
    return source?.module.file === module.file && path.start <= source.start && source.start <= path.end;
  });
}
