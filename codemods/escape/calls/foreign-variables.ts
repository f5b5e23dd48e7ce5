/** What is of other services: variables that only their calls read, as what a test holds under such a name is for these, and addresses at their hosts. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { World } from '../../evaluate/program.ts';
import { variable } from '../../evaluate/settings/settings.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';

/** Whether a place is what stands under the name of a variable that is read here, and by calls of other services alone. */
export function isForOthers({ parent }: Node, world: World, sites: readonly RequestSite[]): boolean {
  const name = parent?.kind === 'property' ? parent.name : undefined;
  if (name === undefined || !variable.test(name)) return false;
  const others = new Set<Node>(sites.flatMap((site) => (isOfOthers(site) ? site.request.call : [])));
  const isTheirs = (read: Node): boolean => {
    for (let at: Node | undefined = read; at !== undefined; at = at.parent) if (others.has(at)) return true;
    return false;
  };
  const reads = [...world.modules.values()].flatMap(({ tree: { program } }): Node[] => [
    ...nodesOfKind(program, 'member').filter(({ property }) => property === name),
    ...nodesOfKind(program, 'patternProperty').filter((each) => each.name === name),
  ]);
  return reads.length > 0 && reads.every(isTheirs);
}

/** Tells the addresses at hosts that the program itself asks, and that are none of ours. */
export function addressesOfOthers(sites: readonly RequestSite[]): (node: Node) => boolean {
  const hosts = new Set(
    sites.flatMap(({ verdict, request: { isMock, module } }) =>
      verdict.kind === 'foreign' && !verdict.isMadeUp && !isMock && !isTest(module) ? verdict.host : [],
    ),
  );
  return (node) => node.kind === 'string' && hosts.has(URL.parse(node.value)?.host ?? '');
}

/** At another host, or for a path that is wholly known and none of v1's. */
function isOfOthers({ verdict, request: { url = [] } }: RequestSite): boolean {
  if (verdict.kind === 'foreign') return true;
  return verdict.kind === 'unproven' && verdict.route === undefined && new RegExp(`^${unknownPart}/[^${unknownPart}]+$`).test(flat(url));
}
