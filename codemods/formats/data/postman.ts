/** Postman collections (v2.0, v2.1): requests, what they inherit from their folders, and variables. */
import { isAuthorization } from '../../../src/contract/auth.ts';
import { type Reading, type WrittenRequest, merge } from '../reading.ts';
import { type TextRange, type Text, join, nothing, unplaced } from '../text.ts';
import { type Header, isKeyField, settingOf, writtenRequest } from '../written.ts';
import type { Around } from './read.ts';
import { type Data, type DataMap, type Scalar, childrenOf, entryOf, listOf, mapOf, offsetBy, textOf } from './tree.ts';

export function isCollection(root: Data): root is DataMap {
  if (root.kind !== 'map' || entryOf(root, /^item$/) === undefined) return false;
  const info = mapOf(root, /^info$/);
  return info !== undefined && (/postman/.test(textOf(info, /^schema$/)?.value ?? '') || textOf(info, /^_postman_id$/) !== undefined);
}

/** What a request is authorised by, its own or inherited. */
interface Auth {
  /** The key's name and value, where it is a key in a header. */
  readonly header: Header | undefined;
  /** Whether it is something else that sends credentials. */
  readonly credentials: boolean;
}

const noAuth: Auth = { header: undefined, credentials: false };

export function readCollection(root: DataMap, around: Around): Reading {
  const requests: WrittenRequest[] = [];
  const prose: Data[] = [];
  const visit = (items: readonly Data[], inherited: Auth): void => {
    for (const item of items) {
      if (item.kind !== 'map') continue;
      const auth = authOf(item, inherited);
      visit(listOf(item, /^item$/), auth);
      const request = entryOf(item, /^request$/)?.value;
      if (request !== undefined) requests.push(...requestIn(request, auth, around));
      // Saved answers are what somebody once got.
      prose.push(...item.entries.flatMap(({ key, value }) => (/^(?:response|description)$/.test(key.value) ? [value] : [])));
    }
  };
  visit(listOf(root, /^item$/), authOf(root, noAuth));
  const variables = new Set(listOf(root, /^variable$/).flatMap(childrenOf));
  const { stretch, scope } = around;
  const settings = around.definitions
    .filter(({ scalar }) => variables.has(scalar))
    .flatMap(({ name, value }) => settingOf(value, stretch, scope, { name }) ?? []);
  const info = mapOf(root, /^info$/);
  return merge([{ requests, settings, prose: [...prose, ...(info === undefined ? [] : [info])].map((place) => offsetBy(place, stretch)) }]);
}

function requestIn(request: Data, inherited: Auth, { stretch, scope }: Around): WrittenRequest[] {
  const { header, credentials } = request.kind === 'map' ? authOf(request, inherited) : inherited;
  const url = request.kind === 'map' ? entryOf(request, /^url$/)?.value : request;
  const raw = url?.kind === 'map' ? textOf(url, /^raw$/) : url;
  if (raw?.kind !== 'scalar' || raw.text === undefined) return [];
  const own = request.kind === 'map' ? headersOf(request) : [];
  const again = url?.kind === 'map' ? urlInParts(url, raw.text) : undefined;
  const written = {
    start: raw.start,
    end: raw.end,
    client: 'postman',
    url: raw.text,
    method: request.kind === 'map' ? (textOf(request, /^method$/)?.value ?? 'GET') : 'GET',
    headers: header === undefined ? own : [...own, header],
    hasCredentials: credentials,
    ...(again !== undefined && { again }),
  };
  return [writtenRequest(written, stretch, scope)];
}

/** The parts in which Postman keeps a URL beside its `raw` form: all of them change with it, or nothing does. */
function urlInParts(url: DataMap, raw: Text): Text | undefined {
  const [host, path] = [textsIn(url, /^host$/), textsIn(url, /^path$/)];
  if (host === undefined && path === undefined) return undefined;
  const [, scheme = '', authority = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)/i.exec(raw.value) ?? [];
  const protocol = textOf(url, /^protocol$/)?.text;
  const port = textOf(url, /^port$/)?.text;
  return join([
    ...(protocol === undefined || scheme === '' ? [unplaced(scheme)] : [protocol, unplaced('://')]),
    // Exporters leave out what they made no parts of.
    ...(host ?? [unplaced(authority)]).flatMap((part, i) => (i === 0 ? [part] : [unplaced('.'), part])),
    ...(port === undefined || host === undefined ? [] : [unplaced(':'), port]),
    ...(path ?? []).flatMap((part) => [unplaced('/'), part]),
  ]);
}

function textsIn(map: DataMap, name: RegExp): Text[] | undefined {
  const value = entryOf(map, name)?.value;
  if (value === undefined) return undefined;
  const parts = value.kind === 'list' ? value.items : [value];
  return parts.map((part) => (part.kind === 'scalar' ? (part.text ?? unplaced(part.value)) : nothing));
}

function headersOf(request: DataMap): Header[] {
  return listOf(request, /^header$/).flatMap((item) => {
    const name = item.kind === 'map' ? textOf(item, /^key$/) : undefined;
    return item.kind === 'map' && name?.text !== undefined ? [{ name: name.text, value: textOf(item, /^value$/)?.text }] : [];
  });
}

function authOf(owner: DataMap, inherited: Auth): Auth {
  const auth = mapOf(owner, /^auth$/);
  if (auth === undefined) return inherited;
  const type = textOf(auth, /^type$/);
  if (type?.value === 'noauth') return noAuth;
  const held = entryOf(auth, /^apikey$/);
  if (type?.value !== 'apikey' || held === undefined) return { header: undefined, credentials: true };
  const rows = rowsOf(held.value);
  const row = (name: string): Row | undefined => rows.find(({ label }) => label.value === name);
  const key = row('key')?.value;
  const value = row('value');
  const isHeader = (row('in')?.value.value ?? 'header') === 'header';
  if (!isHeader || key === undefined || !isKeyField(key.value))
    return { header: undefined, credentials: isHeader && isAuthorization(key?.value) };
  const rewrite =
    value === undefined
      ? undefined
      : [rename(type, 'bearer'), rename(held.key, 'bearer'), rename(value.label, 'token'), ...without(rows, value)];
  return { header: { name: key.text ?? nothing, value: value?.value.text, ...(rewrite !== undefined && { rewrite }) }, credentials: false };
}

/** A parameter of an authorisation: a map `{ key, value }` in v2.1, an entry in v2.0. */
interface Row extends TextRange {
  readonly label: Scalar;
  readonly value: Scalar;
}

function rowsOf(held: Data): Row[] {
  if (held.kind === 'map')
    return held.entries.flatMap(({ key, value }) =>
      value.kind === 'scalar' ? [{ label: key, value, start: key.start, end: value.end }] : [],
    );
  return childrenOf(held).flatMap((row) => {
    const label = row.kind === 'map' ? textOf(row, /^key$/) : undefined;
    const value = row.kind === 'map' ? textOf(row, /^value$/) : undefined;
    return label === undefined || value === undefined ? [] : [{ label, value, start: row.start, end: row.end }];
  });
}

/** Takes all rows but one out, with the commas between them. */
function without(rows: readonly Row[], kept: Row): Rewritten[] {
  const first = rows[0] ?? kept;
  const last = rows.at(-1) ?? kept;
  const gaps = [
    { start: first.start, end: kept.start },
    { start: kept.end, end: last.end },
  ];
  return gaps.filter(({ start, end }) => end > start).map((gap) => ({ ...gap, text: '' }));
}

interface Rewritten extends TextRange {
  readonly text: string;
}

const rename = ({ start, end }: Scalar, text: string): Rewritten => ({ start: start + 1, end: end - 1, text });
