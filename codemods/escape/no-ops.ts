/** Wrappers that nobody calls: the `put(url)` of a client of which only `get` and `post` are used. */
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Part } from '../evaluate/values.ts';
import { walk } from '../syntax/link.ts';
import type { Node } from '../syntax/tree.ts';
import { isRoute, servedIn, suspicious } from './ledger.ts';
import { placesOf, type Site, touching } from '../verdict/request-sites.ts';
import type { Change } from '../verdict/spans.ts';

/**
 * A wrapper that is not called has no path, and forbids nothing to those that are, unless some path of v1 is left that nobody is
 * seen to ask for: that may be its.
 * @returns the sites without those of such wrappers that share a change with others
 */
export function withoutIdle(ev: Evaluation, sites: readonly Site[], changes: readonly Change[]): readonly Site[] {
  const idle = new Set(sites.filter((site) => isIdle(site) && changes.some(touching(site))));
  return idle.size === 0 || hasLoosePath(ev, sites) ? sites : sites.filter((site) => !idle.has(site));
}

const isIdle = ({ request, verdict }: Site): boolean => {
  if (verdict.kind !== 'dynamic-path' || !request.isOpen || request.isMock) return false;
  const [, ...rest] = request.url ?? [];
  const holes = rest.filter((part) => 'hole' in part);
  return holes.length > 0 && holes.every(isNeverGiven);
};

const isNeverGiven = (part: Part): boolean => 'hole' in part && part.hole.type === 'unknown' && part.hole.node?.kind === 'param';

/** Whether a path of v1 goes somewhere that was not followed. */
function hasLoosePath(ev: Evaluation, sites: readonly Site[]): boolean {
  const asked = new Set(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));
  return [...ev.world.modules.values()].some((module) => {
    const loose = suspicious(module).filter(({ node }) => isRoute(node) && !asked.has(node));
    const served = loose.length === 0 ? undefined : servedIn(ev, module);
    return loose.some(({ node }) => served?.has(node) === false && isUsed(ev, node, asked));
  });
}

/** Whether a text is given to a call, or what it is called by stands somewhere else than on the way to a request. */
function isUsed(ev: Evaluation, text: Node, asked: ReadonlySet<Node>): boolean {
  let name: string | undefined;
  for (let at = text.parent; at !== undefined && name === undefined; at = at.parent) {
    if (at.kind === 'call') return true;
    if (at.kind === 'property' || at.kind === 'classMember') name = at.name;
    if (at.kind === 'variable' && at.target.kind === 'patternName') ({ name } = at.target);
  }
  if (name === undefined) return true;
  return [...ev.world.modules.values()].some(({ tree }) => {
    let isNamed = false;
    walk(tree.program, (node) => {
      const isReference = (node.kind === 'member' && node.property === name) || (node.kind === 'name' && node.name === name);
      isNamed ||= isReference && !asked.has(node);
      return !isNamed;
    });
    return isNamed;
  });
}
