/** Calls whose base is not known, and that are no question all the same. */
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { envOf } from '../../verdict/bases/environment.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { mayBeRoute } from '../../verdict/bases/routes.ts';

/** Whether a path of v1's is asked of v2, or of the own application. */
export const isSettled = (site: RequestSite): boolean => isMoved(site) || isOwnByDefault(site);

/** Whether a call sends what v1 does not take, and not what it does, to an address that does not name v1. */
const isMoved = ({ request: { url = [] }, keys, authorizations }: RequestSite): boolean =>
  keys.length === 0 && authorizations.length > 0 && !/\/v1(?:\/|$)/.test(flat(url));

/** Whether it goes, without a key, by a variable that holds a path of the own application where nobody sets it, and nothing names v1. */
function isOwnByDefault({ request: { url = [] }, keys }: RequestSite): boolean {
  const otherwise = flat(envOf(url[0])?.otherwise?.parts ?? []);
  return keys.length === 0 && /^\/(?!\/)/.test(otherwise) && !/\/v1(?:\/|$)/.test(otherwise + flat(url));
}

/** Whether its path is known from the version on, and none that v1 has: whatever the base is, nothing succeeds it. Or it has a header of another service. */
export function isOfOther({ request: { url = [], method, headers } }: RequestSite): boolean {
  if (headers.some(({ name }) => name !== undefined && ofOthers.test(name))) return true;
  const [, path] = /^(?:https?:\/\/)?[^/?#]*\0(?:[^/?#]*\/+)?(v1\/[^?#]*)/i.exec(flat(url)) ?? [];
  // Slashes and letters that v1 has not may be somebody's mistake.
  const meant = path?.replaceAll(/\/+/g, '/').replace(/\/$/, '').toLowerCase();
  return meant !== undefined && !mayBeRoute(`/${meant}`, method, new RegExp(unknownPart));
}

/** What Anthropic, AWS, Google and Microsoft have a client say of their own protocols. */
const ofOthers = /^(?:anthropic-(?:version|beta)|x-(?:amz|amzn|goog|ms)-.+)$/i;
