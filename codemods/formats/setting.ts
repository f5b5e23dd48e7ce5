/** Decides about a value that stands alone: a base, or the URL of an endpoint. */
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import { anyPlaceholder } from '../verdict/routes.ts';
import type { FindingCode } from '../model.ts';
import type { Draft, Problem } from './candidate-edit.ts';
import { move } from './edits.ts';
import type { Env } from './reading.ts';
import { type Text, placeOf, placesOf, slice } from './text.ts';
import { expand, referencesIn } from './variables.ts';
import { type World, isBase, whose } from './ownership.ts';

/** A setting that holds a base says which. */
export type SettingDraft = Draft & { readonly base?: { readonly holdsVersion: boolean; readonly value: string } };

/** A setting as a variable, if it holds an address. */
export function envOf(name: string, draft: SettingDraft | undefined): Env[] {
  const host = draft?.stance === 'foreign' ? draft.problem?.detail['host'] : undefined;
  if (draft === undefined || (draft.base === undefined && host === undefined)) return [];
  return [{ name, start: draft.start, end: draft.end, base: draft.base, host }];
}

/**
 * @param name of the variable that is set, if it is one
 * @returns undefined where it is no address
 */
export function draftSetting(value: Text, world: World, name?: string): SettingDraft | undefined {
  const { text: url, read } = expand(defaultOf(value), world.scope);
  const literals = placesOf(url);
  const written = placesOf(value);
  const place = { start: written[0]?.start ?? 0, end: written.at(-1)?.end ?? 0 };
  if (written.length === 0) return undefined;
  const common = { ...place, literals, reads: read.flatMap((definition) => placesOf(definition.value)), edits: [], sets: name };
  const refuse = (code: FindingCode, detail: Problem['detail'] = {}): Draft => ({
    ...common,
    stance: 'ours',
    problem: { code, at: place, detail },
  });
  const found = whose(url, undefined, world);
  if (found.kind !== 'ours' && name !== undefined && world.bases.env.has(name)) return declared(url, world, common);
  if (found.kind !== 'ours')
    return found.kind === 'foreign' ? { ...refuse('other-host', { host: found.host }), stance: 'foreign' } : undefined;
  const { ours } = found;
  if (!isBase(ours)) {
    if (ours.route === undefined) return ours.version === undefined ? undefined : refuse('unknown-route', { route: ours.path });
    // An id that is written out is what somebody once got for an answer: data.
    if (v1Endpoints[ours.route].path.includes(':') && !anyPlaceholder.test(ours.path)) return refuse('unconsumed');
  }
  const moved = move(url, ours, world);
  if (!Array.isArray(moved)) return refuse(moved);
  const base = isBase(ours) ? { holdsVersion: ours.version !== undefined, value: url.value } : undefined;
  return { ...common, stance: 'ours', edits: moved, ...(base !== undefined && { base }) };
}

/** Of `${NAME:-default}` only the default is set here. */
function defaultOf(value: Text): Text {
  const [reference] = referencesIn(value.value);
  const fallback = reference?.start === 0 && reference.end === value.value.length ? reference.fallback : undefined;
  return fallback === undefined ? value : slice(value, fallback.start, fallback.end);
}

/** A variable that was named as our base holds another host, such as a test server: the host stays, its version moves. */
function declared(url: Text, { source }: World, common: Omit<Draft, 'stance'>): SettingDraft {
  const version = /(?<=\/)v1(?=\/?$)/.exec(url.value);
  const base = { holdsVersion: version !== null, value: url.value };
  const place = version === null ? undefined : placeOf(source, url, version.index, version.index + 2);
  return { ...common, stance: 'ours', base, edits: place === undefined ? [] : [{ ...place, text: 'v2', what: 'base' }] };
}
