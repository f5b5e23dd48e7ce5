/** Which of several services an expectation is about that names none: the test around it may name one, as the address that its stub answers at. */
import { flat } from '../evaluate/text.ts';
import { testAround } from './reached.ts';
import type { RequestSite } from './request-sites.ts';

/**
 * @param found requests that an expectation may be about
 * @param mocks what tests expect, and where
 * @returns those of the service whose address the test names, if it names one of theirs
 */
export function namedAround(site: RequestSite, found: readonly RequestSite[], mocks: readonly RequestSite[]): readonly RequestSite[] {
  const { call, module, url } = site.request;
  const isOpen = originOf(site) === undefined && new Set(found.map(originOf)).size > 1;
  const test = isOpen ? testAround(call) : undefined;
  if (test === undefined) return found;
  const path = url === undefined ? undefined : pathIn(flat(url));
  const isInTest = ({ request }: RequestSite): boolean =>
    (request.url ?? []).some((part) => {
      const source = 'text' in part ? part.source : undefined;
      return source?.module === module && test.start <= source.start && source.start < test.end;
    });
  const named = new Set(
    mocks.flatMap((mock) =>
      isInTest(mock) && (path === undefined || pathIn(flat(mock.request.url ?? [])) === path) ? (originOf(mock) ?? []) : [],
    ),
  );
  const own = found.filter((each) => named.has(originOf(each) ?? ''));
  return own.length > 0 ? own : found;
}

export const originOf = ({ request: { url = [] } }: RequestSite): string | undefined =>
  /^https?:\/\/[^/?#]*/i.exec(flat(url))?.[0].toLowerCase();

/** From its version on, without a query. */
const pathIn = (text: string): string | undefined => /\/v1(?=\/|$)[^?#]*/.exec(text)?.[0];
