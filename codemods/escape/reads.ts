/** Places that read v1's header of a call: a server of the user's own does, and so may interceptors of our client. */
import { v1Auth } from '../../src/contract/auth.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { optionsOf, plainText, type Value } from '../evaluate/values.ts';
import { nodesOfKind } from '../syntax/link.ts';
import type { Expression, Node } from '../syntax/tree.ts';

export interface HeaderRead {
  /** The name of the header, or the expression that stands for it. */
  readonly node: Expression;
  /** Whether what is read came from elsewhere and not from our client. */
  readonly isServer: boolean;
  /** The clients whose requests are read: those that an interceptor is given to. */
  readonly clients: readonly Value[];
}

const readers = new Set(['get', 'header', 'has', 'getHeader']);

/** Asked by several, of the same modules. */
const known = new WeakMap<Evaluation, Map<SourceModule, readonly HeaderRead[]>>();

export function headerReads(ev: Evaluation, module: SourceModule): readonly HeaderRead[] {
  const ofAll = known.get(ev) ?? new Map<SourceModule, readonly HeaderRead[]>();
  const found = ofAll.get(module) ?? readsIn(ev, module);
  known.set(ev, ofAll.set(module, found));
  return found;
}

function readsIn(ev: Evaluation, module: SourceModule): HeaderRead[] {
  const found: HeaderRead[] = [];
  const isName = (node: Expression): boolean => {
    if (node.kind === 'string') return node.value.toLowerCase() === v1Auth.field;
    if (node.kind === 'literal') return false;
    const name = ev.budget.question({ node, module }, () => plainText(ev.evaluate(node, { module, frame: undefined })));
    return name.isCut || name.value?.toLowerCase() === v1Auth.field;
  };
  for (const node of nodesOfKind(module.tree.program, 'member')) {
    if (node.computed !== undefined && isRead(node) && isName(node.computed))
      found.push({ node: node.computed, ...sourceOf(ev, node.object, module) });
  }
  for (const { callee, args } of module.calls) {
    if (callee.kind !== 'member' || !readers.has(callee.property ?? '')) continue;
    const [name, more] = args;
    if (name === undefined || name.kind === 'spread' || more !== undefined || !isName(name)) continue;
    found.push({ node: name, ...sourceOf(ev, callee.object, module) });
  }
  return found;
}

const isRead = ({ parent, ...member }: Node): boolean =>
  !(parent?.kind === 'assign' && parent.target.start === member.start) && !(parent?.kind === 'unary' && parent.operator === 'delete');

/** Whose a value is: given to a callback of a client that the rules know, `client.interceptors.request.use((config) => …)`, or a server's. */
function sourceOf(ev: Evaluation, value: Node, module: SourceModule): Pick<HeaderRead, 'isServer' | 'clients'> {
  let root = value;
  while (root.kind === 'member') root = root.object;
  const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  const fn = owner?.kind === 'param' ? owner.parent : undefined;
  if (owner?.kind === 'variable') return { isServer: false, clients: [] };
  const call = fn?.parent?.kind === 'call' ? fn.parent : undefined;
  const callees = call === undefined ? [] : optionsOf(ev.evaluate(call.callee, { module, frame: undefined }));
  const clients = callees.flatMap((callee): Value[] => {
    if (callee.type === 'method') return callee.receiver.type === 'http' ? [callee.receiver] : [];
    return callee.type === 'external' && callee.path.includes('interceptors') ? [callee] : [];
  });
  return { isServer: clients.length === 0, clients };
}
