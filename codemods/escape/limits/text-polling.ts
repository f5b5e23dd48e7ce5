/** Loops of shell scripts that wait and ask again: `until [ "$(curl …)" = SENT ]; do sleep 5; done`. */
import { hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { TextRange } from '../../formats/text.ts';
import type { Finding } from '../../model.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { pollingDetail } from './polling.ts';
import { isComment } from '../ledger/text-places.ts';

const keyword = /(?<=^|[\s;&|(`!])(?:while|until|for|do|done)(?=$|[\s;&|)`])/gm;
const sleep = /\bsleep\s+["']?(?<count>\d+(?:\.\d+)?)(?<unit>[smh]?)(?!\w)/g;
const secondsOf: Readonly<Record<string, number>> = { m: minuteInMs / 1000, h: hourInMs / 1000 };
/** `for i in {1..60}`, `for i in $(seq 60)`: a few tries are no polling, and a list is gone through once. */
const counted = /^for\s+\w+\s+in\s+(?:\{1\.\.|\$\(seq\s+(?:1\s+)?)(?<tries>\d+)/;
const fewTries = 10;
/** `until curl -f …; do`: waits for a service to be there, whatever it answers. */
const untilAnswered = /^(?:until|while\s+!)\s+(?:curl|wget)\b/;
/** `curl … && break`, and `[ "$(curl -w '%{http_code}' …)" = 200 ] && break`. */
const leaves = /(?<asked>[^\n;]*)&&\s*(?<how>exit|break|return)\b/g;
/** `page=$((page + 1))` beside `?page=$page`: each call asks for another part, and the last one ends it, unless it goes on for good. */
const counting = /\b(?<name>\w+)=(?:\$\(\(\s*|\$\(expr\s+)\$?\{?\k<name>\}?\s*\+|\(\(\s*(?<other>\w+)\s*(?:\+\+|\+=)/g;
const pages = String.raw`[?&](?:\w*page\w*|p|offset|skip|start|from)=`;
const ending = /^(?:while|until)\s+(?!:|true\b)|\b(?:break|exit|return)\b/;
/** What was answered is looked at first. */
const comparing = /\||(?:^|[\s({])(?:\[|\(\(|test\s)/;

/** With the loops that it runs each time. */
interface Loop extends TextRange {
  readonly inner: readonly TextRange[];
}

/** @param sites all requests of the file, at the places where functions of a script are called that make them */
export const pollsOf = (source: SourceText, sites: readonly RequestSite[]): Finding[] =>
  pollsInText(
    source,
    sites.filter(({ verdict: { kind } }) => kind === 'ours' || kind === 'v2').map(({ request }) => request.call),
  );

/** @param asked where a file asks this service */
export function pollsInText(source: SourceText, asked: readonly TextRange[]): Finding[] {
  const { file, text } = source;
  const waits = asked.length === 0 ? [] : [...text.matchAll(sleep)];
  const loops = waits.length === 0 ? [] : loopsIn(source);
  const known = new Map<Loop, boolean>();
  const isShort = (loop: Loop): boolean => {
    const isEnding = known.get(loop) ?? endsSoon(text, loop);
    known.set(loop, isEnding);
    return isEnding;
  };
  return waits.flatMap(({ index, 0: found, groups = {} }): Finding[] => {
    const place = { start: index, end: index + found.length };
    // Those that end first are within the others.
    const loop = isComment(source, place) ? undefined : loops.find((each) => isWithin(each, place));
    const detail = pollingDetail(hourInMs / 1000 / (Number(groups['count']) * (secondsOf[groups['unit'] ?? ''] ?? 1)));
    if (loop === undefined || detail === undefined || isShort(loop) || !asked.some((call) => isWithin(loop, call))) return [];
    return [{ code: 'polls', file, ...place, ...source.position(index), detail }];
  });
}

const isWithin = (loop: TextRange, { start, end }: TextRange): boolean => loop.start <= start && end <= loop.end;

function endsSoon(text: string, { start, end, inner }: Loop): boolean {
  const loop = text.slice(start, end);
  const own = [...inner, { start: end, end }].map((each, index) => text.slice(inner[index - 1]?.end ?? start, each.start)).join('');
  const isLeft = ({ index, 0: found, groups: { asked = '', how } = {} }: RegExpExecArray): boolean => {
    const place = { start: start + index + found.length, end: start + index + found.length };
    if (how === 'break' && inner.some((each) => isWithin(each, place))) return false;
    return !comparing.test(asked) || loop.includes('http_code');
  };
  if (untilAnswered.test(loop) || [...loop.matchAll(leaves)].some(isLeft)) return true;
  if (ending.test(own) && [...own.matchAll(counting)].some(({ groups: { name, other } = {} }) => isPage(name ?? other ?? '', own)))
    return true;
  if (!loop.startsWith('for')) return false;
  const { tries = '0' } = counted.exec(loop)?.groups ?? {};
  return Number(tries) <= fewTries;
}

/** Whether it is asked for by a counter that never begins anew. */
const isPage = (name: string, loop: string): boolean =>
  new RegExp(String.raw`${pages}\$\{?${name}\b`, 'i').test(loop) && !new RegExp(String.raw`\b${name}=["']?\d`).test(loop);

/** In the order in which they end. A word of a message may look like the beginning of one, but no `do` comes after it. */
function loopsIn(source: SourceText): Loop[] {
  const loops: Loop[] = [];
  const open: { readonly start: number; readonly inner: TextRange[]; hasBody: boolean }[] = [];
  for (const { index, 0: word } of source.text.matchAll(keyword)) {
    const end = index + word.length;
    if (isComment(source, { start: index, end })) continue;
    const last = open.at(-1);
    if (word === 'done') {
      const begun = open.findLastIndex(({ hasBody }) => hasBody);
      const [loop] = begun === -1 ? [] : open.splice(begun);
      if (loop === undefined) continue;
      loops.push({ start: loop.start, end, inner: loop.inner });
      open.at(-1)?.inner.push({ start: loop.start, end });
    } else if (word !== 'do') open.push({ start: index, inner: [], hasBody: false });
    else if (last !== undefined) last.hasBody = true;
  }
  return loops;
}
