/**
 * Requests that a wrapper would make of a path if it were given something else: `if (body) return post(path, body); return get(path)`. Of two methods that one
 * path is asked by on one way, with a question between them, the one that is an endpoint's is meant.
 */
import { answersAround } from '../../evaluate/language/guards.ts';
import { flat } from '../../evaluate/values/text.ts';
import { memoOf } from '../../once.ts';
import type { Node } from '../../syntax/tree.ts';
import type { Request } from '../../requests/requests.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { keyOf } from '../../verdict/changes/groups.ts';
import { allowedSite, type RequestSite } from '../../verdict/request-sites.ts';

/** Only of what is read or posted, and only where all that it has moves along: what has a part of its own would be left with that. */
export function withoutOtherBranches(sites: readonly RequestSite[], bases: Bases): readonly RequestSite[] {
  const lacking = sites.filter(({ verdict, request }) => verdict.kind === 'unknown-route' && !request.isMock && isReadOrMade(request));
  if (lacking.length === 0) return sites;
  const ours = sites.filter(({ verdict, request }) => verdict.kind === 'ours' && verdict.endpoint !== undefined && !request.isMock);
  const byPath = Map.groupBy(ours, pathOnWay);
  const known = new Set(ours.flatMap(({ changes }) => changes.map(keyOf)));
  const isLeft = (site: RequestSite): boolean => {
    const { changes, keys } = allowedSite(site, bases);
    const isAlong = keys.length > 0 && changes.length > 0 && changes.every((change) => known.has(keyOf(change)));
    return isAlong && byPath.get(pathOnWay(site))?.some((other) => areApart(site.request.call, other.request.call)) === true;
  };
  const left = new Set(lacking.filter(isLeft));
  return left.size === 0 ? sites : sites.filter((site) => !left.has(site));
}

const isReadOrMade = ({ method }: Request): boolean => method === 'GET' || method === 'POST';

/** The address, and the calls that lead there. */
const pathOnWay = ({ request: { url = [], callers } }: RequestSite): string =>
  [flat(url), ...callers.map(({ node, module }) => `${module.file}:${node.start}`)].join('\n');

/** Whether one test lets come to the one where it holds, and to the other where it does not. */
function areApart(one: Node, other: Node): boolean {
  const answers = answersOf(other);
  return answersOf(one).some(({ test, holds }) => answers.some((each) => each.test === test && each.holds !== holds));
}

/** Also around functions that stand in a place: `new Promise((resolve) => …)`. */
const answersOf = memoOf((node: Node): ReturnType<typeof answersAround> => {
  const found = answersAround(node);
  let at = node;
  while (at.parent !== undefined && at.kind !== 'function') at = at.parent;
  return at.kind === 'function' && at.parent?.kind === 'call' ? [...found, ...answersOf(at.parent)] : found;
});
