/** Requests that are given the parts of a URL whose beginning is not known: `{ hostname: url.hostname, path: url.pathname + url.search }`. */
import { isLeftToDefault } from './or-default.ts';
import { isSame } from '../values/same.ts';
import { concatenated, flat, joinUrl, sliceParts } from '../values/text.ts';
import { after, choiceOf, optionsOf, type Part, partsOf, type Value } from '../values/values.ts';

const hosts = new Set(['hostname', 'host', 'origin']);
const paths = new Set(['pathname', 'path']);

/**
 * The URLs that hosts and paths are of, each host with the paths of its own URL.
 * @param host a host, or a whole origin
 * @param whole what host and path make where they are of no such URL
 */
export function putTogether(host: Value, path: Value, whole: (host: Value, path: Value) => Value): Value {
  const [from, to] = [optionsOf(host), optionsOf(path)];
  const urls = from.map((each) => urlOfPart(each, hosts));
  if (urls.every((url) => url === undefined)) return whole(host, path);
  const isTaken = (part: Part): boolean => urls.some((url) => url !== undefined && isPartOf(part, url, behindHost));
  const others = to.filter((each) => !partsOf(each).some(isTaken));
  return choiceOf(
    from.flatMap((each, index) => {
      const url = urls[index];
      const own = url === undefined ? [] : ownPaths(url, to).flatMap((other) => wholeUrl(url, other) ?? []);
      if (own.length > 0) return own.map((value) => after(value, each.provenance));
      // An origin is put before a path as a whole address is.
      const onHost = isOrigin(each) ? whole : (of: Value, behind: Value): Value => concatenated([of, behind]);
      return (others.length === 0 ? to : others).map((other) =>
        url !== undefined && isOnHost(url, other) ? onHost(url, other) : whole(each, other),
      );
    }),
  );
}

/**
 * What `new URL(path, base)` makes where the path begins with that of the base itself, each with its own: `new URL(`${base.pathname}/contacts`, base)`.
 * @returns undefined where it does not of all
 */
export function belowOwnPath(base: Value, path: Value): Value | undefined {
  const [from, to] = [optionsOf(base), optionsOf(path)];
  const own = from.map((url) => to.filter((each) => beginsWithPathOf(each, url)));
  // Of two variables either may be set without the other.
  if (own.some(({ length }) => length === 0) || !to.every((each) => own.some((paths) => paths.includes(each)))) return undefined;
  return choiceOf(
    from.flatMap((url, index) => (own[index] ?? []).flatMap((each) => wholeUrl(url, each) ?? joinUrl(url, each, 'resolve') ?? [])),
  );
}

/** Whether a path begins with a URL's own, or with a piece of the same literal. */
function beginsWithPathOf(path: Value, url: Value): boolean {
  const [first] = partsOf(path);
  if (first === undefined || !('text' in first)) return first !== undefined && isPartOf(first, url, paths);
  return first.source !== undefined && partsOf(url).some((part) => 'text' in part && part.source?.node === first.source?.node);
}

/** The URL that a value is one of these parts of. */
function urlOfPart(value: Value, names: ReadonlySet<string>): Value | undefined {
  if (value.type !== 'method' || !names.has(value.path.at(-1) ?? '')) return undefined;
  const { receiver, path } = value;
  if (path.length === 1) return receiver.type === 'text' || receiver.type === 'env' ? receiver : undefined;
  // `new URL(options.url ?? 'https://…').origin`, where nobody is seen to give options.
  return isLeftToDefault(value) ? { ...value, path: path.slice(0, -1) } : undefined;
}

/** The URL as far as its path goes, and what is put behind that: its query, or another. */
function wholeUrl(url: Value, path: Value): Value | undefined {
  const [first, ...rest] = partsOf(path);
  if (first === undefined || !isPartOf(first, url, paths)) return undefined;
  const all = partsOf(url);
  const text = flat(all);
  const end = text.search(/[?#]|$/);
  const behind = rest.flatMap((part) => (isPartOf(part, url, search) ? sliceParts(all, end, text.length) : [part]));
  return { type: 'text', parts: [...sliceParts(all, 0, end), ...behind], provenance: path.provenance };
}

const search = new Set(['search']);
const behindHost = new Set([...paths, ...search]);

/** Of the paths those with the query of the same URL, if any has that: what another URL asks for goes with that. */
function ownPaths(url: Value, all: readonly Value[]): readonly Value[] {
  const withSearch = all.filter((path) => partsOf(path).some((part) => isPartOf(part, url, search)));
  return withSearch.length === 0 ? all : withSearch;
}

function isPartOf(part: Part, url: Value, names: ReadonlySet<string>): boolean {
  const of = 'unknownPart' in part ? urlOfPart(part.unknownPart, names) : undefined;
  return of !== undefined && isSame(of, url);
}

/** Whether it is another path on the host of a variable; one without a version is no path below what the variable holds. */
function isOnHost(url: Value, path: Value): boolean {
  const [only, ...rest] = partsOf(url);
  const [first] = partsOf(path);
  const isOfVariable = rest.length === 0 && only !== undefined && 'unknownPart' in only && only.unknownPart.type === 'env';
  return isOfVariable && first !== undefined && 'text' in first && /^\/v\d+(?:\/|$)/.test(first.text);
}

const isOrigin = (value: Value): boolean => value.type === 'method' && value.path.at(-1) === 'origin';

/** Whether something is a part of a URL that is not known: what a request is given beside its host says the same. */
export const isOfUrl = (value: Value, name: string): boolean => urlOfPart(value, new Set([name])) !== undefined;

/** The URL of which it is the path: `new URL(process.env.API_URL).pathname`. */
export const urlOfPath = (value: Value): Value | undefined => urlOfPart(value, paths);
