/** Paths of a server in front that move with the calls that ask for them: builds that are out, and other applications, may ask for them, too. */
import { flat } from '../../evaluate/values/text.ts';
import type { Finding } from '../../model.ts';
import type { RequestSite } from '../request-sites.ts';

/** @returns one finding for each location */
export function pathsInFront(sites: readonly RequestSite[], groupOf: (site: RequestSite) => string | undefined): Finding[] {
  const found = sites.flatMap((site): Finding[] => {
    const group = groupOf(site);
    const [path = [], server] = [site.request.through?.[0]?.mount?.path, site.request.through?.[0]?.mount?.server];
    const [first] = path;
    if (group === undefined || server === undefined || first === undefined || !('text' in first) || first.source === undefined) return [];
    const { module, start } = first.source;
    const end = start + first.text.length;
    if (!site.changes.some((change) => change.module === module && start <= change.start && change.end <= end)) return [];
    return [
      { code: 'env-elsewhere', file: module.file, start, end, ...module.position(start), detail: { how: 'path', path: flat(path) }, group },
    ];
  });
  return [...new Map(found.map((each) => [`${each.file} ${each.start}`, each])).values()];
}
