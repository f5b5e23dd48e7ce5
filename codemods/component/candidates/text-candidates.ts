/** What files that are no scripts say of bases, where none is configured: their requests with a key, and the addresses that they set. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import type { ReadFile } from '../../formats/reader.ts';
import type { Reading } from '../../formats/reading.ts';
import { type CandidateCall, candidateCalls, type HeldAddress } from '../../verdict/bases/candidates.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { anyPlaceholder, type Bases, matchRoute } from '../../verdict/bases/routes.ts';
import { isLocal } from '../../verdict/bases/hosts.ts';
import { isComment } from '../../escape/ledger/text-places.ts';

/** @param sites the requests of the file, without what it only sets. Documents show those of anybody */
export function textCandidates({ kind, source }: ReadFile, sites: readonly RequestSite[], bases: Bases): CandidateCall[] {
  if (kind === 'markdown') return [];
  const found = kind === 'other' ? writtenOut(source, bases) : candidateCalls(sites, bases);
  return found.filter(({ base, withKey }) => withKey && !isLocal(URL.parse(base)?.host ?? ''));
}

const address = /(?<base>https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]+)*?)(?<path>\/v1\/[^\s"'`<>\\,;)]+)/g;

/** Another language: whole addresses of endpoints, where the header is named, too. */
function writtenOut(source: SourceText, bases: Bases): CandidateCall[] {
  const { file, text } = source;
  if (!text.toLowerCase().includes(v1Auth.field)) return [];
  return Array.from(text.matchAll(address)).flatMap(({ index: start, 0: whole, groups = {} }): CandidateCall[] => {
    const { base = '', path = '' } = groups;
    const [route] = matchRoute(path, undefined, { placeholder: anyPlaceholder });
    const place = { start, end: start + whole.length };
    if (route === undefined || bases.v1.includes(base) || isComment(source, place)) return [];
    return [
      {
        base,
        file,
        ...place,
        line: source.position(start).line,
        method: undefined,
        route,
        variables: [],
        withKey: true,
        isMock: false,
        isOfTest: isTest(source),
      },
    ];
  });
}

/** What variables are set to, if that is known and no machine of a developer's own. */
export const addressesSet = ({ settings }: Reading): HeldAddress[] =>
  settings.flatMap(({ name, requests }) =>
    requests.flatMap(({ url = [] }) => {
      const value = flat(url);
      const host = URL.parse(value)?.host ?? '';
      return name === undefined || value.includes(unknownPart) || host === '' || isLocal(host) ? [] : [{ name, value }];
    }),
  );
