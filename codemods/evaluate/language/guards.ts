/** The tests around a place: of the branches that it stands in, and those after which it is not come to. */
import { memoOf } from '../../once.ts';
import type { BlockNode, Node, OtherNode } from '../../syntax/tree.ts';
import { isLeaving } from '../names/order.ts';

/** A question that a place is behind, and its answer there. */
interface Answer {
  readonly test: Node;
  readonly holds: boolean;
}

/** `if (test) place`, `test ? other : place`, `test && place`, `if (test) return; place`. */
export function answersAround(node: Node): Answer[] {
  const found: Answer[] = [];
  for (let at = node; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'logical' && parent.operator !== '??' && parent.right === at)
      found.push({ test: parent.left, holds: parent.operator === '&&' });
    if (parent.kind === 'conditional' && parent.test !== at) found.push({ test: parent.test, holds: parent.whenTrue === at });
    const [test, consequent] = isIf(parent) ? parent.children : [];
    if (test !== undefined && test !== at) found.push({ test, holds: consequent === at });
    const left = parent.kind === 'block' ? leftIn(parent) : [];
    if (left.length > 0 && parent.kind === 'block' && parent.body.includes(at))
      for (const each of left) if (each.start < at.start) found.push({ test: each, holds: false });
  }
  return found;
}

/** The tests of a block behind which, where they hold, the rest of it is not come to. */
const leftIn = memoOf(({ body }: BlockNode): readonly Node[] =>
  body.flatMap((statement) => {
    const [test, then, otherwise] = isIf(statement) ? statement.children : [];
    return test !== undefined && (isLeaving(then) || isSkipping(then)) && otherwise === undefined ? test : [];
  }),
);

/** `continue;`, behind which the rest of a loop is not come to. */
function isSkipping(node: Node | undefined): boolean {
  const last = node?.kind === 'block' ? node.body.at(-1) : node;
  return last?.kind === 'other' && last.what === 'ContinueStatement';
}

const isIf = (node: Node): node is OtherNode => node.kind === 'other' && node.what === 'IfStatement';

/** What is known to hold at a place: the tests of the branches that it stands in. */
export const guardsAround = (node: Node): Node[] => answersAround(node).flatMap(({ test, holds }) => (holds ? [test] : []));
