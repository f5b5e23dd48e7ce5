/** What stands in the place of `fetch`, and is also given to a package, which may ask another service by it: `new LocksClient({ fetch: fakeFetch(table) })`. */
import { callsOf } from '../../evaluate/calls/all-callers.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import type { CallNode, FunctionNode, Node } from '../../syntax/tree.ts';

/** @param fn what answers, in the function that makes it */
export function isGivenToPackage(ev: Evaluation, fn: FunctionNode): boolean {
  const maker = functionAround(fn);
  return (
    maker !== undefined &&
    callsOf(ev, maker).some(({ node, module }) => placesOf(node, module).some((place) => isTakenBy(ev, place, module)))
  );
}

/** Where it is given to something: the call that makes it, or the name that this is kept under. */
function placesOf(made: CallNode, { scopes }: SourceModule): readonly Node[] {
  const { parent } = made;
  if (parent?.kind !== 'variable' || parent.target.kind !== 'patternName') return [made];
  return scopes.declaredBy(parent.target)?.references ?? [];
}

function isTakenBy(ev: Evaluation, place: Node, module: SourceModule): boolean {
  let at = place;
  while (at.parent?.kind === 'property' || at.parent?.kind === 'object') at = at.parent;
  const call = at.parent;
  if (call?.kind !== 'call' || call.callee === at) return false;
  const callees = optionsOf(ev.budget.question({ node: call, module }, () => ev.evaluate(call.callee, { module, frame: undefined })).value);
  return callees.some((callee) => callee.type === 'external' && callee.source !== '');
}
