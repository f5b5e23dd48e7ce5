/** Which requests are run where a test expects something: these it is about, and not those that other tests run. */
import { allOf } from '../../evaluate/calls/callers.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { memoOf } from '../../once.ts';
import type { Reach } from './reached.ts';
import type { RequestSite } from '../request-sites.ts';
import type { RunByNames } from './run-by-names.ts';

/** Of some requests those that the test itself runs, or at least its file, if there are any. */
export type Near = (site: Pick<RequestSite, 'request'>, found: readonly RequestSite[]) => readonly RequestSite[];

export function nearIn(reach: Reach, runBy: RunByNames): Near {
  // The tests of a suite run the same files, and are about the same requests.
  const among = memoOf((found: readonly RequestSite[]) =>
    memoOf((module: SourceText) =>
      memoOf((reached: ReadonlySet<SourceText>): readonly RequestSite[] => {
        const isRun = (each: SourceText): boolean => reached.has(each) || each === module;
        const own = found.filter((other) => isRun(other.request.module));
        // Others may come to the same place by files that the test does not run.
        const isWhole = (other: RequestSite): boolean => other.request.callers.every((caller) => isRun(caller.module));
        const whole = new Set(own.flatMap((other) => (isWhole(other) ? other.request.call : [])));
        return own.filter((other) => !whole.has(other.request.call) || isWhole(other));
      }),
    ),
  );
  const nearByFiles: Near = ({ request }, found) => {
    for (const reached of [reach.byTest(request), reach.byFile(request.module)]) {
      const own = among(found)(request.module)(reached);
      if (own.length > 0) return own;
    }
    return found;
  };
  return (site, found) => {
    const reached = nearByFiles(site, found);
    const isRun = site.request.expects === undefined && site.request.url !== undefined ? undefined : runBy(site.request);
    // Which tests call it, the call path of one of them stands for.
    const isAsked = ({ request: { call, module, callers } }: RequestSite): boolean =>
      [[{ node: call, module }], ...callers.filter((each) => !isTest(each.module)).map(allOf)].every((each) =>
        each.some((place) => isRun?.(place)),
      );
    const own = isRun === undefined ? [] : reached.filter(isAsked);
    return own.length > 0 ? own : reached;
  };
}
