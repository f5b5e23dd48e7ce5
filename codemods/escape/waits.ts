/** How long a program waits, in milliseconds: as it is written, by a constant or a default, or as a caller says. */
import { type Call, callsOf } from '../evaluate/all-callers.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { callerOf } from '../evaluate/named.ts';
import { isTest } from '../evaluate/test-files.ts';
import { type Frame, optionsOf, plainText, type Value } from '../evaluate/values.ts';
import type { Expression, FunctionNode, Node } from '../syntax/tree.ts';
import { returnedBy } from './returned.ts';

export interface Wait {
  readonly milliseconds: number;
  /** The call that says so, of the function around the wait. */
  readonly by?: Call;
}

/** @returns none where it is not known, one for each call that gives one of its own */
export function waitsOf(ev: Evaluation, node: Expression, module: SourceModule): Wait[] {
  const at = (frame: Frame | undefined): At => ({ module, frame });
  const written = shortestIn(ev, node, at(undefined));
  if (written !== undefined) return [{ milliseconds: written }];
  for (const owner of functionsAround(node)) {
    const own = shortestIn(ev, node, at({ owner, outer: undefined }));
    const calls = callsOf(ev, owner).filter((call) => !isTest(call.module));
    const given = calls.flatMap((by): Wait[] => {
      const milliseconds = shortestIn(ev, node, at({ owner, call: callerOf(by.node, by.module), outer: undefined }));
      return milliseconds === undefined ? [] : milliseconds === own ? [{ milliseconds }] : [{ milliseconds, by }];
    });
    if (given.length > 0) return given;
    // Where all give one of their own that is not known, the default says nothing.
    if (own !== undefined) return calls.length > 0 ? [] : [{ milliseconds: own }];
  }
  return [];
}

function shortestIn(ev: Evaluation, node: Expression, at: At): number | undefined {
  const found = numbersIn(ev, node, at).filter((number) => number > 0);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** `Number(process.env.WAIT ?? 5000)`, `isDone ? false : 5000`, and what a function gives that is asked for it. */
function numbersIn(ev: Evaluation, node: Expression, at: At): number[] {
  const [first] = node.kind === 'call' ? node.args : [];
  if (node.kind === 'call' && first !== undefined && first.kind !== 'spread' && isConversion(node.callee)) return numbersIn(ev, first, at);
  if (node.kind === 'function') return returnedBy(node).flatMap((each) => numbersIn(ev, each, at));
  if (node.kind === 'logical') return [node.left, node.right].flatMap((each) => numbersIn(ev, each, at));
  return optionsOf(ev.evaluate(node, at)).flatMap(numberOf);
}

const isConversion = (callee: Expression): boolean => callee.kind === 'name' && /^(?:Number|parseInt|parseFloat)$/.test(callee.name);

function numberOf(value: Value): number[] {
  if (value.type === 'literal') return typeof value.value === 'number' ? [value.value] : [];
  const text = plainText(value);
  return text !== undefined && /^\d+$/.test(text) ? [Number(text)] : [];
}

/** From the innermost on. */
function functionsAround(node: Node): FunctionNode[] {
  const found: FunctionNode[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'function') found.push(at);
  return found;
}
