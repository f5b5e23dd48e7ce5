/** Maps that describe a request: a URL with headers or a method beside it, as n8n, Insomnia and configuration of clients have them. */
import { v1Auth } from '../../../src/contract/auth.ts';
import { type Draft, type Header, isAuthorization, isKeyField } from '../candidate-edit.ts';
import { draftRequest } from '../request.ts';
import { type Text, placesOf, slice } from '../text.ts';
import type { World } from '../ownership.ts';
import { proseKeys, scriptKeys, serverKeys } from './keys.ts';
import { type Data, type DataMap, type Scalar, childrenOf, entryOf, mapOf, textOf } from './tree.ts';

const exactly = /^(?:url|uri|endpoint|href|target|base_?-?ur[li]|prefix_?-?url)$/i;
const likely = /ur[li]|endpoint|href|host|base|target|address|origin|upstream|server|api/i;
const others =
  /docs?\b|docu|schema|home|site|callback|webhook|redirect|avatar|image|icon|logo|licen|repo|referr?er|proxy|key|token|secret|auth|password/i;
const urlLike = /^=?(?:[a-z][a-z0-9+.-]*:\/\/|\$|\{\{|\{\{)/i;
const methods = /^(?:request_?)?method$|^verb$/i;
const tokenKinds = /^(?:bearer|basic|digest|oauth\d?|ntlm|hawk|aws\w*|iam|netrc|asap)$/i;

export interface Described {
  readonly drafts: readonly Draft[];
  /** Values that need no other look. */
  readonly consumed: ReadonlySet<Scalar>;
}

/** The URLs that a map has beside its other entries. */
function urlsOf(map: DataMap): Scalar[] {
  const urls = map.entries.flatMap(({ key, value }) =>
    value.kind === 'scalar' && urlLike.test(value.value) && likely.test(key.value) && !others.test(key.value)
      ? [{ key: key.value, value }]
      : [],
  );
  const exact = urls.filter(({ key }) => exactly.test(key));
  return (exact.length > 0 ? exact : urls).map(({ value }) => value);
}

/** Reads a map as a request; without URL, or with neither headers nor a method, it is none. */
export function describe(map: DataMap, client: string, world: World): Described | undefined {
  const urls = urlsOf(map);
  if (urls.length === 0) return undefined;
  const { headers, credentials, mentions } = around(map);
  const method = textOf(map, methods)?.value;
  const keys = headers.filter(({ name }) => isKeyField(name.value));
  // n8n keeps the key in its credential store.
  const kept = textOf(map, /^authentication$/i)?.value ?? 'none';
  if (keys.length === 0 && method === undefined && mentions.length === 0 && kept === 'none') return undefined;
  const request = { start: map.start, end: map.end, client, method: method?.toUpperCase(), headers, credentials, keyless: kept === 'none' };
  const drafts = urls.flatMap(({ text }): Draft[] => {
    if (text === undefined) return [];
    // n8n marks an expression by `=` before it.
    const url = text.value.startsWith('=') ? slice(text, 1) : text;
    const draft = draftRequest({ ...request, start: url.at[0] ?? map.start, end: (url.at.at(-1) ?? map.end) + 1, url }, world);
    // The name of the header is kept for code that sends it, which would go on to do so.
    const mentioned = {
      ...draft,
      edits: [],
      literals: [...draft.literals, ...mentions.flatMap(({ text }) => (text === undefined ? [] : placesOf(text)))],
    };
    return [
      mentions.length > 0 && draft.stance === 'ours'
        ? { ...mentioned, problem: draft.problem ?? { code: 'unconsumed', at: draft, detail: {} } }
        : draft,
    ];
  });
  return { drafts, consumed: new Set(drafts.some(({ stance }) => stance === 'ours') ? urls : []) };
}

const mention = new RegExp(v1Auth.field, 'i');
/** Whether a text under these keys is read by people, run by a shell, or says what a server lets through. */
const isSpoken = (path: string): boolean => {
  const keys = path.split('/');
  const last = keys.at(-1) ?? '';
  return proseKeys.test(last) || scriptKeys.test(last) || keys.some((key) => serverKeys.test(key));
};

/**
 * The keys that stand in maps of headers, but with no URL.
 * @param keyless what is moved in the same tree without a key of its own, and may well be sent with these
 */
export function headersWithoutUrl(root: Data, keyless: readonly Draft[]): Draft[] {
  const owners = root.kind === 'map' ? [root] : childrenOf(root).filter((child) => child.kind === 'map');
  const keys = owners
    .filter((owner) => urlsOf(owner).length === 0)
    .flatMap((owner) => around(owner).headers.filter(({ name }) => isKeyField(name.value)));
  return keys.flatMap(({ name }) => {
    const [place] = placesOf(name);
    if (place === undefined) return [];
    const code = keyless.length > 0 ? 'unconsumed' : 'base-not-proven';
    const reads = keyless.flatMap(({ edits }) => edits);
    return [{ ...place, edits: [], reads, literals: [place], stance: 'ours', problem: { code, at: place, detail: {} } }];
  });
}

interface Around {
  readonly headers: readonly Header[];
  readonly credentials: boolean;
  /** Values that are the name of the header. */
  readonly mentions: readonly Scalar[];
}

/** The headers that belong to a map's URL: in it and below, but not in maps that have a URL of their own. */
function around(owner: DataMap): Around {
  const headers: Header[] = [];
  const mentions: Scalar[] = [];
  let credentials = false;
  const visit = (data: Data, path: string): void => {
    if (data !== owner && data.kind === 'map' && urlsOf(data).length > 0) return;
    if (data.kind === 'scalar') {
      const line = /header/i.test(path) ? headerLine(data) : undefined;
      if (line !== undefined) headers.push(line);
      else if (mention.test(data.value) && !isSpoken(path)) mentions.push(data);
      return;
    }
    if (data.kind !== 'map') return childrenOf(data).forEach((child) => visit(child, path));
    const pair = /header|auth|param/i.test(path) ? pairOf(data) : undefined;
    if (pair !== undefined) return void headers.push(pair);
    if (/^\/auth/i.test(path) && tokenKinds.test(textOf(data, /^type$/i)?.value ?? '')) credentials = true;
    for (const { key, value } of data.entries) {
      const field = /header/i.test(path) && (isKeyField(key.value) || isAuthorization(key.value));
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

/** A name that is written in a way that cannot be changed in part. */
const unplaced = (value: string): Text => ({ value, at: [], marks: '' });

/** `{ name: 'x-api-key', value: … }` */
function pairOf(map: DataMap): Header | undefined {
  const name = textOf(map, /^(?:name|key)$/i);
  if (name === undefined || !(isKeyField(name.value) || isAuthorization(name.value))) return undefined;
  const inside = textOf(map, /^(?:in|addTo)$/)?.value ?? 'header';
  if (!/^header$/i.test(inside) || entryOf(map, /^value$/i) === undefined) return undefined;
  return { name: name.text ?? unplaced(name.value), value: textOf(map, /^value$/i)?.text };
}

/** `x-api-key: …` in a list of lines. */
function headerLine({ text }: Scalar): Header | undefined {
  const name = /^[\w-]+(?=\s*:)/.exec(text?.value ?? '')?.[0];
  if (text === undefined || name === undefined || !(isKeyField(name) || isAuthorization(name))) return undefined;
  const from = /^[\w-]+\s*:\s*/.exec(text.value)?.[0].length ?? 0;
  return { name: slice(text, 0, name.length), value: slice(text, from) };
}

/** Whether a tree is an OpenAPI or Swagger document: it says what a server offers, and is somebody's contract. */
export function isApiDescription(root: Data): boolean {
  return (
    root.kind === 'map' && textOf(root, /^(?:openapi|swagger|asyncapi)$/) !== undefined && mapOf(root, /^(?:info|paths)$/) !== undefined
  );
}
