/** Objects that are put together to one: `headers.reduce((all, each) => ({ ...all, ...(each ?? {}) }), {})`. */
import type { CallNode, FunctionNode, Node } from '../../syntax/tree.ts';
import { isObjectAssign } from '../writes/copies.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { ListValue, Value } from '../values/values.ts';

/** More objects than these are put together by nobody who makes headers. */
const maxItems = 32;

/** What has all that a list of objects has, by a function that does nothing else with them, into an object that nobody else has. */
export function foldedObject(ev: Evaluation, { items, isOpen }: ListValue, name: string, node: CallNode, at: At): Value | undefined {
  if (name !== 'reduce' || isOpen || items.length > maxItems || node.args[1]?.kind !== 'object') return undefined;
  const [fn, start] = ev.args(node, at);
  if (fn?.type !== 'function' || start === undefined || !joinsAlone(fn.node, fn.module)) return undefined;
  return items.reduce<Value>((made, item) => ev.apply(fn, [made, item], node, at), start);
}

function joinsAlone({ params }: FunctionNode, { scopes }: SourceModule): boolean {
  return (
    params.length === 2 &&
    params.every(({ target, default: otherwise }) => {
      const named = target.kind === 'patternName' && otherwise === undefined ? scopes.declaredBy(target) : undefined;
      return named?.references.every(isJoined) === true;
    })
  );
}

/** Whether it is put into an object whole, or given back. That there is one comes out the same whatever is in it. */
function isJoined(node: Node): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'spread':
      return parent.parent?.kind === 'object';
    case 'call':
      return parent.callee !== node && isObjectAssign(parent);
    case 'return':
      return true;
    case 'function':
      return parent.body === node;
    case 'logical':
      return isJoined(parent);
    case 'conditional':
      return parent.test === node || isJoined(parent);
    default:
      return false;
  }
}
