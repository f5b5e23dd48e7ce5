/** Texts of which no request is seen to be made, in what a test runs: what it expects may be about these, and not about requests elsewhere. */
import { type V1EndpointId, v1Endpoints } from '../../../src/contract/endpoints.ts';
import { memo } from '../../once.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Reach } from './reached.ts';
import type { RequestSite } from '../request-sites.ts';

/** @returns whether what is expected, and is explained by requests elsewhere, may be about one that is not seen, or whose path nobody can read */
export function unseenIn(
  reach: Reach,
  real: readonly RequestSite[],
): (site: RequestSite, endpoint: V1EndpointId | undefined, requests: readonly RequestSite[]) => boolean {
  const known = new WeakMap<ReadonlySet<SourceText>, (path: string) => boolean>();
  const unread = new Set(real.flatMap(({ verdict, request }) => (verdict.kind === 'dynamic-path' ? request.module : [])));
  return ({ request }, endpoint, requests) => {
    if (endpoint === undefined || (request.expects === undefined && unread.size === 0)) return false;
    const run = reach.byTest(request);
    const isRun = ({ request: { module, callers } }: RequestSite): boolean =>
      run.has(module) || callers.some((caller) => run.has(caller.module));
    if (requests.some((each) => each.request !== request && isRun(each))) return false;
    if ([...unread].some((module) => run.has(module))) return true;
    if (request.expects === undefined) return false;
    const holds =
      known.get(run) ?? memo((path: string) => [...run].some((module) => !reach.isOfTests(module) && module.text.includes(path)));
    known.set(run, holds);
    return holds(fixedPartOf(v1Endpoints[endpoint].path));
  };
}

/**
 * @returns whether what a test runs also asks us for any path that it is given, as a proxy does: what it expects of a path may be about that, unless the
 * same file has what it is about, as a client has a call for all else, and no test gives that a path itself
 */
export function unreadIn(reach: Reach, real: readonly RequestSite[]): (site: RequestSite, about: readonly RequestSite[]) => boolean {
  const unread = real.filter(({ verdict }) => verdict.kind === 'dynamic-path');
  return ({ request }, about) => {
    if (request.expects === undefined || unread.length === 0) return false;
    const run = reach.byTest(request);
    const own = new Set(about.map((each) => each.request.module));
    const isByTest = ({ module }: { readonly module: SourceText }): boolean =>
      module === request.module || (run.has(module) && reach.isOfTests(module));
    return unread.some(({ request: { module, callers } }) => run.has(module) && (!own.has(module) || callers.some(isByTest)));
  };
}

/** `/v1/messages/` of `/v1/messages/:id`: `/messages/` alone may be a page. */
const fixedPartOf = (path: string): string => path.replace(/:.*/, '');
