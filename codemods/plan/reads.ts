/** Places that read v1's header of a call: a server of the user's own does, and so may interceptors of our client. */
import { v1Auth } from '../../src/contract/auth.ts';
import type { Evaluation } from '../identify/evaluation.ts';
import type { SourceModule } from '../identify/module.ts';
import { optionsOf, plainText } from '../identify/values.ts';
import { walk } from '../syntax/link.ts';
import type { Expression, Node } from '../syntax/tree.ts';

export interface HeaderRead {
  /** The name of the header, or the expression that stands for it. */
  readonly node: Expression;
  /** Whether what is read came from elsewhere and not from our client. */
  readonly isServer: boolean;
}

const readers = new Set(['get', 'header', 'has', 'getHeader']);

export function headerReads(ev: Evaluation, module: SourceModule): HeaderRead[] {
  const found: HeaderRead[] = [];
  const isName = (node: Expression): boolean => plainText(ev.evaluate(node, { module, frame: undefined }))?.toLowerCase() === v1Auth.field;
  walk(module.tree.program, (node) => {
    if (node.kind === 'member' && node.computed !== undefined && isRead(node) && isName(node.computed)) {
      found.push({ node: node.computed, isServer: !comesFromClient(ev, node.object, module) });
    }
    if (node.kind !== 'call' || node.callee.kind !== 'member' || !readers.has(node.callee.property ?? '')) return;
    const [name, more] = node.args;
    if (name === undefined || name.kind === 'spread' || more !== undefined || !isName(name)) return;
    found.push({ node: name, isServer: !comesFromClient(ev, node.callee.object, module) });
  });
  return found;
}

const isRead = ({ parent, ...member }: Node): boolean =>
  !(parent?.kind === 'assign' && parent.target.start === member.start) && !(parent?.kind === 'unary' && parent.operator === 'delete');

/** Whether a value is given to a callback of a client that the rules know: `client.interceptors.request.use((config) => …)`. */
function comesFromClient(ev: Evaluation, value: Node, module: SourceModule): boolean {
  let root = value;
  while (root.kind === 'member') root = root.object;
  const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  const fn = owner?.kind === 'param' ? owner.parent : undefined;
  if (owner?.kind === 'variable') return true;
  const call = fn?.parent?.kind === 'call' ? fn.parent : undefined;
  if (call === undefined) return false;
  return optionsOf(ev.evaluate(call.callee, { module, frame: undefined })).some(
    (callee) =>
      (callee.type === 'method' && callee.receiver.type === 'http') || (callee.type === 'external' && callee.path.includes('interceptors')),
  );
}
