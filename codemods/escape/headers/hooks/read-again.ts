/**
 * Headers that a function puts into what its callers give it, and that these have in hand then: `api.get('/contacts', shared)`, and whoever is sent
 * `shared.headers` next is sent the key of ours.
 */
import type { Place } from '../../../evaluate/budget.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import type { CallGraph } from '../../../requests/call-graph.ts';
import type { Binding } from '../../../syntax/scopes.ts';
import type { FunctionNode, Node } from '../../../syntax/tree.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import { isOnlyShown } from '../../flow/harmless-calls.ts';
import { editedAt } from '../../flow/edited-literals.ts';
import type { Holder } from './put-into-given.ts';

/** A parameter that a header is put into, and the property of it that has that. */
interface Taker {
  readonly fn: FunctionNode;
  readonly index: number;
  readonly property: string;
}

/** @returns what callers do with the headers of their own objects, beside giving them to the same functions again */
export function readAgain({ callers }: Pick<CallGraph, 'callers'>, holders: readonly Holder[]): readonly Holder[] {
  return holders.flatMap((holder) => {
    const { change } = holder;
    const first = takerOf(holder);
    if (first === undefined) return [];
    const { owned, calls } = ownersOf(callers, first);
    return [...owned].flatMap(([binding, module]) =>
      binding.references
        .filter((node) => !calls.has(node.parent) && isTaken(node, first.property) && !isOnlyShown(node, module))
        .map((node): Holder => ({ node, module, change })),
    );
  });
}

/** What an edited header stands in that is put into something as a whole: `options.headers = { 'x-api-key': key }`. */
export const putAsWhole = (changes: readonly Change[]): readonly Holder[] =>
  changes.flatMap((change): Holder[] => {
    const { module } = change;
    const property = isScript(module) ? editedAt(module, change) : undefined;
    const assign = property?.kind === 'property' ? property.parent?.parent : undefined;
    return isScript(module) && assign?.kind === 'assign' && assign.value === property?.parent && assign.target.kind === 'member'
      ? [{ node: assign.target, module, change }]
      : [];
  });

/** The variables whose objects come to a parameter, through as many functions as hand them on, and the calls on the way. */
function ownersOf(
  callers: CallGraph['callers'],
  first: Taker,
): { readonly owned: Map<Binding, SourceModule>; readonly calls: ReadonlySet<Node | undefined> } {
  const owned = new Map<Binding, SourceModule>();
  const calls = new Set<Node | undefined>();
  const seen = new Set<Node>([first.fn]);
  const waiting: Pick<Taker, 'fn' | 'index'>[] = [first];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { fn, index } = next;
    for (const { node, module } of callers.get(fn) ?? []) {
      calls.add(node);
      const arg = node.args[index];
      const binding = arg?.kind === 'name' ? module.scopes.bindingOf(arg) : undefined;
      const outer = binding === undefined ? undefined : paramOf(binding);
      if (outer !== undefined && !seen.has(outer.fn)) {
        seen.add(outer.fn);
        waiting.push(outer);
      }
      if (binding?.owner.kind === 'variable') owned.set(binding, module);
    }
  }
  return { owned, calls };
}

function takerOf({ node, module }: Place): Taker | undefined {
  let root = node;
  let property: string | undefined;
  while (root.kind === 'member') {
    ({ property } = root);
    root = root.object;
  }
  const binding = root.kind === 'name' && isScript(module) ? module.scopes.bindingOf(root) : undefined;
  const param = binding === undefined ? undefined : paramOf(binding);
  return param === undefined || property === undefined ? undefined : { ...param, property };
}

function paramOf({ owner }: Binding): Pick<Taker, 'fn' | 'index'> | undefined {
  const fn = owner.kind === 'param' ? owner.parent : undefined;
  return owner.kind !== 'param' || fn?.kind !== 'function' ? undefined : { fn, index: fn.params.indexOf(owner) };
}

/** Whether what an object has there is taken out of it: read, copied, taken apart. */
function isTaken(node: Node, property: string): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'member':
      return parent.object === node && parent.property === property && isRead(parent);
    case 'spread':
      return true;
    case 'variable':
      return (
        parent.init === node &&
        parent.target.kind === 'objectPattern' &&
        (parent.target.rest !== undefined || parent.target.properties.some(({ name }) => name === undefined || name === property))
      );
    default:
      return false;
  }
}

/** `shared.headers` for whoever gets it, and not what is written there or asked of it. */
const isRead = ({ parent }: Node): boolean =>
  /^(?:property|variable|call|spread|return|array|logical|conditional)$/.test(parent?.kind ?? '');
