/** How long a program waits, in milliseconds: as it is written, by a constant or a default, or as a caller says. */
import { type Call, callsOf } from '../../evaluate/calls/all-callers.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { calledBy } from '../../evaluate/calls/call-frames.ts';
import { hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Frame } from '../../evaluate/calls/frame.ts';
import { optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import { functionsAround } from '../../requests/left-to-default.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import { isConversion } from './numbers.ts';
import { returnedBy } from '../flow/functions/returned.ts';

export interface Wait {
  /** undefined where nobody can tell. */
  readonly milliseconds: number | undefined;
  /** The call that says so, of the function around the wait. */
  readonly by?: Call;
}

/** @returns one for each call that gives one of its own */
export function waitsOf(ev: Evaluation, node: Expression, module: SourceModule): Wait[] {
  const at = (frame: Frame | undefined): At => ({ module, frame });
  const written = shortestIn(ev, node, at(undefined));
  if (written !== undefined) return [{ milliseconds: written }];
  for (const owner of functionsAround(node)) {
    const own = shortestIn(ev, node, at(calledBy(ev, owner, undefined, undefined)));
    const calls = callsOf(ev, owner).filter((call) => !isTest(call.module));
    const given = calls.flatMap((by): Wait[] => {
      const milliseconds = shortestIn(ev, node, at(calledBy(ev, owner, by, undefined)));
      return milliseconds === undefined ? [] : milliseconds === own ? [{ milliseconds }] : [{ milliseconds, by }];
    });
    if (given.length > 0) return given;
    // Where all give one of their own that is not known, the default says nothing.
    if (own !== undefined) return [{ milliseconds: calls.length > 0 ? undefined : own }];
  }
  return [{ milliseconds: undefined }];
}

function shortestIn(ev: Evaluation, node: Expression, at: At): number | undefined {
  const found = numbersIn(ev, node, at).filter((number) => number > 0);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** What is made of what is made of … further than this is not looked at. */
const maxDepth = 8;

/** `Number(process.env.WAIT ?? 5000)`, `isDone ? false : 5000`, `seconds * 1000`, and what a function gives that is asked for it. */
function numbersIn(ev: Evaluation, node: Node, at: At, depth = 0): number[] {
  if (depth > maxDepth) return [];
  const next = (each: Node, { module }: Pick<At, 'module'> = at): number[] => numbersIn(ev, each, { ...at, module }, depth + 1);
  const [first] = node.kind === 'call' ? node.args : [];
  if (node.kind === 'call' && first !== undefined && isConversion(node)) return next(first);
  if (node.kind === 'function') return returnedBy(node).flatMap((each) => next(each));
  if (node.kind === 'logical') return [node.left, node.right].flatMap((each) => next(each));
  if (node.kind === 'binary' && node.operator === '*') {
    const by = next(node.right);
    return next(node.left).flatMap((number) => by.map((times) => number * times));
  }
  // What a name stands for, or what a caller gives, is made as such.
  return optionsOf(ev.evaluate(node, at)).flatMap((value) =>
    value.type === 'unknown' && value.node !== undefined && value.node !== node && value.module !== undefined && isScript(value.module)
      ? next(value.node, { module: value.module })
      : numberOf(value),
  );
}

function numberOf(value: Value): number[] {
  if (value.type === 'literal') return typeof value.value === 'number' ? [value.value] : [];
  const [, count, unit = 'ms'] =
    /^(\d+)(?: ?(ms|milliseconds?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hours?))?$/i.exec(plainText(value) ?? '') ?? [];
  return count === undefined ? [] : [Number(count) * lengthOf(unit.toLowerCase())];
}

/** `'30 seconds'`, `'1m'`, as Temporal and many packages read it. */
const lengthOf = (unit: string): number =>
  /^m(?:s|illi)/.test(unit) ? 1 : unit.startsWith('s') ? 1_000 : unit.startsWith('m') ? minuteInMs : hourInMs;
