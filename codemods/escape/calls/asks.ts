/** Where v1 or v2 is asked, by all ways that lead there: what starts a program from outside of it is held against these. */
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { isScript } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Span } from '../../model.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { succeededBy } from '../../verdict/verdicts.ts';

export interface Ask extends Span {
  /** What the functions, methods and variables around it are called. */
  readonly within: readonly string[];
  /** Of v1's, what it asks on v2. */
  readonly endpoint?: V1EndpointId;
}

/** @param callers who calls a function: a way is seen only as far as it decides a request */
export function asksOf(sites: readonly RequestSite[], callers: CallGraph['callers'] = new Map()): Ask[] {
  const places = new Map<Node, SourceText>();
  const endpoints = new Map<Node, V1EndpointId | undefined>();
  for (const { request, verdict } of sites) {
    if (request.isMock || (verdict.kind !== 'ours' && verdict.kind !== 'v2')) continue;
    places.set(request.call, request.module);
    if (verdict.kind === 'v2') endpoints.set(request.call, succeededBy(request));
    for (const { node, module } of request.callers) places.set(node, module);
  }
  // A map that grows while it is walked: who calls the functions around comes up later.
  for (const [place] of places) {
    for (let at = place.parent; at !== undefined; at = at.parent)
      if (at.kind === 'function') for (const { node, module } of callers.get(at) ?? []) places.set(node, module);
  }
  return [...places].flatMap(([node, module]): Ask[] => {
    const { start, end } = node;
    const endpoint = endpoints.get(node);
    return isTest(module)
      ? []
      : [{ file: module.file, start, end, within: isScript(module) ? namesAround(node) : [], ...(endpoint && { endpoint }) }];
  });
}

function namesAround(node: Node): string[] {
  const names: string[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const name = nameOf(at);
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** `exports.handler = …`, too. */
function nameOf(node: Node): string | undefined {
  switch (node.kind) {
    case 'function':
      return node.name?.name;
    case 'property':
    case 'classMember':
      return node.name;
    case 'variable':
      return node.target.kind === 'patternName' ? node.target.name : undefined;
    case 'assign':
      return node.target.kind === 'member' ? node.target.property : undefined;
    default:
      return undefined;
  }
}
