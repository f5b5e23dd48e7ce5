/** What a document of OpenAPI tells of our service, from which clients are made: it says v2 with the code beside it, or stays as a whole. */
import { v2Auth } from '../../../src/contract/auth.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { ApiDescription } from '../../formats/data/api-description.ts';
import { type DataMap, type Scalar, entryOf } from '../../formats/data/tree.ts';
import { placesOf, slice } from '../../formats/text.ts';
import { anyPlaceholder, type Bases, matchRoute, matchUrl } from '../../verdict/bases/routes.ts';
import type { Mention, Replacement } from './mentions.ts';
import { isOfItsTime, type Passage } from './passages.ts';

export function describedPassages(source: SourceText, descriptions: readonly ApiDescription[], bases: Bases): Passage[] {
  const [description] = descriptions;
  if (description === undefined || isOfItsTime.test(source.file)) return [];
  const mentions = mentionsOf(description, bases)?.toSorted((one, other) => one.start - other.start);
  if (mentions === undefined || mentions.length === 0) return [];
  const { file, text } = source;
  const rest = [...mentions, undefined].map((next, i) => text.slice(i === 0 ? 0 : mentions[i - 1]?.end, next?.start)).join(' ');
  return ofAVersion.test(rest) ? [] : [{ file, start: 0, end: text.length, mentions, subjects: undefined, isDescription: true }];
}

/** Settings that an extension offers with our address as their default: who reads one in code that is followed has it moved; one that nobody is seen to read says v2 with the calls beside it. */
export function contributedPassages({ file }: SourceText, defaults: readonly Scalar[], bases: Bases): Passage[] {
  return defaults.flatMap((each): Passage[] => {
    const mentions = addressOf(each, matchUrl(each.value, bases), bases);
    const known = mentions.flatMap((mention) => mention ?? []);
    const [first] = known;
    if (first === undefined || known.length < mentions.length || !isWhole(matchUrl(each.value, bases))) return [];
    return [{ file, start: first.start, end: first.end, mentions: known, subjects: undefined, isDescription: true }];
  });
}

type Match = ReturnType<typeof matchUrl>;
const isWhole = (url: Match): boolean => url.kind === 'ours' && /^(?:\/v1)?\/?$/.test(url.path) && url.rest === '';

/** What changes of an address that is ours. */
export const addressOf = (said: Scalar, url: Match, { v2 }: Bases): readonly (Mention | undefined)[] =>
  url.kind !== 'ours'
    ? []
    : [
        ...(v2 === undefined || v2 === url.base ? [] : [replaced(said, 'base', v2, 0, url.baseEnd)]),
        ...(url.versionStart === undefined ? [] : [replaced(said, 'path', 'v2', url.versionStart, url.versionStart + 'v1'.length)]),
      ];

/** That it is v1's, in a summary, of an operation or in a pointer to one, or has its limits. */
const ofAVersion = /(?:(?<![a-z\d])|~1)v[12](?!\d)|\bdeprecated\b|\b(?:per|an?) (?:second|minute|hour|day)\b/i;

/** `version: v1`, as generators write it, and `title: Messaging API v1`; which release `v1.4` becomes, nobody says. */
const asVersion = /(?<![\w.-])v1(?![\w.-])/g;

/** @returns undefined where a server or an operation is not ours, or something cannot be changed in its place */
function mentionsOf({ names, servers, paths, keys }: ApiDescription, bases: Bases): Mention[] | undefined {
  const urls = servers.map((server) => ({ server, url: matchUrl(server.value, bases) }));
  const ours = urls.flatMap(({ server, url }) => (url.kind === 'ours' && isWhole(url) ? { server, url } : []));
  const [isVersioned, ...others] = new Set(ours.map(({ url }) => url.versionStart !== undefined));
  if (ours.length < urls.length || isVersioned === undefined || others.length > 0) return undefined;
  const isKnown = paths.every(({ path, methods }) => {
    const options = { placeholder: anyPlaceholder };
    const route = isVersioned ? `/v1${path.value}` : path.value;
    return methods.every((method) => matchRoute(route, method, options).length > 0) && matchRoute(route, undefined, options).length > 0;
  });
  if (!isKnown) return undefined;
  const found = [
    ...ours.flatMap(({ server, url }) => addressOf(server, url, bases)),
    ...(isVersioned ? [] : paths.map(({ path }) => replaced(path, 'path', 'v2', 1, 1 + 'v1'.length))),
    ...keys.flatMap(bearerOf),
    ...names.flatMap((name) =>
      Array.from(name.value.matchAll(asVersion), ({ index }) => replaced(name, 'path', 'v2', index, index + 'v1'.length)),
    ),
  ];
  return found.includes(undefined) ? undefined : found.flatMap((mention) => mention ?? []);
}

/** The same entries say it of v2, with none too many: `{ type: http, scheme: bearer, bearerFormat: API key }`. */
function bearerOf(key: DataMap): readonly (Mention | undefined)[] {
  return [
    ...entryAs(key, /^type$/, 'type', 'http'),
    ...entryAs(key, /^in$/, 'scheme', v2Auth.scheme.toLowerCase()),
    ...entryAs(key, /^name$/, 'bearerFormat', 'API key'),
  ];
}

function entryAs(map: DataMap, name: RegExp, key: string, value: string): readonly (Mention | undefined)[] {
  const entry = entryOf(map, name);
  if (entry?.value.kind !== 'scalar') return [undefined];
  return [...(entry.key.value === key ? [] : [replaced(entry.key, 'header name', key)]), replaced(entry.value, 'header name', value)];
}

function replaced({ value, text }: Scalar, what: Replacement['what'], by: string, from = 0, to = value.length): Mention | undefined {
  const [place, ...more] = text === undefined ? [] : placesOf(slice(text, from, to));
  const [all] = text === undefined ? [] : placesOf(text);
  if (place === undefined || all === undefined || more.length > 0 || place.end - place.start !== to - from) return undefined;
  return { kind: 'address', endpoints: [], ...all, replacements: [{ ...place, text: by, what }] };
}
