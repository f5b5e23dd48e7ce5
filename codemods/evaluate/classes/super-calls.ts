/** How a constructor calls that of its superclass. */
import { walk } from '../../syntax/link.ts';
import type { CallNode, FunctionNode, Node } from '../../syntax/tree.ts';

/** `Parent.call(this, …)`, as `super(…)` is for functions with a prototype. */
export const isCallOnThis = ({ callee, args }: CallNode): boolean =>
  callee.kind === 'member' && callee.property === 'call' && args[0]?.kind === 'this';

/** The call by which a constructor has that of its superclass run. */
export function superCall(constructor: FunctionNode, isOld: boolean): Extract<Node, { kind: 'call' }> | undefined {
  let found: Extract<Node, { kind: 'call' }> | undefined;
  walk(constructor, (node) => {
    if (node.kind === 'call' && (node.callee.kind === 'super' || (isOld && isCallOnThis(node)))) found = node;
    return found === undefined;
  });
  return found;
}
