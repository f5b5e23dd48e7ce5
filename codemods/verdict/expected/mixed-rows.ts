/** Tables of a test, each row of which says a request. */
import { keyOf } from '../changes/groups.ts';
import type { RequestSite } from '../request-sites.ts';

/** The method of one row of a table with the path of another is expected of nobody; what it would change moves with its own row. */
export function withoutMixedRows(sites: readonly RequestSite[]): RequestSite[] {
  const followed = sites.filter(({ request, follows }) => request.isMock && follows !== undefined);
  const changed = new Map(
    [...Map.groupBy(followed, ({ request }) => request.call)].map(([call, all]) => [
      call,
      new Set(all.flatMap(({ changes }) => changes.map(keyOf))),
    ]),
  );
  const isMixed = ({ request, follows, changes }: RequestSite): boolean =>
    request.isMock &&
    follows === undefined &&
    changes.length > 0 &&
    changes.every((change) => changed.get(request.call)?.has(keyOf(change)));
  return sites.filter((site) => !isMixed(site));
}
