/** What `items.reduce(fn, start)` does with what it folds: who calls `fn`, and with what, is not followed. */
import type { Place } from '../../../evaluate/budget.ts';
import { isCopy } from '../../../evaluate/language/made-of-listing.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { namesIn } from '../../../syntax/scopes.ts';
import type { CallNode, FunctionNode, Node } from '../../../syntax/tree.ts';
import type { DataflowQuery } from '../dataflow-query.ts';
import { useOf } from '../uses.ts';

/** Whether something is folded into what still has it, by a function that does more with it than to make that. */
export function isFoldedAway(query: DataflowQuery, { node, module }: Place): boolean {
  const call = node.parent?.kind === 'member' ? node.parent.parent : node.parent;
  if (call?.kind !== 'call' || call.callee.kind !== 'member' || call.callee.property !== 'reduce' || isCopy(call, module)) return false;
  const index = indexIn(call, node);
  const [fn] = call.args;
  if (index === undefined || fn === undefined || query.carried({ node: call, module }).length === 0) return false;
  // Of settings that are taken by names, one that is not known may be any.
  const isOfAny = query.values({ node, module }).some(({ type }) => type === 'object');
  if (isOfAny && query.values({ node: call, module }).some(({ type }) => type === 'unknown')) return true;
  return !query.values({ node: fn, module }).every((each) => each.type === 'function' && onlyMakes(each.node, index, each.module));
}

/** Which parameter of the function gets it: the first what it starts with, the second the items. */
const indexIn = ({ callee, args }: CallNode, node: Node): number | undefined =>
  args[1] === node ? 0 : callee.kind === 'member' && callee.object === node ? 1 : undefined;

function onlyMakes({ params }: FunctionNode, index: number, { scopes }: SourceModule): boolean {
  const target = params[index]?.target;
  const names = target === undefined ? [] : namesIn(target);
  return names.every((name) => scopes.declaredBy(name)?.references.every((place) => isReturned(place)) === true);
}

/** Methods of texts that make another, or ask. */
const making = /^(?:replace|replaceAll|concat|trim\w*|slice|startsWith|endsWith|includes)$/;

/** Whether a place makes nothing but what the function around it returns. */
function isReturned(place: Node): boolean {
  let at: Node | undefined = place;
  while (at !== undefined && at.kind !== 'function') {
    const use = useOf(at);
    if (use.kind === 'harmless' || use.kind === 'compared') return true;
    at = use.kind === 'on' ? use.as : use.kind === 'member' ? (madeOf(at) ?? takenOf(at)) : undefined;
  }
  return at !== undefined;
}

/** `text.replace(…)` of `text`. */
function madeOf({ parent: member }: Node): Node | undefined {
  const call = member?.parent;
  return member?.kind === 'member' && making.test(member.property ?? '') && call?.kind === 'call' && call.callee === member
    ? call
    : undefined;
}

/** `settings[name]` of `settings`, which is not called there. */
const takenOf = ({ parent: member }: Node): Node | undefined =>
  member?.kind === 'member' && member.property === undefined && !(member.parent?.kind === 'call' && member.parent.callee === member)
    ? member
    : undefined;
