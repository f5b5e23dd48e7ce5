/** Requests to the program's own server that proxies pass on: they go where these lead. */
import { type Request, wayOf } from '../../requests/requests.ts';
import { isOfDevelopment } from '../../find/packages/production-files.ts';
import { once } from '../../once.ts';
import { flat, sliceParts, unknownPart } from '../../evaluate/values/text.ts';
import type { Part } from '../../evaluate/values/values.ts';
import { envOf, holdsOurs } from './environment.ts';
import { isLocal } from './hosts.ts';
import type { Bases } from './routes.ts';
import { prefixVerdict } from '../verdicts.ts';
import { type Range } from '../verdict.ts';

type Mount = Request & { readonly mount: NonNullable<Request['mount']>; readonly url: NonNullable<Request['url']> };

export const isMount = (request: Request): request is Mount => request.mount !== undefined && request.url !== undefined;

/**
 * @param all the requests of a component, proxies among them
 * @returns the request as it arrives: by the proxies with the longest path, once for each server that it may come by – the program's own, with that of
 * development, and those in front. As it is where none passes it on, where two of one server lead to different places, or where it names a host itself
 */
export function arrivalsBy(all: readonly Request[], bases: Bases): (request: Request) => readonly Request[] {
  const leadsHome = ({ url }: Mount): boolean => {
    const verdict = prefixVerdict(url, bases);
    return verdict.kind === 'foreign' && isLocal(verdict.host);
  };
  // What a server in front passes on to the program's own comes to that.
  const mounts = all.filter(isMount).filter((each) => each.mount.server === undefined || !leadsHome(each));
  const servers = [...Map.groupBy(mounts, ({ mount }) => mount.server).values()].map(longestFor);
  const pathsOf = ({ url }: Request): ReadonlySet<string> => bases.setToPaths?.get(envOf(url?.[0])?.name ?? '') ?? new Set();
  const setTo = [...new Set(all.flatMap((each) => [...pathsOf(each)]))];
  const isOfDevelopment = developmentOf(all, bases);
  const named = new Set(mounts.filter((each) => isNamedByOthers(each, mounts, setTo) || (leavesVersion(each) && isOfDevelopment(each))));
  const arrivals = (request: Request): readonly Request[] => {
    const text = flat(request.url ?? []);
    if (servers.length === 0 || request.isPrefix || !/^\/(?!\/)/.test(text)) return [request];
    const found = servers.map((longest) => longest(text)).filter((each) => each.length > 0);
    const away = found.filter((each) => !each.every(leadsHome));
    const passing = away.length > 0 ? away : found;
    return passing.length === 0 ? [request] : together(passing).map((each) => passedOn(request, each, named));
  };
  return (request) => {
    const byPath = onOwnServer(request, pathsOf(request)).flatMap(arrivals);
    // A path that nobody is seen to pass on, as production's may be, leads who knows where.
    if (byPath.length === 0 || byPath.some(({ through }) => through === undefined)) return arrivals(request);
    const passed = byPath.map((each) => (isVersionSet(each, bases) ? { ...each, url: request.url } : each));
    // Where files set it to our address, too, it goes both ways.
    const variable = envOf(request.url?.[0]);
    return variable !== undefined && holdsOurs(variable, bases) ? [request, ...passed] : passed;
  };
}

/** The request by each path of the own server that files set the variable to with which its address begins. */
const onOwnServer = (request: Request, paths: ReadonlySet<string>): readonly Request[] =>
  [...paths].map((text) => ({ ...request, url: [{ text: text.replace(/\/$/, '') }, ...(request.url ?? []).slice(1)] }));

/** Servers that pass a request on as it is, to the same place, are one way: there may be hundreds. */
function together(servers: readonly (readonly Mount[])[]): readonly (readonly Mount[])[] {
  const wayOf = (mounts: readonly Mount[]): unknown => {
    const [first] = mounts;
    const isPlain = mounts.every(
      (each) => each.headers.length + each.unknownHeaders.length === 0 && !hasVersion([...each.mount.path, ...each.url]),
    );
    return first !== undefined && isPlain ? `${flat(first.mount.path)} ${first.mount.isCut} ${flat(first.url)}` : mounts;
  };
  return [...Map.groupBy(servers, wayOf).values()].map((same) => same.flat());
}

/** Finds the proxies of one server that a path comes to. */
function longestFor(mounts: readonly Mount[]): (text: string) => readonly Mount[] {
  const byPath = Map.groupBy(mounts, ({ mount }) => flat(mount.path));
  // Where two lead to different places, it is unknown where the request goes.
  for (const [path, own] of byPath)
    if (new Set(own.map(({ url: to, mount }) => `${flat(to)} ${mount.isCut}`)).size > 1) byPath.set(path, []);
  return (text) => {
    for (const path of pathsAbove(text)) {
      const found = byPath.get(path);
      if (found !== undefined) return found;
    }
    return [];
  };
}

/** Every path that a path may be below of, the longest first: `/a/b`, `/a/`, `/a` and `/` of `/a/b`. What is not known mostly begins with a slash. */
function* pathsAbove(text: string): Generator<string> {
  for (let end = text.length; end > 0; end--)
    if (end === text.length || text[end - 1] === '/' || ends.test(text[end] ?? '')) yield text.slice(0, end);
}

const ends = new RegExp(`[/?#${unknownPart}]`);

/** What a request that proxies pass on has on the own server before its version, where that is its own: `/api` of `/api/v1/contacts`. */
export function beforeVersionOf({ asked, through: [first] = [] }: Request): string | undefined {
  if (asked === undefined || first?.mount === undefined || (first.mount.isCut && hasVersion(first.mount.path))) return undefined;
  return beforeVersion(flat(asked));
}

/** … and where a proxy has the version in a path of its own, which moves with it. */
export function ownPathOf(request: Request): string | undefined {
  const { asked, through: [first] = [] } = request;
  const isMoving = asked !== undefined && first !== undefined && isMount(first) && leavesVersion(first);
  return isMoving ? beforeVersion(flat(asked)) : beforeVersionOf(request);
}

export const beforeVersion = (path: string): string | undefined => /^(.*?)\/v1(?![\w-])/s.exec(path)?.[1];

const hasVersion = (path: readonly Part[]): boolean => /\/v1(?:\/|$)/.test(flat(path));

/** Whether it is a proxy of a server in front, which others than the program may ask. */
export const isInFront = ({ mount }: Request): boolean => mount?.server !== undefined;

/** Whether a server would have another path then: who asks for that has to be seen. */
export const movesOwnPath = (request: Request): boolean =>
  isMount(request) && (isInFront(request) ? !request.mount.isCut && hasVersion(request.mount.path) : leavesVersion(request));

/** The end of a path from its version on. */
const fromVersion = /(?<=\/)v1(?:\/.*)?$/s;

/**
 * Whether its path ends as what it leads to does, from the version on, `/api/v1/` for `https://api.example.com/v1/`, and another server passes on what is
 * before that, or a variable with which a request begins is set to it: there the version is the request's own. It then is so here, and moves in all three
 * places.
 */
function isNamedByOthers({ mount, url }: Mount, mounts: readonly Mount[], setTo: readonly string[]): boolean {
  const path = flat(mount.path);
  const [end] = fromVersion.exec(path) ?? [];
  if (!mount.isCut || end === undefined || fromVersion.exec(flat(url))?.[0] !== end) return false;
  const isBelow = (other: string): boolean => {
    const above = other.replace(/\/?$/, '/');
    return path.startsWith(above) && path !== above;
  };
  return setTo.some(isBelow) || mounts.some((other) => other.mount.server !== mount.server && isBelow(flat(other.mount.path)));
}

/** Whether a rewrite of the program's own server leaves the version of its path: `'/api/v1': { target, pathRewrite: { '^/api': '' } }`. */
function leavesVersion({ mount, url }: Mount): boolean {
  if (!mount.isCut || mount.server !== undefined) return false;
  const [length = 0] = (fromVersion.exec(flat(mount.path)) ?? []).map((end) => end.length);
  return (
    length > 0 &&
    areSame(sliceParts(mount.path, flat(mount.path).length - length, Infinity), sliceParts(url, flat(url).length - length, Infinity))
  );
}

/**
 * Tells whether all that comes by a proxy is of a build for development alone, beside one that asks our address itself. Any other path may be passed on in
 * production, too, by what nobody sees here, and that would go on with the version of before.
 */
function developmentOf(all: readonly Request[], bases: Bases): (proxy: Mount) => boolean {
  const isOurs = ({ url }: Request): boolean => url !== undefined && prefixVerdict(url, bases).kind === 'ours';
  const ours = once(() => new Set(all.filter(isOurs).map(wayOf)));
  return ({ mount }) => {
    const path = flat(mount.path);
    const asking = all.filter((request) => !isMount(request) && !request.isMock && flat(request.url ?? []).startsWith(path));
    const isOfBuild = ({ url = [] }: Request): boolean => {
      const [part] = sliceParts(url, path.search(fromVersion), path.length);
      return part !== undefined && 'text' in part && part.source !== undefined && isOfDevelopment(part.source.module.file);
    };
    return asking.length > 0 && asking.every((request) => isOfBuild(request) && ours().has(wayOf(request)));
  };
}

/** The proxies of development whose own path says the version of a request that they pass on: with it they would move, and who asks there would not. */
export const movedAlone = ({ url = [], asked = [], through = [] }: Request, { start, end }: Range): readonly Request[] =>
  through.filter((each) => {
    if (!isMount(each) || !leavesVersion(each)) return false;
    const at = flat(each.mount.path).search(fromVersion);
    const [own] = sliceParts(asked, at, at + 1);
    // What a file sets a variable to moves with the variable.
    const isSet = own !== undefined && 'text' in own && own.source === undefined;
    return (
      !isSet &&
      !areSame(
        [own].flatMap((part) => part ?? []),
        sliceParts(url, start, end),
      )
    );
  });

/** Whether two are one text, of one place in a file. */
const areSame = ([one]: readonly Part[], [other]: readonly Part[]): boolean =>
  one !== undefined &&
  other !== undefined &&
  'text' in one &&
  'text' in other &&
  one.source !== undefined &&
  one.source.node === other.source?.node &&
  one.source.start === other.source.start;

/** Whether its version is of the path that a file sets its variable to: it moves with the variable there. */
function isVersionSet({ url = [] }: Request, bases: Bases): boolean {
  const verdict = prefixVerdict(url, bases);
  if (verdict.kind !== 'ours' || verdict.version === undefined) return false;
  return sliceParts(url, verdict.version.start, verdict.version.end).every((part) => 'text' in part && part.source === undefined);
}

/** The request as it arrives, with what the proxies add to it. */
function passedOn(request: Request, mounts: readonly Mount[], named: ReadonlySet<Mount>): Request {
  const [first] = mounts;
  if (first === undefined || request.url === undefined) return request;
  const { path, isCut } = first.mount;
  const own = named.has(first) ? (fromVersion.exec(flat(path))?.[0].length ?? 0) : 0;
  const [whole, length] = [flat(first.url).length, flat(path).length];
  const to = sliceParts(first.url, 0, whole - (isCut ? own : length));
  return {
    ...request,
    url: [...to, ...sliceParts(request.url, isCut ? length - own : 0, Infinity)],
    headers: [...mounts.flatMap(({ headers }) => headers), ...request.headers],
    unknownHeaders: [...mounts.flatMap(({ unknownHeaders }) => unknownHeaders), ...request.unknownHeaders],
    prefixes: [
      ...request.prefixes,
      ...mounts.flatMap(({ url, prefixes }) => [url, ...prefixes]),
      ...(own === 0 ? [] : [[...to, ...sliceParts(path, length - own, length)]]),
    ],
    through: mounts,
    asked: request.url,
  };
}
