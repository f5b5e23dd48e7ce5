/** What a call accounts for: the places of its address and its key. */
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { FindingCode } from '../../model.ts';
import type { Node } from '../../syntax/tree.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';

interface Accounted {
  readonly node: Node;
  readonly module: SourceText;
}

/** What is asked of a host that a test made up, through a client of the program, says nothing of whom the program asks. */
export function accountedBy(site: RequestSite): readonly Accounted[] {
  const { verdict, keys, request } = site;
  if (verdict.kind !== 'foreign') return [...placesOf(site), ...keys];
  const all = [...placesOf(site), ...keys, ...keys.flatMap(({ key }) => key?.source ?? [])];
  const isOfTest = verdict.isMadeUp && [request, ...all].some(({ module }) => isTest(module));
  return isOfTest ? all.filter(({ module }) => isTest(module)) : all;
}

/**
 * Why what stands in one chain of calls with a base of ours stays on v1: `Builder.to(base).header('x-api-key', key)`. Where what a class keeps is not told
 * apart by instance, another host's request seems to have that, too.
 */
export function openBaseBeside(sites: readonly RequestSite[], chainAround: (node: Node) => Node): (node: Node) => FindingCode | undefined {
  const codes = new Map<Node, FindingCode>();
  for (const { verdict, request } of sites) {
    const [first] = request.url ?? [];
    if (verdict.kind !== 'dynamic-path' && verdict.kind !== 'unknown-route') continue;
    if (first !== undefined && 'text' in first && first.source !== undefined) codes.set(chainAround(first.source.node), verdict.kind);
  }
  return (node) => codes.get(chainAround(node));
}

/** Whether a place is of the function in which it is decided by a path which requests get the header: what gives that belongs to what is held there. */
export function besideDecisions(
  reported: readonly { readonly node: Node; readonly code?: FindingCode | undefined }[],
): (node: Node) => boolean {
  const deciding = new Set(reported.flatMap(({ node, code }) => (code === 'decides-by-path' ? (functionAround(node) ?? []) : [])));
  return (node) => {
    const around = functionAround(node);
    return around !== undefined && deciding.has(around);
  };
}
