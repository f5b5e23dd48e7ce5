/** Requests to v2 with v1's key, as somebody has changed their address by hand, or a base beside which they are: v2 answers 401. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Finding } from '../../model.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';

/** @param isMoved whether the key of a request is moved by this run, as others of its client are */
export function oldKeys(sites: readonly RequestSite[], isMoved: (site: RequestSite) => boolean): Finding[] {
  const found = new Map(
    sites.flatMap((site) => (isHalfMoved(site) && !isMoved(site) ? [[site.request.call, site.request.module] as const] : [])),
  );
  return [...found].map(([{ start, end }, module]): Finding => ({
    code: 'old-key',
    file: module.file,
    start,
    end,
    ...module.position(start),
    detail: {},
  }));
}

/** That v2 refuses such a key, a test may ask for; who sends both is on the way. */
const isHalfMoved = ({ verdict, keys, authorizations, request }: RequestSite): boolean =>
  verdict.kind === 'v2' && !request.isMock && keys.length > 0 && authorizations.length === 0 && !isTest(request.module);
