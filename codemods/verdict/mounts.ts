/** Requests to the program's own server that a proxy passes on: they go where the proxy leads. */
import type { Request } from '../requests/requests.ts';
import { flat, sliceParts } from '../evaluate/text.ts';

export type Mount = Request & { readonly mount: NonNullable<Request['mount']>; readonly url: NonNullable<Request['url']> };

export const isMount = (request: Request): request is Mount => request.mount !== undefined && request.url !== undefined;

/**
 * The proxies that pass a request on, by the longest path; none where two of these lead to different places, or where the
 * request names a host itself.
 */
export function mountsFor({ url, isPrefix }: Request, mounts: readonly Mount[]): readonly Mount[] {
  const text = flat(url ?? []);
  if (isPrefix || !/^\/(?!\/)/.test(text)) return [];
  const fitting = mounts.filter(({ mount }) => isBelow(text, flat(mount.path)));
  const longest = Math.max(...fitting.map(({ mount }) => flat(mount.path).length));
  const found = fitting.filter(({ mount }) => flat(mount.path).length === longest);
  return new Set(found.map(({ url: to, mount }) => `${flat(to)} ${mount.isCut}`)).size > 1 ? [] : found;
}

const isBelow = (text: string, path: string): boolean =>
  path.startsWith('/') && text.startsWith(path) && (path.endsWith('/') || /^(?:[/?#]|$)/.test(text.slice(path.length)));

/** The request as it arrives, with what the proxies add to it. */
export function passedOn(request: Request, mounts: readonly Mount[]): Request {
  const [first] = mounts;
  if (first === undefined || request.url === undefined) return request;
  const { path, isCut } = first.mount;
  const [whole, length] = [flat(first.url).length, flat(path).length];
  const to = isCut ? first.url : sliceParts(first.url, 0, whole - length);
  return {
    ...request,
    url: [...to, ...sliceParts(request.url, isCut ? length : 0, Infinity)],
    headers: [...mounts.flatMap(({ headers }) => headers), ...request.headers],
    unknownHeaders: [...mounts.flatMap(({ unknownHeaders }) => unknownHeaders), ...request.unknownHeaders],
    prefixes: [...request.prefixes, ...mounts.map(({ url }) => url)],
  };
}
