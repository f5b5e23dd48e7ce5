/** Which endpoints a component asks, and which of them its mocks stand for without a request to be seen. */
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import { isOfBrowser } from '../clients/testing/stand-in-servers.ts';
import { isOfPage, mayBeAskedByPage } from './expected/mock-patterns.ts';
import { flat } from '../evaluate/values/text.ts';
import { memoOf } from '../once.ts';
import type { Request } from '../requests/requests.ts';
import { routeAtAny } from './expected/asked-endpoints.ts';
import { beforeVersionOf, isInFront, ownPathOf } from './bases/mounts.ts';
import { placeOfCall, type RequestSite } from './request-sites.ts';
import type { Fate, Front, RouteUse } from '../uses-between-components.ts';

/** The method counts for nothing: most mocks name an address alone. */
export function routesOf(sites: readonly RequestSite[], fateOf: (site: RequestSite) => Fate): RouteUse[] {
  return sites.flatMap((site) => {
    const { request, verdict, follows } = site;
    const isOther = verdict.kind === 'foreign';
    const route = isOther && request.isMock ? undefined : routeAtAny(site);
    if (route === undefined || (request.isMock && follows !== undefined && hasCall(follows))) return [];
    const { node, module } = placeOfCall(site);
    const before = beforeVersionOf(request);
    const own = ownPathOf(request);
    const front = frontOf(request);
    return {
      name: v1Endpoints[route].path,
      ...(before !== undefined && { asked: `${before}/v1` }),
      ...(own !== undefined && { ownPath: `${own}/v1` }),
      ...(front !== undefined && { front }),
      file: module.file,
      start: node.start,
      end: node.end,
      ...module.position(node.start),
      ...fateOf(site),
      isMock: request.isMock,
      ...(isOther && { isOther }),
      isOurs: verdict.kind === 'ours' && site.isOfAnyHost !== true,
      ...(site.isOfAnyHost === true && { isOfAnyHost: true }),
      isOfPage: site.isOfAnyHost === true ? isOfBrowser(request.module.file, request.module.text) : isOfPage(request),
      ...(!request.isMock && !mayBeAskedByPage(site) && { isPastPages: true }),
    };
  });
}

/** The mocks of a path have one list of who asks for that. */
const hasCall = memoOf((sites: readonly RequestSite[]): boolean => sites.some(({ request }) => !request.isMock));

function frontOf({ asked = [], through = [] }: Request): Front | undefined {
  const by = through.filter(isInFront).map(({ call: { start, end }, module: { file } }) => ({ file, start, end }));
  return by.length === 0 ? undefined : { path: flat(asked), by };
}
