/** Postman collections (v2.0, v2.1): requests, what they inherit from their folders, and variables. */
import { type Draft, type Header, type SpanEdit, authorization, isKeyField } from '../candidate-edit.ts';
import type { Reading } from '../reading.ts';
import { draftRequest } from '../request.ts';
import { draftSetting, envOf } from '../setting.ts';
import { type Place, nothing, overlap } from '../text.ts';
import type { World } from '../ownership.ts';
import type { Named } from './definitions.ts';
import { urlPartEdits } from './postman-url.ts';
import { type Data, type DataMap, type Scalar, childrenOf, entryOf, listOf, mapOf, textOf } from './tree.ts';

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
  /** The edits that make it a Bearer token. */
  readonly edits: readonly SpanEdit[];
}

const noAuth: Auth = { header: undefined, credentials: false, edits: [] };

export function readCollection(root: DataMap, world: World, definitions: readonly Named[]): Reading {
  const drafts: Draft[] = [];
  const prose: Place[] = [];
  const visit = (items: readonly Data[], inherited: Auth): void => {
    for (const item of items) {
      if (item.kind !== 'map') continue;
      const auth = authOf(item, inherited);
      visit(listOf(item, /^item$/), auth);
      const request = entryOf(item, /^request$/)?.value;
      if (request !== undefined) drafts.push(...draftOf(request, auth, world));
      // Saved answers are what somebody once got.
      prose.push(...item.entries.flatMap(({ key, value }) => (/^(?:response|description)$/.test(key.value) ? [value] : [])));
    }
  };
  visit(listOf(root, /^item$/), authOf(root, noAuth));
  const variables = new Set(listOf(root, /^variable$/).flatMap(childrenOf));
  const settings = definitions
    .filter(({ scalar }) => variables.has(scalar))
    .map(({ name, value }) => ({ name, draft: draftSetting(value, world, name) }));
  const info = mapOf(root, /^info$/);
  return {
    drafts: [...drafts, ...settings.flatMap(({ draft }) => draft ?? [])],
    envs: settings.flatMap(({ name, draft }) => envOf(name, draft)),
    prose: info === undefined ? prose : [...prose, info],
  };
}

function draftOf(request: Data, inherited: Auth, world: World): Draft[] {
  const auth = request.kind === 'map' ? authOf(request, inherited) : inherited;
  const url = request.kind === 'map' ? entryOf(request, /^url$/)?.value : request;
  const raw = url?.kind === 'map' ? textOf(url, /^raw$/) : url;
  if (raw?.kind !== 'scalar' || raw.text === undefined) return [];
  const own = request.kind === 'map' ? headersOf(request) : [];
  const draft = draftRequest(
    {
      start: raw.start,
      end: raw.end,
      client: 'postman',
      url: raw.text,
      method: request.kind === 'map' ? (textOf(request, /^method$/)?.value ?? 'GET') : 'GET',
      headers: auth.header === undefined ? own : [...own, auth.header],
      credentials: auth.credentials,
      keyless: false,
    },
    world,
  );
  if (draft.edits.length === 0) return [draft];
  const parts = url?.kind === 'map' ? urlPartEdits(url, raw, draft.edits, world) : [];
  if (!Array.isArray(parts)) return [{ ...draft, edits: [], problem: { code: parts, at: draft, detail: {} } }];
  return [
    { ...draft, edits: [...draft.edits.filter((edit) => !within(edit, auth)), ...parts, ...(auth.header === undefined ? [] : auth.edits)] },
  ];
}

/** Whether an edit would change the key of an inherited authorisation, which is made a Bearer token instead. */
function within({ start, end }: Place, { header }: Auth): boolean {
  const offsets = [...(header?.name.at ?? []), ...(header?.value?.at ?? [])];
  return offsets.some((at) => overlap({ start, end: Math.max(end, start + 1) }, { start: at, end: at + 1 }));
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
  if (type?.value !== 'apikey' || held === undefined) return { header: undefined, credentials: true, edits: [] };
  const rows = rowsOf(held.value);
  const row = (name: string): Row | undefined => rows.find(({ label }) => label.value === name);
  const key = row('key')?.value;
  const value = row('value');
  const isHeader = (row('in')?.value.value ?? 'header') === 'header';
  if (!isHeader || key === undefined || !isKeyField(key.value))
    return { header: undefined, credentials: isHeader && key?.value.toLowerCase() === authorization.toLowerCase(), edits: [] };
  const edits =
    value === undefined ? [] : [rename(type, 'bearer'), rename(held.key, 'bearer'), rename(value.label, 'token'), ...without(rows, value)];
  return { header: { name: key.text ?? nothing, value: value?.value.text }, credentials: false, edits };
}

/** A parameter of an authorisation: a map `{ key, value }` in v2.1, an entry in v2.0. */
interface Row extends Place {
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
function without(rows: readonly Row[], kept: Row): SpanEdit[] {
  const first = rows[0] ?? kept;
  const last = rows.at(-1) ?? kept;
  const gaps = [
    { start: first.start, end: kept.start },
    { start: kept.end, end: last.end },
  ];
  return gaps.filter(({ start, end }) => end > start).map((gap) => ({ ...gap, text: '', what: 'header name' }));
}

const rename = ({ start, end }: Scalar, text: string): SpanEdit => ({ start: start + 1, end: end - 1, text, what: 'header name' });
