/** Clients that a test makes for the machine itself and asks nothing by: `new Client({ url: 'http://localhost:5000' }).urlOf('/contacts')`. */
import type { Caller } from '../../evaluate/calls/callers.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { memoOf } from '../../once.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { functionsAround } from '../../requests/left-to-default.ts';
import { isWithin } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { isLoopback } from '../bases/hosts.ts';
import type { RequestSite } from '../request-sites.ts';

/** @returns whether nobody asks by such a client what a request would be: other clients of its class do */
export function madeAlone({ callers }: CallGraph): (site: RequestSite) => boolean {
  const leading = memoOf((call: Node) => leadingTo(call, callers));
  return ({ request, verdict }) => {
    if (verdict.kind !== 'foreign' || !isLoopback(verdict.host) || request.isMock || isTest(request.module)) return false;
    const inTests = request.callers.filter(({ module }) => isTest(module));
    return inTests.length > 0 && inTests.every((caller) => isOnlyMade(caller, leading(request.call)));
  };
}

/** Whether a call makes a client that is kept where it is made, and no call there leads to a request. */
function isOnlyMade({ node, module, all }: Caller, leading: ReadonlyMap<Node, SourceText>): boolean {
  const isKept = node.parent?.kind === 'variable' || node.parent?.kind === 'member';
  if (!node.isNew || !isKept || all !== undefined) return false;
  const around = functionAround(node) ?? module.tree.program;
  return ![...leading].some(([call, of]) => of === module && isWithin(around, call));
}

/** The calls by which one is come to, but for those that make what it is called on. */
function leadingTo(call: Node, callers: CallGraph['callers']): ReadonlyMap<Node, SourceText> {
  const found = new Map<Node, SourceText>();
  const add = (from: Node): void => {
    for (const fn of functionsAround(from)) for (const { node, module } of callers.get(fn) ?? []) if (!node.isNew) found.set(node, module);
  };
  add(call);
  // A map that grows while it is walked.
  for (const each of found.keys()) add(each);
  return found;
}
