/** What files let through by the version of its path: permissions of an extension, rules of a proxy or a mesh. Calls that are moved are no longer among it. */
import { escaped } from '../find/literals.ts';
import type { SourceText } from '../evaluate/source-text.ts';
import type { Reading } from '../formats/reading.ts';
import { coverOf } from '../formats/text.ts';
import type { Finding } from '../model.ts';
import { needlesOf, type Bases } from '../verdict/routes.ts';

/** `/v1/*`, `/v1/**`, `/v1/.*`, `/v1(/|$)(.*)`: all of a version. */
const all = String.raw`\/v1(?:\/(?:\*{1,2}|\.\*|\(\.\*\))|\(\/\|\$\)\(\.\*\))(?![\w/])`;
const someHost = /(?<![\w.-])(?:[a-z\d-]+\.)+[a-z]{2,}(?![\w-])/i;
/** Neither an item of a list nor a row of a table. */
const sentence = /^[A-Za-z`(][^|]*[.!?](?:\s|$)/;
/** How far a host and the paths that are let through at it stand apart, in lines. */
const nearby = 6;

/**
 * @param prose what people alone read: a sentence there tells of paths, and a list or a table may well be what somebody goes by
 * @returns one for each that has none of v2 beside it
 */
export function letThrough(source: SourceText, { prose }: Pick<Reading, 'prose'>, bases: Bases): Finding[] {
  const { file, text, position } = source;
  const hosts = bases.v1.map((base) => new URL(base).host);
  if (hosts.length === 0 || !needlesOf(bases).some((needle) => text.includes(needle))) return [];
  const host = new RegExp(String.raw`(?<![\w.-])(?:${hosts.map(escaped).join('|')})(?![\w-]|\.\w)`);
  const lines = text.split('\n');
  const isProse = coverOf(prose);
  return Array.from(text.matchAll(new RegExp(String.raw`(?<before>[\w.:/*-]*?)(?<path>${all})`, 'g'))).flatMap(
    ({ index, 0: found, groups }) => {
      const { before = '', path = '' } = groups ?? {};
      const start = index + before.length;
      const { line, column } = position(start);
      if (sentence.test(lines[line - 1] ?? '') && isProse({ start, end: start + path.length })) return [];
      const above = lines.slice(Math.max(0, line - 1 - nearby), line).toReversed();
      const nearest = [...above, ...lines.slice(line, line + nearby)].find((each) => someHost.test(each)) ?? '';
      const isAtOurs = before === '' ? host.test(nearest) : host.test(before);
      if (!isAtOurs || text.includes(found.replace('/v1', '/v2'))) return [];
      return [{ code: 'repeats-path', file, start, end: start + path.length, line, column, detail: { how: 'let through', path } }];
    },
  );
}
