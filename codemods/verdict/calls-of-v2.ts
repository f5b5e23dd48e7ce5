/** Calls that v1 refuses and v2 carries out, beside calls that move. */
import type { Finding } from '../model.ts';
import { envOf, takesVersion } from './bases/environment.ts';
import type { Bases } from './bases/routes.ts';
import { changesByPlace } from './changes/changes-by-place.ts';
import { keyOf } from './changes/groups.ts';
import { endpointOfV2Alone } from './methods-of-v2.ts';

import { allowedSite, placeOfRoute, type RequestSite, siteOf, touchedBy } from './request-sites.ts';
import type { Verdict } from './verdict.ts';

/**
 * What shares a base, a header or a path with calls of ours goes along: v2 has its endpoint, and left with half of what it uses it would fail in another way than
 * before. One that stands by itself stays on v1, and is told; so does a call that only at run time is one of these, or one that v1 carries out.
 * @param isUncalled whether nobody is seen to make it: where all that it has moves with others, it forbids nothing as it is
 * @returns the sites, of which such ones change what a comment that allows it would have them change
 */
export function withCallsOfV2(
  sites: readonly RequestSite[],
  bases: Bases,
  isUncalled: (site: RequestSite) => boolean,
): readonly RequestSite[] {
  const found = new Map(sites.flatMap((site) => (site.request.isMock ? [] : asPair(site, endpointOfV2Alone(site)))));
  if (found.size === 0) return sites;
  const ours = sites.filter(({ verdict, request }) => verdict.kind === 'ours' && !request.isMock);
  const changes = changesByPlace(ours.flatMap((site) => site.changes));
  const variables = new Set(ours.filter(takesVersion).map(({ request }) => envOf(request.url?.[0])?.name));
  const isShared = (site: RequestSite): boolean => {
    const variable = envOf(site.request.url?.[0])?.name;
    return touchedBy(site, changes).length > 0 || (variable !== undefined && variables.has(variable));
  };
  const asked = new Set(ours.map(wayOf));
  const known = new Set(changes.all.map(keyOf));
  return sites.map((site) => {
    const endpointOfV2 = found.get(site);
    if (endpointOfV2 === undefined || !isShared(site) || asked.has(wayOf(site))) return site;
    const along = { ...asOurs(site, bases), endpointOfV2 };
    const isWhole = along.changes.every((change) => known.has(keyOf(change)));
    return isWhole && isUncalled(site) ? site : along;
  });
}

/** Where its version stands, or a variable that holds it. */
function asOurs(site: RequestSite, bases: Bases): RequestSite {
  const { request, variable, given, byDefault, versions } = site;
  const env = envOf(request.url?.[0]);
  const allowed = allowedSite(site, bases);
  if (allowed.verdict.kind === 'ours' || env === undefined) return allowed;
  const verdict: Verdict = { kind: 'ours', endpoint: undefined, version: undefined, base: undefined, configured: `env:${env.name}` };
  return { ...site, ...siteOf(request, verdict, bases, variable), given, byDefault, versions };
}

/** The calls by which it is made. */
const wayOf = ({ request: { call, callers, module } }: RequestSite): string =>
  [{ node: call, module }, ...callers].map((each) => `${each.module.file}:${each.node.start}`).join(' ');

const asPair = (site: RequestSite, endpoint: string | undefined): [RequestSite, string][] =>
  endpoint === undefined ? [] : [[site, endpoint]];

/** @returns one finding for each of them that moves, where its path stands */
export function newInV2(sites: readonly RequestSite[], groupOf: (site: RequestSite) => string | undefined): Finding[] {
  const found = sites.flatMap((site): Finding[] => {
    const group = site.endpointOfV2 === undefined ? undefined : groupOf(site);
    if (group === undefined || site.endpointOfV2 === undefined) return [];
    const { node, module } = placeOfRoute(site);
    const place = { file: module.file, start: node.start, end: node.end, ...module.position(node.start) };
    return [{ code: 'new-endpoint', ...place, detail: { route: site.endpointOfV2 }, group }];
  });
  return [...new Map(found.map((each) => [`${each.file} ${each.start} ${each.detail['route']}`, each])).values()];
}
