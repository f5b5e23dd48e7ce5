/** Paths of v1 whose version is a constant, in calls that nobody follows: `client.get(`/${API_VERSION}/campaigns`)`. No text says what they are. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { optionsOf, plainText } from '../../evaluate/values/values.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node, TemplateNode } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { type Bases, routeHeads } from '../../verdict/bases/routes.ts';
import { servedIn } from '../servers/own-routes.ts';
import { modulesNear } from '../ledger/reach.ts';
import type { Suspicious } from '../ledger/suspicious.ts';

const behindVersion = new RegExp(`^(?:${routeHeads.map((head) => head.replace(/^\/v1/, '')).join('|')})(?=[/?]|$)`);

/** @returns those beside a configured base of which no request of these is made */
export function composedPaths(ev: Evaluation, sites: readonly RequestSite[], bases: Bases): Suspicious[] {
  const asked = new Set<Node>();
  for (const { request } of sites)
    for (const part of request.url ?? []) if ('text' in part && part.source !== undefined) asked.add(part.source.node);
  return [...modulesNear(ev.world, bases)].flatMap((module) => {
    const composed = nodesOfKind(module.tree.program, 'template').filter(
      (node) => isGiven(node) && !asked.has(node) && beginsWithVersion(ev, node, module),
    );
    const served = composed.length === 0 ? undefined : servedIn(ev, module);
    return composed.flatMap((node): Suspicious[] =>
      served?.has(node) === true ? [] : [{ node, module, start: node.start, end: node.end }],
    );
  });
}

/** To a call: a page's own link, or a key of a cache, is none. */
const isGiven = ({ parent }: Node): boolean => parent?.kind === 'call';

function beginsWithVersion(
  ev: Evaluation,
  { texts: [first, second], expressions: [version] }: TemplateNode,
  module: SourceModule,
): boolean {
  if (first === undefined || !/^\/?$/.test(first.value) || version === undefined || !behindVersion.test(second?.value ?? '')) return false;
  const { value } = ev.budget.question({ node: version, module }, () => ev.evaluate(version, { module, frame: undefined }));
  return optionsOf(value).some((each) => /^\/?v1$/.test(plainText(each) ?? ''));
}
