/** Tests that repeat a text of the program, as in what they expect of its answers. */
import { flat, sliceParts, placeOfPart } from '../../evaluate/values/text.ts';
import type { Node } from '../../syntax/tree.ts';
import { type Part } from '../../evaluate/values/values.ts';
import { type ChangesByPlace, changesByPlace } from '../changes/changes-by-place.ts';
import { keyOf } from '../changes/groups.ts';
import { type RequestSite, siteOf } from '../request-sites.ts';
import type { Bases } from '../bases/routes.ts';
import type { Change } from '../changes/spans.ts';
import type { Range, Verdict } from '../verdict.ts';

export const isEcho = ({ request }: RequestSite): boolean => request.echoes.length > 0;

/** @param others with all that changes by what tests set: they may expect that again */
export function echoesIn(sites: readonly RequestSite[], others: readonly RequestSite[], bases: Bases): RequestSite[] {
  const echoes = sites.filter(isEcho);
  const real = echoes.length === 0 ? [] : others.filter(({ request }) => !request.isMock);
  const owners = Map.groupBy(
    real.flatMap((site) => site.changes.map((change) => ({ site, change }))),
    ({ change }) => keyOf(change),
  );
  const changes = changesByPlace([...owners.values()].flatMap(([first]) => first?.change ?? []));
  const found = echoes.map((site) => {
    const own = changesIn(site.request.echoes, changes);
    const follows = [...new Set(own.flatMap((change) => owners.get(keyOf(change)) ?? []).map((owner) => owner.site))];
    return { site, moved: echo(site, own, follows, bases) };
  });
  // What is expected of something else, too, or may be, stays as that does.
  const isMeant = bases.v2 === undefined ? isVersioned : () => true;
  const staying = new Set(found.flatMap(({ site, moved }) => (moved === undefined ? writtenAt(site, isMeant) : [])));
  return found.flatMap(({ site, moved }) =>
    moved === undefined || writtenAt(site, isMeant).some((node) => staying.has(node)) ? [] : moved,
  );
}

/** Where what may change of what is expected stands: of an address its version, unless v2 has another host. */
const writtenAt = ({ request: { url = [], headers } }: RequestSite, isMeant: (text: string) => boolean): Node[] =>
  [...url.filter((part) => 'text' in part && isMeant(part.text)), ...headers.flatMap(({ key }) => key ?? [])].flatMap((part) =>
    'text' in part ? (part.source?.node ?? []) : [],
  );

const isVersioned = (text: string): boolean => /\bv1\b/.test(text);

/** What changes in a text. */
function changesIn(parts: readonly Part[], changes: ChangesByPlace): Change[] {
  const near = parts.flatMap((part) => {
    const at = placeOfPart(part);
    return at === undefined ? [] : changes.at(at.module, at.start, at.end);
  });
  return [...new Set(near)].filter((change) => rangeIn(parts, change) !== undefined);
}

/** What repeats a text of the program changes just as that does, and only if it does; where that is not possible, not at all. */
function echo(site: RequestSite, own: readonly Change[], follows: readonly RequestSite[], bases: Bases): RequestSite | undefined {
  const { request } = site;
  const { echoes, url } = request;
  const [first] = follows;
  if (first?.verdict.kind !== 'ours') return undefined;
  const { configured } = first.verdict;
  const verdict: Verdict = { kind: 'ours', endpoint: undefined, configured, version: undefined, base: undefined };
  const header = siteOf(request, verdict, bases, undefined);
  if (url === undefined) return { ...header, follows };
  const changes = own.flatMap((change) => repeated(change, echoes, url) ?? []);
  return changes.length < own.length ? undefined : { ...header, changes, follows };
}

/** A change of one text made in another one like it; undefined where that is in parts, or written with escapes. */
function repeated(change: Change, echoes: readonly Part[], url: readonly Part[]): Change | undefined {
  const range = rangeIn(echoes, change);
  // What is not known may be of another length there.
  if (range === undefined || flat(echoes).slice(0, range.end) !== flat(url).slice(0, range.end)) return undefined;
  const [part, more] = sliceParts(url, range.start, range.end);
  if (part === undefined || more !== undefined || 'unknownPart' in part || part.source?.isExact !== true) return undefined;
  const { module, start } = part.source;
  return { ...change, module, start, end: start + part.text.length };
}

/** Where a change is in a text, in offsets of `flat`. */
function rangeIn(parts: readonly Part[], { module, start, end }: Change): Range | undefined {
  let offset = 0;
  for (const part of parts) {
    const at = placeOfPart(part);
    if (at?.module === module && at.start <= start && end <= at.end)
      return { start: offset + start - at.start, end: offset + end - at.start };
    offset += partLength(part);
  }
  return undefined;
}

const partLength = (part: Part): number => ('unknownPart' in part ? 1 : part.text.length);
