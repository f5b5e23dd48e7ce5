/** What a test compares with an expectation. */
import { expectedBy } from '../../clients/testing/expected/compared-with.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';

/** What a test compares with an expectation, and the whole of that. */
export function expectedOf(node: Node): readonly [Node, Node] | readonly [] {
  const [call, outer] = expectationAround(node);
  const actual = call && actualOf(call);
  return actual === undefined || outer === undefined || actual === outer ? [] : [actual, outer];
}

/** `expect(actual).toEqual([…])`, `assert.deepEqual(actual, […])`, with the argument that a place stands in. */
export function expectationAround(node: Node): readonly [CallNode, Node] | readonly [] {
  let at = node;
  while (at.parent?.kind === 'array' || at.parent?.kind === 'object' || (at.parent?.kind === 'property' && at.parent.value === at))
    at = at.parent;
  const call = at.parent;
  if (call?.kind !== 'call' || call.callee === at) return [];
  if (call.callee.kind === 'member' && call.callee.property?.endsWith('Containing') === true) return expectationAround(call);
  return [call, at];
}

/** Whether a test compares with it. */
export function isExpected(node: Node): boolean {
  return expectedOf(node).length > 0;
}

function actualOf(call: CallNode): Node | undefined {
  let root: Node = call.callee;
  while (root.kind === 'member') root = root.object;
  if (root.kind === 'call' && root.callee.kind === 'name' && root.callee.name === 'expect') return root.args[0];
  const [first] = call.args;
  if (root.kind !== 'name' || first === undefined) return undefined;
  return (root.name === 'assert' || root.name === 't') &&
    call.callee.kind === 'member' &&
    first.kind !== 'spread' &&
    expectedBy(call, first, []) !== undefined
    ? first
    : undefined;
}
