/** In which letters tests find the names of headers in what a client has sent that writes them all in small ones: where a test has the name, it stays so. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { Bases } from '../bases/routes.ts';
import { type RequestSite, siteOf } from '../request-sites.ts';
import { rulesWith } from '../../evaluate/libraries/rules.ts';

/** @param sites with the requests that each expectation is about */
export function withSentLetters({ rules }: Evaluation, sites: readonly RequestSite[], bases: Bases): readonly RequestSite[] {
  const clients = new Set(rulesWith(rules, 'sendsSmallLetters').map(({ name }) => name));
  const isSmall = ({ request, follows = [] }: RequestSite): boolean =>
    request.isMock && follows.length > 0 && follows.every((each) => clients.has(each.request.client));
  if (!sites.some(({ request }) => clients.has(request.client))) return sites;
  return sites.map((site) => (isSmall(site) ? asLookups(site, bases) : site));
}

function asLookups(site: RequestSite, bases: Bases): RequestSite {
  const { request, verdict } = site;
  const headers = request.headers.map((entry) => ({ ...entry, isLookup: true }));
  const { changes, obstacles, keys } = siteOf({ ...request, headers }, verdict, bases, undefined);
  return { ...site, request: { ...request, headers }, changes, obstacles, keys };
}
