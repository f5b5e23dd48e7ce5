/** What a test asks itself where a server stands in for the service: a call beside those of the client that the test has ask there. */
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Request } from '../../requests/requests.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../request-sites.ts';
import { asOurs, isStandIn } from '../bases/stand-ins.ts';
import type { Bases } from '../bases/routes.ts';

/**
 * A call of a test moves with the client that has its address from the same place of the file, where nobody else has: who answers the one answers the
 * other.
 */
export function withAskedDirectly(sites: readonly RequestSite[], bases: Bases): readonly RequestSite[] {
  const direct = new Set(sites.filter(isDirect));
  if (direct.size === 0) return sites;
  const byPlace = new Map<Node, Asked>();
  for (const site of sites)
    for (const node of placesOfAddress(site.request)) {
      const asked = byPlace.get(node) ?? { follows: new Set(), isOthers: false };
      byPlace.set(node, asked);
      if (site.isForStandIn === true) for (const each of site.follows ?? []) asked.follows.add(each);
      else asked.isOthers ||= !direct.has(site);
    }
  return sites.map((site) => {
    if (!direct.has(site)) return site;
    const beside = placesOfAddress(site.request, site.request.module).flatMap((node) => byPlace.get(node) ?? []);
    const found = beside.find(({ follows }) => follows.size > 0);
    if (found === undefined || beside.some(({ isOthers }) => isOthers)) return site;
    return asOurs(site.request, [...found.follows], bases) ?? site;
  });
}

/** Who asks at an address that is taken from one place. */
interface Asked {
  /** The requests of ours that go to the service elsewhere. */
  readonly follows: Set<RequestSite>;
  isOthers: boolean;
}

const isDirect = (site: RequestSite): boolean =>
  site.verdict.kind === 'foreign' && isStandIn(site) && isTest(site.request.module) && site.authorizations.length === 0;

/** Where tests have an address from, but not within what makes it for whoever calls that: `await fake.start()`. */
function placesOfAddress({ url: [first] = [] }: Request, within?: Request['module']): readonly Node[] {
  const source = first !== undefined && 'text' in first ? first.source : undefined;
  const maker = source === undefined ? undefined : makerAround(source.node);
  return nodesOf(first?.provenance).flatMap(({ node, module }) =>
    isTest(module) && (within === undefined || module === within) && (maker === undefined || makerAround(node) !== maker) ? node : [],
  );
}

/** The function that others may call for a thing of their own: no callback, as that of `beforeEach` is. */
function makerAround(node: Node): FunctionNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'function' && at.parent?.kind !== 'call') return at;
  return undefined;
}
