/**
 * What an example says of the file that people copy it to: the addresses, paths and names in it that may be ours. Whatever else stands there – a key, a
 * placeholder, the address of somebody's own machine – is theirs to change, and so is how many items a list has and which names there are beside these.
 */
import { none } from '../../syntax/lists.ts';
import type { Expression, Node, SyntaxTree } from '../../syntax/tree.ts';

/**
 * @param tree of a file of data
 * @param isKept whether a text is the same in all copies
 */
export function asCopied(tree: SyntaxTree, isKept: (text: string) => boolean): SyntaxTree {
  const { program } = tree;
  return { ...tree, program: { ...program, body: program.body.map((node) => valueOf(node, isKept)) } };
}

function valueOf(node: Node, isKept: (text: string) => boolean): Expression {
  if (node.kind === 'string' && isKept(node.value)) return node;
  if (node.kind !== 'object') return unknownAt(node);
  const properties = node.properties.map((each) =>
    each.kind === 'property' ? { ...each, value: valueOf(each.value, isKept) } : unknownIn(each),
  );
  return { ...node, properties: [unknownIn(node), ...properties] };
}

const unknownAt = ({ start, end }: Pick<Node, 'start' | 'end'>): Expression => ({
  kind: 'other',
  what: 'Opaque',
  children: none,
  start,
  end,
});

/** `...` of what nobody knows. */
const unknownIn = (node: Node) => ({ kind: 'spread', argument: unknownAt(node), start: node.start, end: node.end }) as const;
