/** One name for a header that several requests have, and for what tests expect of it: in small letters where it stands over headers that have arrived. */
import { v2Auth } from '../../../src/contract/auth.ts';
import { keyOf } from './groups.ts';
import type { RequestSite } from '../request-sites.ts';
import type { Change } from './spans.ts';

const isName = ({ what, text }: Change): boolean => what === 'header name' && text.toLowerCase() === v2Auth.field;
const isSmall = (change: Change): boolean => isName(change) && change.text === v2Auth.field;

/** @returns the sites with such a name in small letters wherever one of them needs that, and where all do that an expectation is about */
export function withOneSpelling(sites: readonly RequestSite[]): readonly RequestSite[] {
  const small = new Set(sites.flatMap(({ request, changes }) => (request.isMock ? [] : changes.filter(isSmall).map(keyOf))));
  if (small.size === 0) return sites;
  const isOfSmall = ({ request, follows = [] }: RequestSite): boolean => {
    const names = request.isMock ? follows.flatMap(({ changes }) => changes.filter(isName)) : [];
    return names.length > 0 && names.every((name) => small.has(keyOf(name)));
  };
  return sites.map((site) => {
    const isAll = isOfSmall(site);
    const spelled = (change: Change): Change =>
      isName(change) && (isAll || small.has(keyOf(change))) ? { ...change, text: v2Auth.field } : change;
    return site.changes.some(isName) ? { ...site, changes: site.changes.map(spelled) } : site;
  });
}
