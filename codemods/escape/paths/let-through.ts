/**
 * What files let through by the version of its path: permissions of an extension, rules of a proxy or a mesh. Calls that are moved are no longer among it.
 * And what servers in front of a program put before the rest of a path: a call that is moved would come to v1 by it.
 */
import { escaped } from '../../find/words/literals.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Reading } from '../../formats/reading.ts';
import { coverOf } from '../../formats/text.ts';
import type { Finding } from '../../model.ts';
import { needlesOf, type Bases } from '../../verdict/bases/routes.ts';

/** `/v1/*`, `/v1/**`, `/v1/.*`, `/v1(/|$)(.*)`: all of a version. Looked for from where an address begins: in data of one piece each place of it would be a beginning. */
const letting = /(?<before>(?<![\w.:/*-])[\w.:/*-]{0,300}?)(?<path>\/v1(?:\/(?:\*{1,2}|\.\*|\(\.\*\))|\(\/\|\$\)\(\.\*\))(?![\w/]))/g;
/** What an Ingress, Traefik, Envoy, Istio, a Gateway or HAProxy put in the place of what was asked: `rewrite-target: /v1/$2`. */
const writing =
  /(?<key>\b(?:rewrite-target|replacement|addPrefix(?::\s*|\.)prefix|prefix_rewrite|rewrite:(?:\s*\{)?\s*uri|replacePrefixMatch|replace-path\s+\S+)["']?(?:\s*[:=]\s*|\s+)["']?)(?<path>\/v1(?:\/(?:\$?\$\d|\\\d)?)?(?=["'\s,}]|$))/gim;
/** What rules of an extension are about: `"urlFilter": "||api.example.com/v1/"`, `"regexFilter": "^https://api\\.example\\.com/v1/"`. */
const filtering = /(?<key>["']?(?:url|regex)Filter["']?\s*:\s*["'])(?<before>[^"'\n]{0,200}?)(?<path>\/v1(?:\\{0,2}\/)?)(?![\w-])/g;
/** What a page may ask: `connect-src 'self' https://api.example.com/v1/` of a Content-Security-Policy. A path without a slash at its end lets that alone through. */
const policing = /(?<key>\b(?:connect|default)-src\s[^;"\n]{0,300}?)(?<before>(?<=\s)[\w.:/*-]{1,300}?)(?<path>\/v1(?:\/|(?=[\s;"'`]|$)))/g;
const someHost = /(?<![\w.-])(?:[a-z\d-]+\.)+[a-z]{2,}(?![\w-])/i;
const filter = /Filter|-src\s/;
/** What Kubernetes and Traefik name their own by is no host: `nginx.ingress.kubernetes.io/rewrite-target: …`. */
const ownName = /^[\s-]*["']?(?:apiVersion:.*|[a-z\d.-]+\/[\w.-]+["']?:|traefik\.[\w.-]+)/i;
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
  if (hosts.length === 0 || !needlesOf(bases).some((needle) => text.replaceAll('\\', '').includes(needle))) return [];
  const host = new RegExp(String.raw`(?<![\w.-])(?:${hosts.map(escaped).join('|')})(?![\w-]|\.\w)`);
  const lines = text.split('\n');
  const isProse = coverOf(prose);
  const found = [...text.matchAll(letting), ...text.matchAll(writing), ...text.matchAll(filtering), ...text.matchAll(policing)];
  return found.flatMap(({ index, 0: whole, groups }): Finding[] => {
    const { key = '', before = '', path = '' } = groups ?? {};
    const start = index + key.length + before.length;
    const { line, column } = position(start);
    if (sentence.test(lines[line - 1] ?? '') && isProse({ start, end: start + path.length })) return [];
    const around = lines.slice(Math.max(0, line - 1 - nearby), line + nearby).map((each) => each.replace(ownName, ''));
    const at = Math.min(line - 1, nearby);
    // A list is let through at the host above it; what is written has its host on either side.
    const distance = (i: number): number => (i > at && key === '' ? nearby + i : Math.abs(i - at));
    const nearest = [...around.entries()].toSorted(([a], [b]) => distance(a) - distance(b)).find(([, each]) => someHost.test(each))?.[1];
    const isAtOurs = host.test(before === '' ? (nearest ?? '') : before.replaceAll('\\', ''));
    const isFilter = filter.test(key);
    if (!isAtOurs || text.includes((isFilter ? before + path : whole).replace('/v1', '/v2'))) return [];
    const how = key === '' || isFilter ? 'let through' : 'written';
    return [
      { code: 'repeats-path', file, start, end: start + path.length, line, column, detail: { how, path: path.replaceAll('\\', '') } },
    ];
  });
}
