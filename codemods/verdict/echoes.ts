/** Tests that repeat a text of the program, as in what they expect of its answers. */
import { flat, sliceParts } from '../evaluate/text.ts';
import type { Part } from '../evaluate/values.ts';
import { type RequestSite, siteOf } from './request-sites.ts';
import type { Bases } from './routes.ts';
import type { Change } from './spans.ts';
import type { Range, Verdict } from './verdicts.ts';

/** What repeats a text of the program changes just as that does, and only if it does. */
export function echo(site: RequestSite, real: readonly RequestSite[], bases: Bases): RequestSite | undefined {
  const { request } = site;
  const { echoes, url } = request;
  const follows = real.filter(({ changes }) => changes.some((change) => rangeIn(echoes, change) !== undefined));
  const [first] = follows;
  if (first?.verdict.kind !== 'ours') return undefined;
  const { configured } = first.verdict;
  const verdict: Verdict = { kind: 'ours', endpoint: undefined, configured, version: undefined, base: undefined };
  const header = siteOf(request, verdict, bases, undefined);
  if (url === undefined) return { ...header, follows };
  const changes = follows.flatMap((other) => other.changes).flatMap((change) => repeated(change, echoes, url) ?? []);
  return { ...header, changes, follows };
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
    const length = 'unknownPart' in part ? 1 : part.text.length;
    const source = 'text' in part ? part.source : undefined;
    if (source?.module === module && source.start <= start && end <= source.start + length)
      return { start: offset + start - source.start, end: offset + end - source.start };
    offset += length;
  }
  return undefined;
}
