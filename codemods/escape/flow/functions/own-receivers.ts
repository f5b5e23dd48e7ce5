/** Calls that only say again which object a method is of, `client.list.bind(client)`: as a call of the method, they let that go nowhere else. */
import type { Place } from '../../../evaluate/budget.ts';
import { membersIn } from '../../../evaluate/classes/class-index.ts';
import { superclassOf } from '../../../evaluate/classes/subclasses.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isSamePath } from '../../../evaluate/names/same-path.ts';
import { type FunctionValue, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import type { CallNode } from '../../../syntax/tree.ts';
import type { DataflowQuery } from '../dataflow-query.ts';

/** Methods of functions that say what `this` is in them. */
const sayingThis = /^(?:bind|call|apply)$/;

/** Whether what is at a place is nothing but the `this` of a method of its own. */
export function isOwnReceiver(query: DataflowQuery, { callee, args: [self] }: CallNode, { node, module }: Place): boolean {
  if (self !== node || callee.kind !== 'member' || !sayingThis.test(callee.property ?? '')) return false;
  const { object: method } = callee;
  // What is done with `client.list` itself is asked where that stands.
  if (method.kind === 'member' && isSamePath(method.object, self, module.scopes)) return true;
  const methods = query.values({ node: method, module });
  const owners = query.values({ node: self, module }).flatMap(optionsOf);
  return (
    methods.length > 0 &&
    owners.length > 0 &&
    methods.every((each) => each.type === 'function' && owners.every((owner) => isMethodOf(query.ev, each, owner)))
  );
}

/** `const { list } = client; list.bind(client)` */
function isMethodOf(ev: Evaluation, fn: FunctionValue, owner: Value): boolean {
  if (owner.type === 'object') return owner.entries.some(({ valueNode }) => valueNode === fn.node);
  let of: Value | undefined = owner.type === 'instance' ? owner.of : undefined;
  for (; of?.type === 'class'; of = superclassOf(ev, of))
    if (membersIn(of.node, of.module).some((member) => !member.isStatic && member.value === fn.node)) return true;
  return false;
}
