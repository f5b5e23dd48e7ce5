/** What code asks of an address or a header: `calls.some(({ url }) => url.endsWith('…'))` within an expectation, the tests around a place. */
import type { Expression, Node, SpreadNode } from '../syntax/tree.ts';

export interface Look {
  readonly actual: Expression;
  readonly expected: Expression;
  readonly expects: 'call' | 'part';
}

const parts = new Set(['startsWith', 'endsWith', 'includes', 'match', 'search']);
const perItem = new Set(['some', 'every', 'find', 'filter', 'findIndex', 'findLast']);
const equality = new Set(['===', '!==', '==', '!=']);

/** @returns all that are asked, as far as they stand there */
export function looksIn(node: Node | SpreadNode | undefined): Look[] {
  switch (node?.kind) {
    case 'unary':
    case 'await':
      return looksIn(node.argument);
    case 'member':
      return looksIn(node.object);
    case 'logical':
      return [node.left, node.right].flatMap(looksIn);
    case 'binary':
      return equality.has(node.operator) ? [{ actual: node.left, expected: node.right, expects: 'call' }] : [];
    case 'call': {
      const { callee, args } = node;
      const [first] = args;
      if (callee.kind !== 'member' || first === undefined || first.kind === 'spread') return [];
      const verb = callee.property ?? '';
      if (verb === 'test' && callee.object.kind === 'literal') return [{ actual: first, expected: callee.object, expects: 'part' }];
      if (parts.has(verb)) return [{ actual: callee.object, expected: first, expects: 'part' }];
      const isOfItems = perItem.has(verb) && first.kind === 'function';
      return isOfItems && first.body !== undefined && first.body.kind !== 'block' ? looksIn(first.body) : [];
    }
    default:
      return [];
  }
}

/** What is known to hold at a place: the tests of the branches that it stands in. */
export function guardsAround(node: Node): Node[] {
  const found: Node[] = [];
  for (let at = node; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'logical' && parent.operator === '&&' && parent.right === at) found.push(parent.left);
    if (parent.kind === 'conditional' && parent.whenTrue === at) found.push(parent.test);
    const [test, consequent] = parent.kind === 'other' && parent.what === 'IfStatement' ? parent.children : [];
    if (test !== undefined && consequent === at) found.push(test);
  }
  return found;
}
