/** Loops that end by themselves: each pass takes its part of a list, and none is put back. By the syntax alone; what may go on for good is none. */
import type { SourceModule } from '../../evaluate/module.ts';
import { isForked } from '../../evaluate/names/order.ts';
import { walk } from '../../syntax/link.ts';
import type { BlockNode, Expression, Node } from '../../syntax/tree.ts';

/** Asked for each wait of a loop. */
const known = new WeakMap<BlockNode, boolean>();

/** `for (const each of list)`, `i < list.length` of an index that only grows, `queue.length > 0` of what each pass takes from. */
export function goesThroughList(loop: BlockNode, module: SourceModule): boolean {
  const found = known.get(loop) ?? loop.body.some((head) => endsWithList(head, loop, module));
  known.set(loop, found);
  return found;
}

function endsWithList(head: Node, loop: BlockNode, module: SourceModule): boolean {
  if (head.kind === 'variable' && head.init !== undefined)
    return head.each !== undefined && !usesOf(head.init, loop, module).some(putsBack);
  if (head.kind === 'logical') return head.operator === '&&' && [head.left, head.right].some((part) => endsWithList(part, loop, module));
  const parts = head.kind === 'binary' ? [head.left, head.right].map(beginOf) : [head];
  const [list] = parts.flatMap((part) => (part.kind === 'member' && /^(?:length|size)$/.test(part.property ?? '') ? part.object : []));
  if (list === undefined) return false;
  const uses = usesOf(list, loop, module);
  if (uses.some((use) => putsBack(use) || isPassedOn(use))) return false;
  return isOfEachPass(uses.filter(takesAway), loop) || parts.some((part) => part.kind === 'name' && grows(part, loop, module));
}

/** `messages.length - 1` */
const beginOf = (side: Expression): Expression => (side.kind === 'binary' ? beginOf(side.left) : side);

/** What a loop does with a list, or an index, in source order. */
function usesOf(used: Expression, loop: BlockNode, { text }: SourceModule): Node[] {
  const name = text.slice(used.start, used.end);
  const found: Node[] = [];
  const isUse = (node: Node): boolean => /^(?:name|member|patternName)$/.test(node.kind) && text.slice(node.start, node.end) === name;
  walk(loop, (each) => void (isUse(each) && found.push(each)));
  return found;
}

const methodOf = (use: Node): string =>
  use.parent?.kind === 'member' && use.parent.object === use && use.parent.parent?.kind === 'call' ? (use.parent.property ?? '') : '';

/** `queue.shift()`, `queue.splice(0, 60)`. */
const takesAway = (use: Node): boolean => /^(?:shift|pop|splice)$/.test(methodOf(use));

/** `queue.push(id)`, `queue.splice(0, 0, id)`, `pending = pending.filter(isOpen)`. */
function putsBack(use: Node): boolean {
  const call = use.parent?.parent;
  const isInserted = methodOf(use) === 'splice' && call?.kind === 'call' && call.args.length > 2;
  return isInserted || /^(?:push|unshift|add|set)$/.test(methodOf(use)) || writeOf(use) !== undefined;
}

/** `again(queue, id)`: nobody can tell what is done with it. */
const isPassedOn = (use: Node): boolean => use.parent?.kind === 'call' && use.parent.callee !== use;

function writeOf(use: Node): Node | undefined {
  const { parent } = use;
  if (parent?.kind === 'assign') return parent.target === use ? parent : undefined;
  return parent?.kind === 'unary' && /^(?:\+\+|--)$/.test(parent.operator) ? parent : undefined;
}

/** Whether each pass adds to an index, and nothing else is done to it: `i++`, `sent += size`. */
function grows(index: Expression, loop: BlockNode, module: SourceModule): boolean {
  const writes = usesOf(index, loop, module).flatMap((use) => writeOf(use) ?? []);
  const isGrowing = (write: Node): boolean =>
    write.kind === 'assign'
      ? write.operator === '+=' && isFixed(write.value, loop, module)
      : write.kind === 'unary' && write.operator === '++';
  return writes.every(isGrowing) && isOfEachPass(writes, loop);
}

/** What no pass learns: how many are done may be what was answered. */
function isFixed(value: Expression, loop: BlockNode, { scopes }: SourceModule): boolean {
  let isKnown = true;
  walk(value, (each) => {
    const declared = each.kind === 'name' ? scopes.bindingOf(each)?.declaration.start : undefined;
    isKnown &&= each.kind !== 'call' && (declared === undefined || declared < loop.start || declared > loop.end);
    return isKnown;
  });
  return isKnown;
}

/** Whether one of these is run each time: in the loop's head, or before anything that begins the next pass. */
function isOfEachPass(deeds: readonly Node[], loop: BlockNode): boolean {
  if (deeds.some(({ parent }) => parent === loop)) return true;
  const deed = deeds.find((each) => !isForked(each, (around) => around === loop));
  let isPassedBy = deed === undefined;
  walk(loop, (each) => {
    isPassedBy ||= each.kind === 'other' && each.what === 'ContinueStatement' && each.start < (deed?.start ?? 0);
    return !isPassedBy;
  });
  return !isPassedBy;
}
