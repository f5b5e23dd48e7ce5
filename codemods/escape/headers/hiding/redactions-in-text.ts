/**
 * Settings that keep v1's key out of logs, in files that are no scripts: `"redact": ["cookie", "x-api-key"]`, `SANITIZE_FIELD_NAMES=password,x-api-key`, what a collector
 * deletes. Programs in other languages are not looked at.
 */
import { v2Auth } from '../../../../src/contract/auth.ts';
import type { SourceText } from '../../../evaluate/values/source-text.ts';
import { hidingWords } from '../../../find/words/hiding-words.ts';
import type { TextRange } from '../../../formats/text.ts';
import { isHidingList } from './hiding.ts';

export const isSettings =
  /\.(?:jsonc?|json5|ya?ml|toml|properties|ini|conf|cfg|tfvars)$|(?:^|\/)(?:\.env|Dockerfile|Caddyfile)[\w.-]*$|\.env$/i;
const isKnown = new RegExp(`(?<![\\w-])${v2Auth.field}(?![\\w-])`, 'i');

/** Characters that are looked at before and behind the name: no list of headers is longer. */
const longestList = 2_000;
/** What a list stands in: `redact: { paths: [`. */
const maxDepth = 3;

/** Tells whether something hides by a header's name where that stands: v1's alone, or v2's as well. */
export function redactedIn({ file, text }: SourceText): (place: TextRange) => 'v1' | 'both' | undefined {
  if (!isSettings.test(file)) return () => undefined;
  return (place) => {
    const hiding = deletedAround(text, place) ?? orderedAt(text, place) ?? namedAround(text, place, isHidingList);
    return hiding === undefined ? undefined : isKnown.test(hiding) ? 'both' : 'v1';
  };
}

/** What loggers and collectors are told to do: `request>headers>X-Api-Key delete`, `del(.headers."x-api-key")`, `Remove_key x-api-key`. */
function orderedAt(text: string, { start, end }: TextRange): string | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const [before, behind] = [text.slice(lineStart, start), text.slice(end, endOfLine(text, end))];
  const isOrdered =
    /\bdel\([^)]*$|\bremove_(?:key|field)s?\b[^#]*$/i.test(before) ||
    (/headers>$/i.test(before) && /^\s+(?:delete|replace|hash|cookie)\b/.test(behind));
  return isOrdered ? text.slice(Math.max(0, start - nearby), end + nearby) : undefined;
}
/** Characters in which the same order may be given of v2's header. */
const nearby = 400;

/** What stands around a place under a name, in brackets or in lines, of which the name says so. */
export const namedAround = (text: string, place: TextRange, isSaid: (name: string) => boolean): string | undefined =>
  inBrackets(text, place, isSaid) ?? inLines(text, place, isSaid);

function inBrackets(text: string, { start, end }: TextRange, isSaid: (name: string) => boolean): string | undefined {
  for (let [at, depth, closed] = [start - 1, 0, 0]; at >= 0 && start - at < longestList && depth < maxDepth; at--) {
    const char = text[at] ?? '';
    if (/[\]}]/.test(char)) closed++;
    if (!/[[{]/.test(char)) continue;
    if (closed > 0) closed--;
    else {
      const name = /([\w.-]+)["']?\s*[:=]\s*$/.exec(text.slice(Math.max(0, at - 100), at))?.[1];
      if (name !== undefined && isSaid(name)) return text.slice(at, closingAfter(text, end));
      // The brackets of a path are none of a list: `headers["x-api-key"]`.
      if (name !== undefined) depth++;
    }
  }
  return undefined;
}

function closingAfter(text: string, end: number): number {
  const rest = text.slice(end, end + longestList);
  const closing = /[\]}][^\S\n]*,?[^\S\n]*(?:\n|$|[\]}])/.exec(rest);
  return end + (closing?.index ?? rest.length);
}

/** The lines around a place that stand below such a name, or its own line: `redact:`, `LOG_REDACT=cookie,x-api-key`. */
function inLines(text: string, { start, end }: TextRange, isSaid: (name: string) => boolean): string | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = endOfLine(text, end);
  const [head = '', own] = /^\s*(?:-\s+)?["']?(?:(?:export|ENV)\s+)?([\w./-]+)["']?\s*[:=]/.exec(text.slice(lineStart, start)) ?? [];
  if (own !== undefined && isSaid(own))
    return !isRedacting.test(own) && isSentence(text.slice(lineStart + head.length, lineEnd)) ? undefined : text.slice(lineStart, lineEnd);
  const above = text
    .slice(Math.max(0, lineStart - longestList), Math.max(0, lineStart - 1))
    .split('\n')
    .toReversed();
  const item = text.slice(lineStart, start);
  // Items of a list may stand as far to the left as its name.
  let inner = indentOf(item) + (own === undefined ? 1 : 0);
  let from = lineStart;
  for (const line of above) {
    from -= line.length + 1;
    if (line.trim() === '' || indentOf(line) >= inner || (/^\s*-/.test(line) && indentOf(line) === indentOf(item))) continue;
    inner = indentOf(line);
    const name = /^\s*(?:-\s+)?["']?([\w./-]+)["']?:\s*$/.exec(line)?.[1];
    if (name === undefined) return undefined;
    if (isSaid(name)) return text.slice(from, endOfLines(text, lineEnd, inner));
  }
  return undefined;
}

/** Names that nothing for people to read has. */
const isRedacting = new RegExp(hidingWords, 'i');

/**
 * `"private_hint": "Include the header 'x-api-key' with your token."`: what people read, in any language, is no list of names. It has a name in quotes of its own, letters
 * that names have not, or more words in a row than such a list.
 */
function isSentence(value: string): boolean {
  const said = value.trim().replace(/\s#\s.*$/, '');
  const [, quote, inner] = /^(["'])(.*)\1,?$/.exec(said) ?? [];
  if (/[^\p{ASCII}]/u.test(said)) return true;
  return (inner !== undefined && inner.includes(quote === '"' ? "'" : '"') && /\s/.test(inner)) || /(?:[\w'-]+ ){5}/.test(said);
}

const indentOf = (line: string): number => line.search(/\S|$/);

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Where what is indented further ends. */
function endOfLines(text: string, from: number, indent: number): number {
  let end = from;
  while (end < text.length && end - from < longestList) {
    const next = endOfLine(text, end + 1);
    const line = text.slice(end + 1, next);
    if (line.trim() !== '' && (indentOf(line) < indent || (indentOf(line) === indent && !/^\s*-/.test(line)))) break;
    end = next;
  }
  return end;
}

/** `- key: http.request.header.x-api-key` beside `action: delete`, as a collector of OpenTelemetry has it, with what stands around. */
function deletedAround(text: string, { start, end }: TextRange): string | undefined {
  const before = text.slice(Math.max(0, start - longestList), start);
  const behind = text.slice(end, end + longestList);
  const isKey = /(?:^|\n)[^\S\n]*(?:-[^\S\n]+)?key:[^\S\n]*["']?[\w.]*$/.test(before);
  const isDeleted =
    isKey &&
    (/^["']?[^\S\n]*\n[^\S\n]*action:[^\S\n]*(?:delete|hash|update)\b/.test(behind) ||
      /action:[^\S\n]*(?:delete|hash|update)[^\S\n]*\n[^\S\n]*key:[^\n]*$/.test(before));
  return isDeleted ? before + behind : undefined;
}
