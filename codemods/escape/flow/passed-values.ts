/** What an expression is on every call path to it: what is a parameter here, its callers give. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { optionsOf, type ParamValue, type Value } from '../../evaluate/values.ts';
import { Frames, type Owner, type Step } from '../../requests/call-paths.ts';
import { Makers } from '../../requests/makers.ts';
import type { Callers } from '../../requests/recursion.ts';
import type { Place } from '../../evaluate/budget.ts';

/** As many as a wrapper has callers; more are call paths that multiply, and are not followed. */
const maxPaths = 5_000;
const maxDepth = 10;

/**
 * Those who make a client are not told apart, unless what they give together is too much to tell.
 * @returns what it can be; the question that this is a part of is cut where not all call paths were followed
 */
export function valuesAt(ev: Evaluation, callers: Callers, place: Place): Value[] {
  const paths = known.get(callers) ?? { frames: new Frames(ev, callers), makers: new Makers(ev) };
  known.set(callers, paths);
  const joined = valuesBy(ev, place, paths);
  return joined.some(({ why }) => why === 'too many') ? valuesBy(ev, place, { frames: new Frames(ev, callers) }) : joined;
}

interface Paths {
  readonly frames: Frames;
  readonly makers?: Makers;
}

/** Where makers are joined call paths are few, and what was found out on them is asked for at the next place, too. */
const known = new WeakMap<Callers, Paths>();

function valuesBy(ev: Evaluation, { node, module }: Place, { frames, makers }: Paths): Value[] {
  const found: Value[] = [];
  const waiting: Step[][] = [[]];
  for (let steps = waiting.pop(); steps !== undefined; steps = waiting.pop()) {
    if (found.length >= maxPaths || ev.budget.isExhausted) {
      ev.budget.cut();
      break;
    }
    const value = ev.evaluate(node, { module, frame: frames.of(steps) });
    const owners = new Set<Owner>(paramsIn(value).map(({ owner }) => owner));
    for (const { owner } of steps) owners.delete(owner);
    const [owner] = owners;
    found.push(...optionsOf(value));
    if (owner === undefined) continue;
    const next = frames.callersOf(owner, steps);
    if (steps.length >= maxDepth) ev.budget.cut();
    else for (const caller of makers?.joined(next) ?? next) waiting.push(frames.withStep(steps, { owner, caller }));
  }
  return found;
}

/**
 * Everything that a place may be on any call path: the values of all callers joined. This takes one
 * look at each caller, where following call paths takes one at each combination of them.
 */
export function joinedValuesAt(ev: Evaluation, callers: Callers, { node, module }: Place): Value[] {
  const found = [...optionsOf(ev.evaluate(node, { module, frame: undefined }))];
  const asked = new Map<Owner, Set<number>>();
  // A list that grows while it is walked.
  for (const value of found) {
    for (const { owner, index } of paramsIn(value)) {
      const known = asked.get(owner) ?? new Set<number>();
      asked.set(owner, known);
      if (known.size === known.add(index).size) continue;
      for (const caller of callers.get(owner) ?? []) {
        const args = caller.args(ev, undefined);
        // Behind a spread that is not known, any may be it.
        for (const given of index < args.length ? args.slice(index, index + 1) : args) found.push(...optionsOf(given));
      }
    }
  }
  return found;
}

/** The parameters that decide a value. */
function paramsIn(value: Value): ParamValue[] {
  return optionsOf(value).flatMap((option) => {
    if (option.type === 'param') return [option];
    if (option.type === 'list') return option.given === undefined ? [] : [option.given];
    return option.type === 'text' ? option.parts.flatMap((part) => ('unknownPart' in part ? paramsIn(part.unknownPart) : [])) : [];
  });
}
