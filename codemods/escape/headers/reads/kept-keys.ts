/** Keys that a cache, a store or a map is asked by, where the path of a moved request stands in them behind a word of their own. */
import { v1Endpoints } from '../../../../src/contract/endpoints.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { flat } from '../../../evaluate/values/text.ts';
import { memo } from '../../../once.ts';
import type { CallNode, Node } from '../../../syntax/tree.ts';
import { placesOf, type RequestSite } from '../../../verdict/request-sites.ts';
import { type Bases, routeHeads } from '../../../verdict/bases/routes.ts';
import { wholeOf } from '../../paths/repeats.ts';
import { type Suspicious, textIn } from '../../ledger/suspicious.ts';

/** What caches, stores and maps are called by: other code puts the same key together of the path of its request. */
const keeping = /^(?:get|set|has|add|delete|del|unlink|unset|remove\w*|expire|evict|invalidate\w*|(?:get|set|has)Item)$/;
const putting = /^(?:set(?:Item)?|add)$/;
const keyOfPath = new RegExp(`^([^\\s/]+[^\\w/…])(${routeHeads.join('|')})(?![\\w-])\\S*$`);

/**
 * Tells of a text whether it is such a key of a request that moves: `` cache.delete(`GET:/v1/contacts/${id}`) ``. Nothing is found there by a path that
 * is another from now on. A table of handlers is of a server, and another service may have the same paths: its answers are under its name, or put there
 * where nobody but it is asked.
 */
export function keptFor(
  sites: readonly RequestSite[],
  isMoved: (site: RequestSite) => boolean,
  bases: Bases,
): (literal: Suspicious) => boolean {
  const moved = sites.filter(isMoved);
  const heads = new Set(moved.flatMap(headsOf));
  const movedIn = new Set(moved.flatMap(placesOf).map(({ module }) => module));
  const others = sites.filter(({ verdict }) => verdict.kind === 'foreign');
  const ours = new Set([...bases.v1.map((base) => nameOf(new URL(base).host)), ...routeHeads.map((head) => head.split('/').at(-1))]);
  const names = new Set(others.flatMap(({ verdict }) => (verdict.kind === 'foreign' ? (nameOf(verdict.host) ?? []) : [])));
  const byModule = Map.groupBy(others, ({ request }) => request.module);
  const othersIn = memo((module: SourceModule) => new Set((byModule.get(module) ?? []).flatMap(headsOf)));
  const putIn = memo(
    (module: SourceModule) =>
      new Set(module.texts.filter((text) => putting.test(callOf(text)?.property ?? '')).map((text) => textIn(text))),
  );
  return ({ node, module }) => {
    const { call, property = '' } = callOf(node) ?? {};
    if (call === undefined || !keeping.test(property)) return false;
    const key = textIn(node);
    const [, word = '', head = ''] = keyOfPath.exec(key) ?? [];
    if (!heads.has(head) || call.args.some((arg) => arg.kind === 'function' && arg.params.length > 0)) return false;
    if (othersIn(module).has(head) && !movedIn.has(module) && putIn(module).has(key)) return false;
    return !word.split(/[^\w-]+/).some((each) => names.has(each.toLowerCase()) && !ours.has(each.toLowerCase()));
  };
}

/** `hubdesk` of `api.hubdesk.io`: what stands before it others have as well. */
const nameOf = (host: string): string | undefined => host.toLowerCase().split('.').at(-2);

/** The call of a method that a text is given to. */
function callOf(node: Node): { readonly call: CallNode; readonly property: string | undefined } | undefined {
  const { parent } = wholeOf(node);
  return parent?.kind === 'call' && parent.callee.kind === 'member' ? { call: parent, property: parent.callee.property } : undefined;
}

/** `/v1/contacts`: how the path begins that a request asks for, which may be on v2 already. */
function headsOf({ verdict, request: { url = [] } }: RequestSite): string[] {
  const path =
    verdict.kind === 'ours' && verdict.endpoint !== undefined ? v1Endpoints[verdict.endpoint].path : flat(url).replace('/v2/', '/v1/');
  return routeHeads.filter((head) => new RegExp(`${head}(?![\\w-])`).test(path));
}
