/** Where it is said that a request goes to somebody else's host: nobody finds that by the request alone. */
import { positionsOf } from '../syntax/position.ts';
import type { RequestSite } from '../verdict/request-sites.ts';
import { placesInTests } from '../verdict/stand-ins.ts';

type Detail = Readonly<Record<string, string>>;

const isSettings = /\.(?:jsonc?|ya?ml|toml)$/;

export const saidOfHost = (site: RequestSite): Detail => ({ ...settingOf(site), ...ownRouteOf(site) });

/** The file of settings that names it: there may be one for each environment. */
function settingOf({ request: { url } }: RequestSite): Detail {
  const [first] = url ?? [];
  const source = first !== undefined && 'text' in first ? first.source : undefined;
  if (source === undefined || !isSettings.test(source.module.file)) return {};
  return { by: `${source.module.file}:${positionsOf(source.module.text)(source.start).line}` };
}

/** Where a test asks what the program itself serves, and where that is. */
function ownRouteOf({ verdict, request }: RequestSite): Detail {
  if (verdict.kind !== 'foreign' || verdict.ownRoute === undefined) return {};
  const [{ node, module } = { node: request.call, module: request.module }] = placesInTests(request);
  return { own: verdict.ownRoute, by: `${module.file}:${module.position(node.start).line}` };
}
