/** Keys that a cache, a store or a map is asked by, where the path of a moved request stands in them behind a word of their own. */
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import { flat } from '../evaluate/text.ts';
import { placesOf, type RequestSite } from '../verdict/request-sites.ts';
import { routeHeads } from '../verdict/routes.ts';
import { wholeOf } from './repeats.ts';
import { type Suspicious, textIn } from './suspicious.ts';

/** What caches, stores and maps are called by: other code puts the same key together of the path of its request. */
const keeping = /^(?:get|set|has|add|delete|del|unlink|unset|remove\w*|expire|evict|invalidate\w*|(?:get|set|has)Item)$/;
const keyOfPath = new RegExp(`^([^\\s/]+[^\\w/…])(${routeHeads.join('|')})(?![\\w-])\\S*$`);

/**
 * Tells of a text whether it is such a key of a request that moves: `` cache.delete(`GET:/v1/contacts/${id}`) ``. Nothing is found there by a path that
 * is another from now on. A table of handlers is of a server, and another service may have the same paths.
 */
export function keptFor(sites: readonly RequestSite[], isMoved: (site: RequestSite) => boolean): (literal: Suspicious) => boolean {
  const moved = sites.filter(isMoved);
  const heads = new Set(moved.flatMap(headsOf));
  const movedIn = new Set(moved.flatMap(placesOf).map(({ module }) => module));
  const others = sites.filter(({ verdict }) => verdict.kind === 'foreign');
  const words = new Set(others.flatMap(({ verdict }) => (verdict.kind === 'foreign' ? verdict.host.split(/[.:]/) : [])));
  return ({ node, module }) => {
    const { parent } = wholeOf(node);
    if (parent?.kind !== 'call' || parent.callee.kind !== 'member' || !keeping.test(parent.callee.property ?? '')) return false;
    const [, word = '', head = ''] = keyOfPath.exec(textIn(node)) ?? [];
    if (!heads.has(head) || parent.args.some((arg) => arg.kind === 'function' && arg.params.length > 0)) return false;
    const isAskedOfOthers = others.some((site) => site.request.module === module && headsOf(site).includes(head));
    return !(isAskedOfOthers && !movedIn.has(module)) && !word.split(/[^\w-]+/).some((each) => words.has(each.toLowerCase()));
  };
}

/** `/v1/contacts`: how the path begins that a request asks for, which may be on v2 already. */
function headsOf({ verdict, request: { url = [] } }: RequestSite): string[] {
  const path =
    verdict.kind === 'ours' && verdict.endpoint !== undefined ? v1Endpoints[verdict.endpoint].path : flat(url).replace('/v2/', '/v1/');
  return routeHeads.filter((head) => new RegExp(`${head}(?![\\w-])`).test(path));
}
