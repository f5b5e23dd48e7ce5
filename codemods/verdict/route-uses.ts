/** Which endpoints a component asks, and which of them its mocks stand for without a request to be seen. */
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import { routeOf } from './mocks.ts';
import { beforeVersionOf } from './mounts.ts';
import { placeOfCall, type RequestSite } from './request-sites.ts';
import type { Fate, RouteUse } from '../cross-file-uses.ts';

/** The method counts for nothing: most mocks name an address alone. */
export function routesOf(sites: readonly RequestSite[], fateOf: (site: RequestSite) => Fate): RouteUse[] {
  return sites.flatMap((site) => {
    const { request, verdict, follows } = site;
    const isOther = verdict.kind === 'foreign';
    const route = isOther && request.isMock ? undefined : routeOf(site);
    if (route === undefined || (request.isMock && follows !== undefined)) return [];
    const { node, module } = placeOfCall(site);
    const before = beforeVersionOf(request);
    return {
      name: v1Endpoints[route].path,
      ...(before !== undefined && { asked: `${before}/v1` }),
      file: module.file,
      start: node.start,
      end: node.end,
      ...module.position(node.start),
      ...fateOf(site),
      isMock: request.isMock,
      ...(isOther && { isOther }),
      isOurs: verdict.kind === 'ours' && site.isOfAnyHost !== true,
      ...(site.isOfAnyHost === true && { isOfAnyHost: true }),
    };
  });
}
