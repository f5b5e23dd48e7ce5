/** What is written under a name that callers give, together with what is written there: `setHeader(name, value) { this.headers[name] = value; }`. */
import type { CallNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';
import { callsOf, isPassedOn } from '../calls/all-callers.ts';
import { assignmentsOf } from '../names/assignments.ts';
import { declaredAs } from '../names/declared.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { isCalling } from '../names/named.ts';
import { isMadeForEach, mayBeOf } from '../calls/receivers.ts';
import type { SourceModule } from '../module.ts';

/** One of those who give both. */
interface Given {
  readonly call: Node;
  readonly name: Expression;
  readonly value: Expression;
  readonly at: At;
}

/**
 * The calls of the function that a write stands in, where that only hands on two of its parameters: each call writes what it gives, under the name
 * that it gives.
 * @returns undefined where that is not so, where one of the calls is on the way already, and where not all who call are known
 */
export function givenToSetter(ev: Evaluation, name: Expression, value: Node, { module, frame }: At): readonly Given[] | undefined {
  const called = value.kind === 'call' && value.args.length === 0 && !value.isNew ? value.callee : undefined;
  const [named, put] = [handedOn(name, module), handedOn(called ?? value, module)];
  if (named === undefined || put?.fn !== named.fn || isCalling(frame, named.fn) || isPassedOn(ev, named.fn)) return undefined;
  const all = callsOf(ev, named.fn);
  const calls = isMadeForEach(ev, intoOf(name), module) ? all.filter((call) => mayBeOf(ev, frame?.self, named.fn, call)) : all;
  const given = calls.flatMap(({ node: call, module }): Given[] => {
    const [name, arg] = [call.args[named.index], call.args[put.index]];
    const value = called === undefined ? arg : madeBy(arg);
    const isPlain = call.args.every(({ kind }) => kind !== 'spread');
    if (!isPlain || name === undefined || name.kind === 'spread' || value === undefined || value.kind === 'spread') return [];
    // What is made by a function that is kept under a name, containers know.
    if (makers.has(declaredAs(ev, value, module)?.node.kind)) return [];
    return [{ call, name, value, at: { module, frame: undefined } }];
  });
  return given.length > 0 && given.length === calls.length ? given : undefined;
}

/** What something is put into under a name: `headers[name] = value`, `headers.set(name, value)`. */
function intoOf({ parent }: Expression): Expression | undefined {
  if (parent?.kind === 'call') return parent.callee.kind === 'member' ? parent.callee.object : undefined;
  return parent?.kind === 'member' ? parent.object : undefined;
}

/** `() => process.env.KEY`: what is called for the value each time. */
const madeBy = (arg: CallNode['args'][number] | undefined): Expression | undefined =>
  arg?.kind === 'function' && arg.body?.kind !== 'block' ? arg.body : undefined;

const makers: ReadonlySet<Node['kind'] | undefined> = new Set(['function', 'class']);

/** Which parameter of which function an expression is, if nothing else is ever put in its place. */
function handedOn(node: Node, { scopes }: SourceModule): { readonly fn: FunctionNode; readonly index: number } | undefined {
  const binding = node.kind === 'name' ? scopes.bindingOf(node) : undefined;
  const owner = binding?.owner;
  if (binding === undefined || owner?.kind !== 'param' || owner.parent?.kind !== 'function') return undefined;
  const isPlain = owner.target.kind === 'patternName' && owner.default === undefined && !owner.isRest && !owner.isField;
  return isPlain && assignmentsOf(binding).all.length === 0 ? { fn: owner.parent, index: owner.parent.params.indexOf(owner) } : undefined;
}
