/** Requests below a base of ours of which v1 has no path, or whose path cannot be read. */
import { envOf, isForPerson } from '../../verdict/bases/environment.ts';
import { pathGiven } from '../../verdict/named-places.ts';
import { placeOfCall, type RequestSite } from '../../verdict/request-sites.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import type { Callers } from '../calls/uncalled.ts';
import type { Problem } from '../problems.ts';

/** Unknown parts of a path as people write them. */
const shown = (path: string): string => path.replaceAll('\0', '…');

/** A path that v1 has not, told where it stands; one that cannot be read, at its call. */
export function aboutPath(
  site: RequestSite,
  verdict: Extract<Verdict, { readonly kind: 'unknown-route' | 'dynamic-path' }>,
): Omit<Problem, 'site' | 'change'> {
  const { call, module, method } = site.request;
  const mayBeAllowed = site.mayBeAllowed || (isForPerson(site) && envOf(site.request.url?.[0]) !== undefined);
  const allow: Problem['detail'] = mayBeAllowed ? {} : { allow: 'no' };
  if (verdict.kind === 'dynamic-path')
    return {
      code: 'dynamic-path',
      node: call,
      module,
      detail: { ...allow, ...(verdict.version !== undefined && { name: verdict.version }) },
    };
  const { node, module: where } = pathGiven(site.request);
  return {
    code: 'unknown-route',
    node,
    module: where,
    detail: { ...allow, route: shown(verdict.route), ...(method === undefined ? {} : { method }) },
  };
}

/** … of what nobody calls forbids nothing: a method that heirs have needs nobody, and any other is told where it asks, and not where a maker named what it is of. */
export function handedDown(problem: Problem, site: RequestSite, uncalled: Callers): Problem {
  const of = problem.code === 'unknown-route' && site.changes.length === 0 ? uncalled(site) : undefined;
  if (of === undefined) return problem;
  if (of === 'inherited') return { ...problem, detail: { ...problem.detail, by: 'nobody' } };
  return { ...problem, ...placeOfCall(site), detail: { ...problem.detail, by: 'no caller' } };
}
