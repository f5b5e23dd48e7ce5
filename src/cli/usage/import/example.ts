/**
 * A line of a log that could not be read, as it may stand on a terminal and in the mail of cron: enough of it to see its format. Nobody knows
 * what its parts are, so what is shown is what can be no key; all else is left out.
 */
import { isIP } from 'node:net';
import { plain } from '../../../text/escape.ts';
import { withoutPort } from '../../../usage/logs/line.ts';

const longestRead = 300;
const longestShown = 120;
/** From so many characters on, a text may be a key, or enough of one, but for what is known to be something else. */
const shortestKey = 6;
const longestName = 11;

/** A query and a fragment may hold anything, and so may whatever stands behind one of these words. */
const secretBehind = /\?|(?<!^)#|key|token|secret|auth|bearer|basic|digest|passw|pwd|cookie|session|credential|signature|jwt/i;
/** Between parts; what may be within a key is none of them. */
const part = /[^\s"'`()[\]{}<>,;|=\\]+/g;
const lastPart = new RegExp(`${part.source}$`);

const times = /^(?:\d{1,2}\/[A-Z][a-z]{2}\/\d{4}(?::\d\d){3}|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)?)$/;
/** Of a second of this age of the world, or a thousandth. */
const sinceEpoch = /^[12]\d{9}(?:\.?\d{3})?$/;
const word = /^[A-Z]?[a-z_-]{1,14}$/;
const header = /^[A-Z]?[a-z]{0,14}(?:[-_][A-Z]?[a-z]{1,14})*$/;
/** `axios/1.7.0`, `TLSv1.2`, and what a server measures. */
const version = /^(?:[A-Za-z-]{1,15}\/\d{1,4}(?:\.\d{1,5}){0,3}|(?:D?TLS|SSL)v\d(?:\.\d)?)$/;
const measure = /^\d{1,7}(?:\.\d{1,7})?(?:[mµ]?s)?$/;
/** Behind `=` stands a value, which may be a short secret, but for these. */
const valueBefore = /=\s*["']?$/;
const harmlessValue = /^(?:\d{1,3}|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;
const url = /^(?:[a-z]{1,5}:\/\/[^/@]*)?(\/.*)$/;
const endpoint = /^\/v\d\/[a-z_-]{1,15}\//;
const segment = /^(?:[a-z_-]{0,15}|v\d|\d{1,11})$/;

function shownPart(text: string, isValue = false): string {
  // Before it may stand who somebody is, with a password.
  if (text.includes('@')) return '…';
  const [, path] = url.exec(text) ?? [];
  if (path !== undefined) {
    const host = text.startsWith('/') ? '' : '…';
    if (path.split('/').every((each) => segment.test(each))) return host + path;
    // A key in Base64 may look like several segments.
    return `${host}${endpoint.exec(path)?.[0] ?? '/'}…`;
  }
  if (times.test(text) || isIP(withoutPort(text)) !== 0) return text;
  if (isValue) return harmlessValue.test(text) ? text : '…';
  const isHarmless = text.length < shortestKey || [word, sinceEpoch, version, measure].some((known) => known.test(text));
  return isHarmless ? text : '…';
}

/** What is shown of a part that holds such a word: its path, or the name that it is. It is judged as a whole, as a key may hold such a word, too. */
function shownName(text: string, end: number): string {
  const name = text.slice(0, end);
  if (/[?#]$/.test(name) && url.test(name)) return `${shownPart(name.slice(0, -1))}${name.slice(-1)}…`;
  const isName = (name.length <= longestName && /^[A-Za-z_-]+$/.test(name)) || header.test(name);
  return isName && (text.length === end || text[end] === ':') ? `${name}…` : '…';
}

/** The line, escaped and short. */
export function exampleText(text: string): string {
  // What the cut goes through may be the end of a key.
  const read = text.length > longestRead ? text.slice(0, longestRead).replace(lastPart, '…') : text;
  let [shown, from] = ['', 0];
  for (const { 0: each, index } of read.matchAll(part)) {
    const secret = secretBehind.exec(each);
    shown +=
      read.slice(from, index) +
      (secret === null ? shownPart(each, valueBefore.test(read.slice(0, index))) : shownName(each, secret.index + secret[0].length));
    from = index + each.length;
    if (secret === null) continue;
    from = read.length;
    break;
  }
  shown = plain(shown + read.slice(from));
  return shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
}
