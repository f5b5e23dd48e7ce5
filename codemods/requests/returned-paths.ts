/** What comes back to a function as it was given: a page keeps the path that it was asked by, and asks for the next one with that. */
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Frame } from '../evaluate/calls/frame.ts';
import { optionsOf, type ParamValue, type Value } from '../evaluate/values/values.ts';
import type { Frames, Owner, Step } from './call-paths.ts';

/** The parameters that a value hangs on. */
export function paramsIn(value: Value): ParamValue[] {
  return optionsOf(value).flatMap((option) => {
    switch (option.type) {
      case 'param':
        return [option];
      case 'text':
        return option.parts.flatMap((part) => ('unknownPart' in part ? paramsIn(part.unknownPart) : []));
      case 'object':
        return option.unknown.flatMap(paramsIn);
      case 'list':
        return option.items.flatMap(paramsIn);
      case 'http':
        return [option.base, option.url].flatMap((each) => (each === undefined ? [] : paramsIn(each)));
      default:
        return [];
    }
  });
}

/**
 * A function on the way that is called with what another call of it was given: what that is, those say who call it from elsewhere.
 * @param params what the request hangs on
 */
export function handedBack(
  ev: Evaluation,
  params: readonly ParamValue[],
  { steps, frame, frames }: { readonly steps: readonly Step[]; readonly frame: Frame | undefined; readonly frames: Frames },
): Owner | undefined {
  const own = params.filter(({ owner }) => steps.some((step) => step.owner === owner));
  const [owner] = own.map((param) => param.owner);
  if (owner === undefined || !own.every((param) => isAsItCame(ev, param, frame))) return undefined;
  return steps.filter((step) => step.owner === owner).length === 1 && frames.callersOf(owner, steps).length > 0 ? owner : undefined;
}

/** Whether a parameter is the same on the way as in the call before. */
function isAsItCame(ev: Evaluation, { node, module }: ParamValue, frame: Frame | undefined): boolean {
  const binding = node.target.kind === 'patternName' ? module.scopes.declaredBy(node.target) : undefined;
  if (binding === undefined) return false;
  return optionsOf(ev.binding(binding, { module, frame })).every((option) => option.type === 'param' && option.node === node);
}
