/** Where it is said that a request goes to somebody else's host: nobody finds that by the request alone. */
import { positionsOf } from '../syntax/position.ts';
import type { RequestSite } from '../verdict/request-sites.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { placesInTests } from '../verdict/bases/stand-ins.ts';

type Detail = Readonly<Record<string, string>>;

/** Of a path beside ours at our own host, the host alone says nothing. */
export const saidOfHost = (site: RequestSite, { host, beside = '' }: Extract<Verdict, { kind: 'foreign' }>): Detail => ({
  host: host + beside,
  ...standingAt(site, beside !== ''),
  ...ownRouteOf(site),
});

/** The line of its address, or of the path behind it, if that is in another file than the call: files of settings or of a build may put it in the place of ours. */
function standingAt({ request: { url = [], module } }: RequestSite, isBehind: boolean): Detail {
  const [first, second] = url.filter((part) => 'text' in part);
  const source = ((isBehind ? second : undefined) ?? first)?.source;
  if (source === undefined || source.module === module) return {};
  return { at: `${source.module.file}:${positionsOf(source.module.text)(source.start).line}` };
}

/** Where a test asks what the program itself serves, and where that is. */
function ownRouteOf({ verdict, request }: RequestSite): Detail {
  if (verdict.kind !== 'foreign' || verdict.ownRoute === undefined) return {};
  const [{ node, module } = { node: request.call, module: request.module }] = placesInTests(request);
  return { own: verdict.ownRoute, by: `${module.file}:${module.position(node.start).line}` };
}
