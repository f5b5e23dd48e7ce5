/** What a `sync` of a class of Backbone's does in the end: it hands on what it was given, the options as it changed them. */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import type { CallNode, Expression, FunctionNode } from '../../../syntax/tree.ts';

/** `return Backbone.sync(method, model, options)`, `Backbone.Model.prototype.sync.apply(this, arguments)` */
export function handsItsRequestOn(ev: Evaluation, sync: Value): boolean {
  if (sync.type !== 'function') return false;
  const { node, module, frame } = sync;
  const returned = returnsOf(node);
  return returned.length > 0 && returned.every((each) => each.kind === 'call' && isHandedOn(each, node) && isSync(each));

  function isSync({ callee }: CallNode): boolean {
    const of = callee.kind === 'member' && isCalling(callee.property) ? callee.object : callee;
    const value = ev.evaluate(of, { module, frame });
    return value.type === 'external' && value.path.at(-1) === 'sync' && (value.source === 'backbone' || value.path[0] === 'Backbone');
  }
}

const isCalling = (method: string | undefined): boolean => method === 'call' || method === 'apply';

/** Whether it is given all that the function is, in the same order. */
function isHandedOn({ callee, args }: CallNode, { params }: FunctionNode): boolean {
  const by = callee.kind === 'member' ? callee.property : undefined;
  const [self, ...others] = args;
  if (isCalling(by) && self?.kind !== 'this') return false;
  if (by === 'apply') return others.length === 1 && isNamed(others[0], 'arguments');
  const given = by === 'call' ? others : args;
  return (
    given.length === 3 &&
    given.every((each, index) => {
      const target = params[index]?.target;
      return target?.kind === 'patternName' && isNamed(each, target.name);
    })
  );
}

const isNamed = (node: Expression | CallNode['args'][number] | undefined, name: string): boolean =>
  node?.kind === 'name' && node.name === name;
