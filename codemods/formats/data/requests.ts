/** Maps that describe a request: a URL with headers or a method beside it, as n8n, Insomnia and configuration of clients have them. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { Entry } from '../../evaluate/values/values.ts';
import type { Stretch, WrittenRequest } from '../reading.ts';
import { placesOf, slice, unplaced } from '../text.ts';
import { type Header, headerEntry, isAuthorizationField, isKeyField, nodeAt, writtenRequest } from '../written.ts';
import { proseKeys, scriptKeys, serverKeys } from './key-meanings.ts';
import type { Around } from './read.ts';
import { type Data, type DataMap, type Scalar, childrenOf, entryOf, offsetBy, textOf } from './tree.ts';

const exactly = /^(?:url|uri|endpoint|href|target|base_?-?ur[li]|prefix_?-?url)$/i;
const likely = /ur[li]|endpoint|href|host|base|target|address|origin|upstream|server|api/i;
const others =
  /docs?\b|docu|schema|home|site|callback|webhook|redirect|avatar|image|icon|logo|licen|repo|referr?er|proxy|key|token|secret|auth|password/i;
const urlLike = /^=?(?:[a-z][a-z0-9+.-]*:\/\/|\$|\{\{|\{\{)/i;
const methods = /^(?:request_?)?method$|^verb$/i;
const tokenKinds = /^(?:bearer|basic|digest|oauth\d?|ntlm|hawk|aws\w*|iam|netrc|asap)$/i;

export interface Described {
  readonly request: WrittenRequest;
  readonly url: Scalar;
}

/** The URLs that a map has beside its other entries; `{ from, to }` of a platform that passes requests on, too. */
function urlsOf(map: DataMap): Scalar[] {
  const isRule = entryOf(map, /^(?:from|source)$/) !== undefined;
  const isUrl = (key: string): boolean => (likely.test(key) && !others.test(key)) || (isRule && /^(?:to|destination)$/.test(key));
  const urls = map.entries.flatMap(({ key, value }) =>
    value.kind === 'scalar' && urlLike.test(value.value) && isUrl(key.value) ? [{ key: key.value, value }] : [],
  );
  const exact = urls.filter(({ key }) => exactly.test(key));
  return (exact.length > 0 ? exact : urls).map(({ value }) => value);
}

/** Reads a map as requests; without URL, or with neither headers nor a method, it is none. */
export function describe(map: DataMap, client: string, { stretch, scope }: Around, isLeft: boolean): Described[] {
  const urls = urlsOf(map);
  if (urls.length === 0) return [];
  const { headers, credentials, mentions } = belongings(map);
  const method = textOf(map, methods)?.value;
  const keys = headers.filter(({ name }) => isKeyField(name.value));
  // n8n keeps the key in its credential store.
  const kept = textOf(map, /^authentication$/i)?.value ?? 'none';
  if (keys.length === 0 && method === undefined && mentions.length === 0 && kept === 'none') return [];
  const mentioned = mentions.flatMap(({ text }) => (text === undefined ? [] : placesOf(text))).map((each) => offsetBy(each, stretch));
  return urls.flatMap((scalar): Described[] => {
    if (scalar.text === undefined) return [];
    // n8n marks an expression by `=` before it.
    const url = scalar.text.value.startsWith('=') ? slice(scalar.text, 1) : scalar.text;
    const place = { start: url.at[0] ?? map.start, end: (url.at.at(-1) ?? map.end) + 1 };
    const request = writtenRequest({ ...place, client, url, method, headers, hasCredentials: credentials }, stretch, scope, {
      isKeyless: kept === 'none',
      mentions: mentioned,
      isLeft,
    });
    return [{ request, url: scalar }];
  });
}

const mention = new RegExp(v1Auth.field, 'i');
/** Whether a text under these keys is read by people, run by a shell, or says what a server lets through. */
const isSpoken = (path: string): boolean => {
  const keys = path.split('/');
  const last = keys.at(-1) ?? '';
  return proseKeys.test(last) || scriptKeys.test(last) || keys.some((key) => serverKeys.test(key));
};

/** The keys that stand in maps of headers, but with no URL. */
export function looseKeysIn(root: Data, stretch: Stretch): Entry[] {
  const owners = root.kind === 'map' ? [root] : childrenOf(root).filter((child) => child.kind === 'map');
  const keys = owners
    .filter((owner) => urlsOf(owner).length === 0)
    .flatMap((owner) => belongings(owner).headers.filter(({ name }) => isKeyField(name.value)));
  return keys.flatMap((header) => {
    const [place] = placesOf(header.name);
    return place === undefined ? [] : headerEntry(header, nodeAt(stretch, place), stretch, false);
  });
}

interface Belongings {
  readonly headers: readonly Header[];
  readonly credentials: boolean;
  /** Values that are the name of the header. */
  readonly mentions: readonly Scalar[];
}

/** The headers that belong to a map's URL: in it and below, but not in maps that have a URL of their own. */
function belongings(owner: DataMap): Belongings {
  const headers: Header[] = [];
  const mentions: Scalar[] = [];
  let credentials = false;
  const visit = (data: Data, path: string): void => {
    if (data !== owner && data.kind === 'map' && urlsOf(data).length > 0) return;
    if (data.kind === 'scalar') {
      const written = /header/i.test(path) ? headersInText(data) : [];
      if (written.length > 0) headers.push(...written);
      else if (mention.test(data.value) && !isSpoken(path)) mentions.push(data);
      return;
    }
    if (data.kind !== 'map') return childrenOf(data).forEach((child) => visit(child, path));
    const pair = /header|auth|param/i.test(path) ? pairOf(data) : undefined;
    if (pair !== undefined) return void headers.push(pair);
    if (/^\/auth/i.test(path) && tokenKinds.test(textOf(data, /^type$/i)?.value ?? '')) credentials = true;
    for (const { key, value } of data.entries) {
      // A probe of a container asks that container.
      if (key.value === 'httpGet' && value.kind === 'map' && entryOf(value, /^host$/) === undefined) continue;
      if (isKeyField(key.value) && isDemanded(value)) continue;
      const field = /header/i.test(path) && (isKeyField(key.value) || isAuthorizationField(key.value));
      if (field) headers.push({ name: key.text ?? unplaced(key.value), value: value.kind === 'scalar' ? value.text : undefined });
      else {
        if (isKeyField(key.value)) mentions.push(key);
        visit(value, `${path}/${key.value}`);
      }
    }
  };
  visit(owner, '');
  return { headers, credentials, mentions };
}

/** What a gateway has its callers send: whether they have to stands in the place of a value. */
const isDemanded = (value: Data): boolean =>
  value.kind === 'map' ? entryOf(value, /^required$/i) !== undefined : value.kind === 'scalar' && /^(?:true|false)$/.test(value.value);

/** `{ name: 'x-api-key', value: … }` */
function pairOf(map: DataMap): Header | undefined {
  const name = textOf(map, /^(?:name|key)$/i);
  if (name === undefined || !(isKeyField(name.value) || isAuthorizationField(name.value))) return undefined;
  const inside = textOf(map, /^(?:in|addTo)$/)?.value ?? 'header';
  if (!/^header$/i.test(inside) || entryOf(map, /^value$/i) === undefined) return undefined;
  return { name: name.text ?? unplaced(name.value), value: textOf(map, /^value$/i)?.text };
}

/** `x-api-key: …` in a line of its own, and `{"x-api-key": "…"}`: headers that are given as a text. */
function headersInText({ text, value }: Scalar): Header[] {
  if (text === undefined) return [];
  const written = /^\s*\{/.test(value)
    ? /"(?<name>[\w-]+)"\s*:\s*"(?<value>[^"\\]*)"/g
    : /^[ \t]*(?<name>[\w-]+)[ \t]*:[ \t]*(?<value>.*)/gm;
  return Array.from(value.matchAll(written), ({ index, 0: all, groups = {} }) => {
    const [name, held] = [groups['name'] ?? '', groups['value'] ?? ''];
    const [from, at] = [index + all.indexOf(name), index + all.lastIndexOf(held)];
    return { name: slice(text, from, from + name.length), value: slice(text, at, at + held.length) };
  }).filter(({ name }) => isKeyField(name.value) || isAuthorizationField(name.value));
}

/** What an own gateway hands to a function, as it was recorded for its tests: it is asked, and asks nobody. */
export function isGatewayEvent(root: Data, file: string): boolean {
  if (root.kind !== 'map' || entryOf(root, /^(?:url|host|base_?url)$/i) !== undefined) return false;
  const has = (...names: RegExp[]): boolean => names.every((name) => entryOf(root, name) !== undefined);
  if (has(/^requestContext$/)) return has(/^(?:path|rawPath)$/, /^headers$/);
  return has(/^httpMethod$/, /^path$/, /^headers$/) && /(?:^|\/)(?:[\w-]*[-_])?events?\//i.test(file);
}
