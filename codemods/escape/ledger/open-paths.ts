/**
 * Calls whose base nobody knows are told where they are made. The path that a wrapper is given elsewhere, and where the base is given or read, stay with these:
 * whoever moves them by hand needs each, and nothing in such a line looks like v1 by itself.
 */
import { nodesOf } from '../../evaluate/values/provenance.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { coverOf } from '../../formats/text.ts';
import type { Finding, LedgerEntry } from '../../model.ts';
import { memo } from '../../once.ts';
import type { Request } from '../../requests/requests.ts';
import type { Node } from '../../syntax/tree.ts';
import { envOf } from '../../verdict/bases/environment.ts';
import { pathGiven, versionPlace } from '../../verdict/named-places.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { entryFor } from './ledger-entry.ts';

interface Place {
  readonly node: Pick<Node, 'start' | 'end'>;
  readonly module: SourceText;
}

/**
 * @param told what is told of calls
 * @param entries what the ledger has already
 */
export function pathsOfOpenCalls(sites: readonly RequestSite[], told: readonly Finding[], entries: readonly LedgerEntry[]): LedgerEntry[] {
  const open = new Set(told.flatMap((each) => (each.code === 'base-not-proven' ? `${each.file} ${each.start}` : [])));
  const entriesIn = Map.groupBy(entries, ({ file }) => file);
  const isKnownIn = memo((file: string) => coverOf(entriesIn.get(file) ?? []));
  const found = sites.flatMap(({ verdict, request }): [string, LedgerEntry][] => {
    const isTold = [versionPlace(request), { node: request.call, module: request.module }].some((place) => open.has(keyOf(place)));
    if (verdict.kind !== 'unproven' || !isTold) return [];
    // What v1 has no route for may be another service's.
    const paths = verdict.route === undefined ? [] : [pathGiven(request)];
    return [...paths, ...basePlace(request)].flatMap((place): [string, LedgerEntry][] => {
      const { node, module } = place;
      if (open.has(keyOf(place)) || isKnownIn(module.file)(node)) return [];
      return [[keyOf(place), entryFor({ module, start: node.start, end: node.end }, ['person', 'base-not-proven'])]];
    });
  });
  return [...new Map(found).values()];
}

const keyOf = ({ node: { start }, module: { file } }: Place): string => `${file} ${start}`;

/** Where a variable is read that the base is, or under which option a client is given it: `axios.create({ baseURL: url })`. */
function basePlace({ url: [base] = [] }: Request): Place[] {
  const variable = envOf(base);
  if (variable !== undefined) return [variable];
  const option = nodesOf(base?.provenance).find(({ node }) => node.parent?.kind === 'property' && node.parent.value === node);
  return option === undefined ? [] : [option];
}
