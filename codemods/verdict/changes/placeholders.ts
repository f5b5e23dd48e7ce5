/** What an address ends in until something is put there: `url = ''` of a builder, of which each call says the path before it is sent. */
import { wayOf } from '../../requests/requests.ts';
import type { RequestSite } from '../request-sites.ts';

/** Nothing behind the base, or behind the version. */
const bare = /^\/(?:v1\/?)?$/;

const isBare = ({ verdict, request }: RequestSite): boolean =>
  verdict.kind === 'unknown-route' && bare.test(verdict.route) && !request.isMock;

/** Without what is sent nowhere, where the same call asks for an endpoint on the same way. */
export function withoutPlaceholders(sites: readonly RequestSite[]): readonly RequestSite[] {
  if (!sites.some(isBare)) return sites;
  const asking = new Set(sites.flatMap(({ request, verdict }) => (verdict.kind === 'ours' && !request.isMock ? wayOf(request) : [])));
  return sites.filter((site) => !isBare(site) || !asking.has(wayOf(site.request)));
}
