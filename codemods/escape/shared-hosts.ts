/** Where it is said that a request goes to somebody else's host: nobody finds that by the request alone. */
import { positionsOf } from '../syntax/position.ts';
import type { RequestSite } from '../verdict/request-sites.ts';
import { placesInTests } from '../verdict/stand-ins.ts';

type Detail = Readonly<Record<string, string>>;

export const saidOfHost = (site: RequestSite): Detail => ({ ...standingAt(site), ...ownRouteOf(site) });

/** The line of its address, if that is in another file than the call: files of settings or of a build may put it in the place of ours. */
function standingAt({ request: { url: [first] = [], module } }: RequestSite): Detail {
  const source = first !== undefined && 'text' in first ? first.source : undefined;
  if (source === undefined || source.module === module) return {};
  return { at: `${source.module.file}:${positionsOf(source.module.text)(source.start).line}` };
}

/** Where a test asks what the program itself serves, and where that is. */
function ownRouteOf({ verdict, request }: RequestSite): Detail {
  if (verdict.kind !== 'foreign' || verdict.ownRoute === undefined) return {};
  const [{ node, module } = { node: request.call, module: request.module }] = placesInTests(request);
  return { own: verdict.ownRoute, by: `${module.file}:${module.position(node.start).line}` };
}
