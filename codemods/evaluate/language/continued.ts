/** What functions make of what a promise holds: `Promise.resolve(options).then(…)`, `readFile(path, 'utf8').then(JSON.parse).catch(() => ({}))`. */
import type { CallNode, Expression } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { givenIn } from '../libraries/given.ts';
import { choiceOf, optionsOf, unknown, type Value } from '../values/values.ts';
import { flat } from '../values/text.ts';
import { knownFunction } from './known-functions.ts';

/** Of promises that are made of a value, and of those that hold what whoever runs the program gives it; undefined of all others. */
export function continuedValue(ev: Evaluation, node: CallNode, at: At): Value | undefined {
  const { callee, args } = node;
  if (callee.kind !== 'member' || callee.object.kind !== 'call' || args.length === 0) return undefined;
  const isThen = callee.property === 'then';
  if (!isThen && callee.property !== 'catch') return undefined;
  const held = ev.evaluate(callee.object, at);
  const isKnown = isMadeOfValue(callee.object) || optionsOf(held).some((each) => givenIn(each) !== undefined);
  if (!isKnown && continuedValue(ev, callee.object, at) === undefined) return undefined;
  const [fulfilled, rejected] = isThen ? ev.args(node, at) : [undefined, ...ev.args(node, at)];
  const otherwise = rejected && madeBy(ev, rejected, unknown(node, at.module, 'call'), node, at);
  const made = fulfilled === undefined ? held : madeBy(ev, fulfilled, held, node, at);
  // An address in the place of all that a file holds: that is read as one itself, and of which host it is nobody sees.
  if (otherwise !== undefined && optionsOf(otherwise).some(isAddress) && optionsOf(made).some(isWhole)) return undefined;
  return choiceOf([made, ...(otherwise === undefined ? [] : [otherwise])]);
}

const isAddress = (value: Value): boolean => value.type === 'text' && /^https?:/.test(flat(value.parts));
const isWhole = (value: Value): boolean => value.type === 'unknown' && givenIn(value) !== undefined;

const isMadeOfValue = ({ callee }: Expression & CallNode): boolean =>
  callee.kind === 'member' && callee.property === 'resolve' && callee.object.kind === 'name' && callee.object.name === 'Promise';

/** What a function makes of a value: one of the program, or one that is known by its name, as `JSON.parse` is. */
function madeBy(ev: Evaluation, fn: Value, of: Value, node: CallNode, at: At): Value {
  const made = optionsOf(fn).map((each) => {
    if (each.type === 'function') return ev.apply(each, [of], node, at);
    return each.type === 'external' ? knownFunction(ev, each)?.(ev, [of], node, at) : undefined;
  });
  return choiceOf(made.map((value) => value ?? unknown(node, at.module, 'call')));
}
