/** Requests to the program's own server that a proxy passes on: they go where the proxy leads. */
import type { Request } from '../requests/requests.ts';
import { flat, sliceParts } from '../evaluate/text.ts';

export type Mount = Request & { readonly mount: NonNullable<Request['mount']>; readonly url: NonNullable<Request['url']> };

export const isMount = (request: Request): request is Mount => request.mount !== undefined && request.url !== undefined;

/**
 * @param mounts all of a component
 * @returns for a request the proxies that pass it on, by the longest path; none where two of these lead to different places, or where
 * the request names a host itself
 */
export function mountsBy(mounts: readonly Mount[]): (request: Request) => readonly Mount[] {
  const byPath = Map.groupBy(mounts, ({ mount }) => flat(mount.path));
  // Where two lead to different places, it is unknown where the request goes.
  for (const [path, own] of byPath)
    if (new Set(own.map(({ url: to, mount }) => `${flat(to)} ${mount.isCut}`)).size > 1) byPath.set(path, []);
  return ({ url, isPrefix }) => {
    const text = flat(url ?? []);
    if (byPath.size === 0 || isPrefix || !/^\/(?!\/)/.test(text)) return [];
    for (const path of pathsAbove(text)) {
      const found = byPath.get(path);
      if (found !== undefined) return found;
    }
    return [];
  };
}

/** Every path that a path may be below of, the longest first: `/a/b`, `/a/`, `/a` and `/` of `/a/b`. */
function* pathsAbove(text: string): Generator<string> {
  for (let end = text.length; end > 0; end--)
    if (end === text.length || text[end - 1] === '/' || /[/?#]/.test(text[end] ?? '')) yield text.slice(0, end);
}

/** What a request that proxies pass on has on the own server before its version, where that is its own: `/api` of `/api/v1/contacts`. */
export function beforeVersionOf({ asked, through: [first] = [] }: Request): string | undefined {
  if (asked === undefined || first?.mount === undefined || (first.mount.isCut && /\/v1(?:\/|$)/.test(flat(first.mount.path))))
    return undefined;
  return beforeVersion(flat(asked));
}

export const beforeVersion = (path: string): string | undefined => /^(.*?)\/v1(?![\w-])/s.exec(path)?.[1];

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
    through: mounts,
    asked: request.url,
  };
}
