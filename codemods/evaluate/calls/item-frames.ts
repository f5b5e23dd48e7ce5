/** What stands in a function that a list calls for each of its items: `models.forEach((model) => Container.set(model.name, model.make))`. */
import { perItem } from '../../syntax/item-methods.ts';
import type { CallNode, FunctionNode, Node } from '../../syntax/tree.ts';
import { forAllCallers, isPassedOn } from './all-callers.ts';
import { asArguments } from './callers.ts';
import { functionAround } from './callees.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { Frame } from './frame.ts';
import { itemsGiven } from '../language/list-methods.ts';
import type { SourceModule } from '../module.ts';
import { choiceOf, optionsOf, unknown, type Value } from '../values/values.ts';

/** What a place may be for all who call the functions around it, of which lists give theirs any of their items. */
export function forAllItems(ev: Evaluation, node: Node, module: SourceModule, find: (at: At) => Value): Value {
  const through = goneThrough(node);
  const [first] = through;
  // What is handed to a package may be given lists that nobody sees.
  if (first !== undefined && isPassedAround(ev, first.call)) return unknown(node, module);
  return forAllCallers(ev, undefined, (around) => {
    let frame: Frame | undefined = around;
    for (const { fn, call, list } of through) {
      const lists = optionsOf(ev.evaluate(list, { module, frame }));
      const items = lists.flatMap((each) => (each.type === 'list' ? itemsGiven(each, call, module) : []));
      // Who calls says which list it is.
      if (lists.some(({ type }) => type !== 'list')) return choiceOf(lists);
      frame = { owner: fn, args: asArguments([choiceOf(items)]), outer: frame };
    }
    return find({ module, frame });
  });
}

function isPassedAround(ev: Evaluation, node: Node): boolean {
  for (let fn = functionAround(node); fn !== undefined; fn = functionAround(fn)) if (isPassedOn(ev, fn)) return true;
  return false;
}

/** Whether it stands in such a function. */
export const isPerItem = (node: Node): boolean => goneThrough(node).length > 0;

interface GoneThrough {
  readonly fn: FunctionNode;
  readonly call: CallNode;
  readonly list: Node;
}

/** The functions around a place that are called for each item, the outermost first. */
function goneThrough(node: Node): GoneThrough[] {
  const found: GoneThrough[] = [];
  for (let fn = functionAround(node); fn !== undefined; fn = functionAround(fn)) {
    const call = fn.parent;
    if (call?.kind === 'call' && call.args[0] === fn && call.callee.kind === 'member' && perItem.has(call.callee.property ?? ''))
      found.unshift({ fn, call, list: call.callee.object });
  }
  return found;
}
