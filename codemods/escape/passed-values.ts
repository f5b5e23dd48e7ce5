/** What an expression is on every way that its function is called: what is a parameter here, its callers give. */
import type { Evaluation } from '../evaluate/evaluation.ts';
import { optionsOf, type Value } from '../evaluate/values.ts';
import { type Callers, frameOf, type Owner, type Step, withStep } from '../requests/call-paths.ts';
import type { Place } from './readers.ts';

/** More ways than this to one place are not followed. */
const mostWays = 200;
const deepestWay = 6;

export function valuesAt(ev: Evaluation, callers: Callers, { node, module }: Place): Value[] {
  const found: Value[] = [];
  const waiting: Step[][] = [[]];
  let budget = mostWays;
  for (let steps = waiting.pop(); steps !== undefined && budget > 0 && !ev.effort.isSpent; steps = waiting.pop()) {
    budget--;
    const value = ev.evaluate(node, { module, frame: frameOf(ev, steps) });
    const owners = ownersIn(value);
    for (const { owner } of steps) owners.delete(owner);
    const [owner] = owners;
    found.push(value);
    if (owner === undefined || steps.length >= deepestWay) continue;
    for (const caller of callers.get(owner) ?? [undefined]) waiting.push(withStep(steps, { owner, caller }));
  }
  return found;
}

/** The functions whose callers decide a value. */
function ownersIn(value: Value): Set<Owner> {
  const owners = new Set<Owner>();
  for (const option of optionsOf(value)) {
    if (option.type === 'param') owners.add(option.owner);
    const parts = option.type === 'text' ? option.parts.flatMap((part) => ('hole' in part ? [part.hole] : [])) : [];
    for (const hole of parts) for (const owner of ownersIn(hole)) owners.add(owner);
  }
  return owners;
}
