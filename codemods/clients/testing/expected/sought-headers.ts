/** Headers that a test only asks about: whether v1's key is among them. */
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { Expression, Node } from '../../../syntax/tree.ts';
import { isNothing } from './compared-with.ts';
import { headerReadIn, type Key, keysNamed } from './expected-headers.ts';

interface Sought {
  /** What stands for the headers, or for one that is read of them. */
  readonly of: Expression;
  readonly keys: readonly Key[];
}

/** Whether headers are asked if v1's key is among them: `headers.has('x-api-key')`, `'x-api-key' in init.headers`, `init.headers['x-api-key'] !== undefined`. */
export function headerSoughtIn(node: Expression, at: At & { readonly ev: Evaluation }): Sought | undefined {
  if (node.kind === 'binary' && node.operator.startsWith('!') && isNothing(node.right)) {
    const keys = headerReadIn(node.left, at);
    return keys && { of: node.left, keys };
  }
  const asked = askedIn(node);
  if (asked === undefined) {
    const keys = node.kind === 'call' ? headerReadIn(node, at, 'has') : undefined;
    return keys && { of: node, keys };
  }
  const keys = keysNamed(asked.name, asked.of, at, false);
  return keys && { of: asked.of, keys };
}

interface Asked {
  readonly name: Expression;
  readonly of: Expression;
}

/** Whether an object has a property of a name. */
function askedIn(node: Expression): Asked | undefined {
  if (node.kind === 'binary') return node.operator === 'in' ? { name: node.left, of: node.right } : undefined;
  if (node.kind !== 'call' || node.callee.kind !== 'member') return undefined;
  const { object, property } = node.callee;
  const [first, second] = node.args;
  if (first === undefined || first.kind === 'spread' || second?.kind === 'spread') return undefined;
  if (property === 'hasOwnProperty') return { name: first, of: object };
  if (property === 'hasOwn') return second && { name: second, of: first };
  const listed = property === 'includes' ? listedBy(object) : undefined;
  return listed && { name: first, of: listed };
}

/** `Object.keys(headers)` */
export function listedBy(node: Node): Expression | undefined {
  if (node.kind !== 'call' || node.callee.kind !== 'member' || node.callee.property !== 'keys') return undefined;
  const [of] = node.args;
  return node.callee.object.kind === 'name' && node.callee.object.name === 'Object' && of?.kind !== 'spread' ? of : undefined;
}
