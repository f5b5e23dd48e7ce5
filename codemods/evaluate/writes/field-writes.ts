/** What methods of a class, and its constructor, put into a field: `this.base = base`. */
import type { AssignNode, ClassNode, Expression, FunctionNode } from '../../syntax/tree.ts';
import { functionAround } from '../calls/callees.ts';
import { type FieldWrite, mayBeReadBefore } from '../classes/class-index.ts';
import { computedKeys } from '../names/computed-names.ts';
import { isObjectAssign } from './copies.ts';
import { answersAround } from '../language/guards.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { written } from './external-writes.ts';
import { truth } from '../language/looked-up.ts';
import { merged } from './object-assign.ts';
import { forksAround } from '../names/order.ts';
import { isSetIfGiven } from '../settings/set-if-given.ts';
import { isWrittenIn } from '../settings/unset-settings.ts';
import { nothing, optionsOf, type Value } from '../values/values.ts';
import { isBoundInPlace } from './written-places.ts';

/** What `this.name = …`, or a copy of an object into `this`, puts over what a field holds. */
export function writtenBy(ev: Evaluation, node: FieldWrite['node'], name: string, at: At, before: readonly Value[]): Value {
  if (node.kind === 'assign') {
    if (!mayBeNamed(ev, node, name, at)) return nothing;
    const value = ev.evaluate(node.value, at);
    return isSetIfGiven(ev, node, at.module) ? value : written(value);
  }
  if (node.kind !== 'call' || !isObjectAssign(node)) return written(ev.member(ev.evaluate(node, at), name, node, at));
  const { module } = at;
  const sources = ev.args(node, at).slice(1);
  const isOver = sources.some((source) => optionsOf(source).every((each) => each.type === 'object' && isWrittenIn(each, name)));
  const left = isOver ? [] : before;
  const entries = left.map((each) => ({ name, key: undefined, node, module, value: () => each, valueNode: undefined }));
  return written(ev.member(merged([{ type: 'object', node, module, entries, unknown: [] }, ...sources], node, at), name, node, at));
}

/** Whether `this[key] = …` may be about a name. */
function mayBeNamed(ev: Evaluation, node: AssignNode, name: string, at: At): boolean {
  const { target } = node;
  if (target.kind !== 'member' || target.computed === undefined || target.property !== undefined) return true;
  if (isBoundInPlace(node, at.module)) return false;
  return computedKeys(ev, target.computed, at).some((key) => key.name === undefined || key.name === name);
}

export const isConstructor = ({ parent }: FunctionNode): boolean => parent?.kind === 'classMember' && parent.role === 'constructor';

/** What a constructor puts into a field of this name while it runs. */
export function putAtOnce({ node, member }: FieldWrite, name: string): Expression | undefined {
  if (node.kind !== 'assign' || node.operator !== '=' || !isConstructor(member) || functionAround(node) !== member) return undefined;
  return node.target.kind === 'member' && node.target.property === name ? node.value : undefined;
}

/**
 * Whether nobody sees what a field was declared with, as the constructor comes to a write whenever it makes such an instance: `Object.assign(this, options)`,
 * `if (options.base) this.base = options.base`.
 */
export function isAlwaysPut(ev: Evaluation, of: ClassNode, name: string, write: FieldWrite, at: At): boolean {
  const { node, member } = write;
  if (mayBeReadBefore(of, name, write)) return false;
  const isInTurn = isConstructor(member) && forksAround(node, (around) => around === member).every(({ kind }) => kind === 'branch');
  return isInTurn && answersAround(node).every(({ test, holds }) => truth(ev.evaluate(test, at)) === holds);
}

/** Whether a constructor does not come to a write as it is called: `if (options.limit) this.fetch = limited(fetch)`, without a limit. */
export const isNeverPut = (ev: Evaluation, { node, member }: FieldWrite, at: At): boolean =>
  functionAround(node) === member && answersAround(node).some(({ test, holds }) => truth(ev.evaluate(test, at)) === !holds);
