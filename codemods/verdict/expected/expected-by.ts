/** Which requests an expectation may be about, by what it says of them. */
import { newInV2 } from '../../../src/contract/route-templates.ts';
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { flat } from '../../evaluate/values/text.ts';
import type { Request } from '../../requests/requests.ts';
import type { RequestSite } from '../request-sites.ts';
import type { Range } from '../verdict.ts';
import { isOurs, pathOf, routeOf, routesOf } from './asked-endpoints.ts';
import { isVersionElsewhere, mockedAs } from './mock-patterns.ts';
import { beforeIn, isAskedIn, isToEnd, pathIn } from './mocked-addresses.ts';

/** Tells the requests that an expectation may be about: by their route, the part of their address that is named, or their key. */
export function isExpectedBy(
  site: RequestSite,
  version: Range | undefined,
  mounted: ReadonlySet<string> = new Set(),
  routeAt: (other: RequestSite) => V1EndpointId | undefined = routeOf,
): (other: RequestSite) => boolean {
  const path = pathIn(site.request, version);
  if (path === undefined) return ({ keys }) => keys.length > 0;
  const paths = new Set<string | undefined>(routesOf(site, version).map(pathOf));
  paths.delete(undefined);
  const before = beforeIn(site.request, version);
  return (other) => {
    if (asksTheSameNew(site.request, path, other.request)) return true;
    if (before !== '' && !(mounted.has(before) && isOurs(other)) && !flat(other.request.url ?? []).includes(`${before}/v1`)) return false;
    if (paths.has(pathOf(routeAt(other)))) return true;
    // Another service may have such a path without a version.
    if (version === undefined) return flat(other.request.url ?? []).includes(path.replace(/^\/v1(\/[^/]+).*$/s, '$1'));
    // A base that ends in the version, as a variable holds it.
    if (/^\/v1\/?$/.test(path) && isVersionElsewhere(mockedAs(site.request), other)) return true;
    return (
      site.request.expects === 'part' && other.request.url !== undefined && isAskedIn(flat(other.request.url), path, isToEnd(site.request))
    );
  };
}

/** Whether both are about an endpoint of v2 that v1 has not. */
function asksTheSameNew({ method }: Request, route: string, { method: asked, url = [] }: Request): boolean {
  if (asked === undefined) return false;
  const newer = newInV2(asked, flat(url).replace(/^https?:\/\/[^/?#]*|[?#].*$/gi, ''));
  return newer !== undefined && newer === newInV2(method ?? asked, route);
}
