/** The whole of what is called on something: of a chain of calls, all. */
import type { Node } from '../../syntax/tree.ts';

const statements = new Set<Node['kind']>(['function', 'block', 'program', 'variable', 'classMember', 'exportDeclaration', 'return']);

/** Gives the call around a place with all that is called on what it gives, `nock(host).get(path).matchHeader(name, key)`; else the whole expression. */
export function chains(): (node: Node) => Node {
  const known = new Map<Node, Node>();
  return (node) => {
    let chain = node;
    while (chain.kind !== 'call' && chain.parent !== undefined && !statements.has(chain.parent.kind)) chain = chain.parent;
    const passed: Node[] = [];
    for (let next: Node | undefined = chain; next !== undefined; next = known.has(chain) ? undefined : calledOn(chain)) {
      chain = next;
      passed.push(next);
    }
    const whole = known.get(chain) ?? chain;
    for (const each of passed) known.set(each, whole);
    return whole;
  };
}

function calledOn(node: Node): Node | undefined {
  const { parent } = node;
  return parent?.kind === 'member' && parent.object === node && parent.parent?.kind === 'call' && parent.parent.callee === parent
    ? parent.parent
    : undefined;
}
