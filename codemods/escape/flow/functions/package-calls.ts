/** The calls of a package's functions in all files: what it was given, any of these may give back. */
import type { Place } from '../../../evaluate/budget.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { optionsOf } from '../../../evaluate/values/values.ts';
import { memoOf } from '../../../once.ts';
import { calledBy } from './arguments.ts';
import { isOfPackage } from '../holding.ts';

/** By the name of the package; thousands of places give something to one. */
export const callsTo = memoOf((ev: Evaluation): ((source: string) => readonly Place[]) => {
  const known = new Map<string, readonly Place[]>();
  return (source) => {
    const found = known.get(source) ?? find(ev, source);
    known.set(source, found);
    return found;
  };
});

const find = (ev: Evaluation, source: string): Place[] =>
  [...ev.world.modules.values()].flatMap((module) => {
    if (!module.text.includes(source)) return [];
    const isOfIt = (node: Place['node']): boolean =>
      optionsOf(ev.evaluate(node, { module, frame: undefined })).some((each) => isOfPackage(each) && each.source === source);
    return module.calls.flatMap((node): Place[] => (!node.isNew && isOfIt(calledBy(node)) ? [{ node, module }] : []));
  });
