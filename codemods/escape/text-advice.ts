/** What v2 does differently, in files that are no scripts of ours to follow: other languages, documents, texts of data. */
import type { SourceText } from '../evaluate/values/source-text.ts';
import { escaped } from '../find/words/literals.ts';
import type { Reading } from '../formats/reading.ts';
import { type TextRange, coverOf } from '../formats/text.ts';
import type { Finding } from '../model.ts';
import { type Bases, namingOurs } from '../verdict/bases/routes.ts';
import { isComment } from './ledger/text-places.ts';
import { limitCodes, speaksOfLimit } from './limits/waits-by-code.ts';

const code = new RegExp(`(?<!\\w)(?:${[...limitCodes].map(escaped).join('|')})(?!\\w)`, 'g');

/** `time.sleep(60)`, `sleep 60`, `Thread.sleep(60_000)`, `time.Sleep(time.Minute)`, `wait_fixed(60)`, `--retry-delay 60`. */
const wait =
  /(?:sleep|delay|retry[-_]after|\bwait)\w*(?:[-_]\w+)*["']?[\s:=(-]{1,3}(?:\w+[\s:=]+)?["']?(?:60(?:_?000)?\b(?!\s*\*(?!\s*(?:1_?000\b|time\.Second)))|1m(?:in)?\b|(?:1\s*\*\s*)?time\.Minute\b)/gi;

/** These try again after a 429 by themselves. */
const ownWait = /--(?:retry-delay|waitretry)[\s=]+["']?60\b/g;

/** `answer.json().get("existed")`, `body["existed"]`, `$body->existed`, `jq .existed`. */
const existed = /(?:\.get\(\s*["']|\[\s*["']|\.|->)existed\b/g;

/** `TEXTS_PER_MINUTE = "60"`. */
const limit = /(?<![\w.-])["']?(?:[\w-]*(?:per_?min(?:ute)?s?|minute_?limit|(?<![a-z])rpm))["']?\s*[:=]\s*["']?\d/gi;

/** @returns each code of a limit once; and, beside a base, what reads `existed`, limits per minute that are set, and each wait as long as the limit per minute is */
export function adviceInText(source: SourceText, { elsewhere }: Pick<Reading, 'elsewhere'>, bases: Bases): Finding[] {
  const { file, text } = source;
  const isLimited = speaksOfLimit(text);
  if (isHistory.test(file) || !(isLimited || /--|existed|min|rpm/i.test(text))) return [];
  const isNear = namingOurs(bases)(text);
  const isElsewhere = coverOf([...elsewhere, ...changesIn(text)]);
  const foundBy = (pattern: RegExp): { readonly start: number; readonly end: number; readonly found: string }[] =>
    Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({ start: index, end: index + found.length, found })).filter(
      (place) => !isElsewhere(place) && !isComment(source, place),
    );
  const isSetting = isNear && !isDocument.test(file);
  const codes = new Map(
    foundBy(code)
      .toReversed()
      .map((place) => [place.found, place]),
  );
  const found = (findingCode: Finding['code'], { start, end }: TextRange, detail: Finding['detail'] = {}): Finding => ({
    code: findingCode,
    file,
    start,
    end,
    ...source.position(start),
    detail,
  });
  return [
    ...[...codes.values()].map((place) => found('limit-code', place, { code: place.found })),
    ...(isNear ? foundBy(isLimited ? wait : ownWait) : []).map((place) => found('retry-per-minute', place)),
    ...(isSetting ? foundBy(existed) : []).map((place) => found('answer-shape', place, { what: 'existed' })),
    ...(isSetting ? foundBy(limit) : []).map((place) => found('minute-limit', place, { name: nameIn(place.found) })),
  ];
}

const nameIn = (setting: string): string => /[\w-]+/.exec(setting)?.[0] ?? setting;

const isDocument = /\.mdx?$/i;

/** A change that a document shows says what goes. */
const changesIn = (text: string): TextRange[] =>
  Array.from(text.matchAll(/^(?<fence>```+|~~~+)(?:diff|patch)\b[^]*?^\k<fence>/gm), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));

/** What a change log says was so. */
const isHistory = /(?:^|\/)(?:changelog|history|releases)\b[^/]*$/i;
