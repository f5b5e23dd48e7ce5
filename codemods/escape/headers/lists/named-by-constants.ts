/** Headers that calls of ours give under a constant's name. */
import type { Entry } from '../../../evaluate/values/values.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { keyOf } from '../../../verdict/changes/groups.ts';
import { constantOf } from '../../../verdict/changes/kept-names.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import type { Change } from '../../../verdict/changes/spans.ts';

/** Where our clients give the header by constants: what others have of these is told there. What tests expect by them is for the tests alone. */
export const namedByConstants = (sites: readonly RequestSite[]): ReadonlyMap<string, Entry> =>
  new Map(
    sites
      .flatMap((site) =>
        site.changes.flatMap((change): [string, Entry][] => {
          const entry = change.what === 'header name' ? site.keys.find((each) => isByConstant(each, change)) : undefined;
          return entry === undefined || isTest(entry.module) ? [] : [[keyOf(change), entry]];
        }),
      )
      .toReversed(),
  );

const isByConstant = (entry: Entry, { module, start }: Change): boolean =>
  entry.key?.source?.module === module && entry.key.source.start === start && constantOf(entry) !== undefined;
