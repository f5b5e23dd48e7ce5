/** Functions that put an edited header into what others give them: `sign(headers)`. Whoever gives something has it, too. */
import type { Place } from '../../evaluate/budget.ts';
import { isScript } from '../../evaluate/module.ts';
import { placesAsValue } from '../../evaluate/other-calls.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import type { CallNode, FunctionNode, Node } from '../../syntax/tree.ts';
import type { Change } from '../../verdict/spans.ts';
import type { DataflowQuery } from '../flow/dataflow-query.ts';

/** What an edited header is put into by a statement of its own. */
export interface Holder extends Place {
  readonly change: Change;
}

/**
 * Holders that are an object of the program's in some calls, and nobody knows what in others, or that a package may give: it may be what is sent to
 * somebody else.
 */
export const givenByOthers = (query: DataflowQuery, { escapingCallbacks }: CallGraph, holders: readonly Holder[]): readonly Holder[] =>
  holders.filter((holder) => {
    const fn = takerOf(holder);
    if (fn === undefined || !query.values(holder).some(({ type }) => type === 'object')) return false;
    return escapingCallbacks.has(fn) || query.isLost(holder) || isHandedToOthers(query, fn);
  });

/** Whether it is given to code that was not read within an object or a list: `sdk.init({ authorize: sign })`. */
const isHandedToOthers = (query: DataflowQuery, fn: FunctionNode): boolean =>
  placesAsValue(query.ev, fn).some(({ node, module }) => {
    const { callee } = callAround(node) ?? {};
    return callee !== undefined && !query.values({ node: callee, module }).some(({ type }) => type === 'function' || type === 'class');
  });

/** The call that something is an argument of, within objects and lists. */
function callAround(node: Node): CallNode | undefined {
  let at: Node | undefined = node;
  while (at?.parent?.kind === 'property' || at?.parent?.kind === 'object' || at?.parent?.kind === 'array') at = at.parent;
  const call = at?.parent;
  return call?.kind === 'call' && call.callee !== at && at !== node ? call : undefined;
}

/** What those give who call the functions: it is the same object. */
export const givenToTakers = ({ callers }: CallGraph, holders: readonly Holder[]): readonly Place[] =>
  holders.flatMap((holder) => {
    const fn = takerOf(holder);
    const calls = fn === undefined ? [] : (callers.get(fn) ?? []);
    return calls.flatMap(({ node: { args }, module }) => args.map((arg): Place => ({ node: rootOf(arg), module })));
  });

/** The function whose parameter it is, or is read of. */
function takerOf({ node, module }: Holder): FunctionNode | undefined {
  const root = rootOf(node);
  const owner = root.kind === 'name' && isScript(module) ? module.scopes.bindingOf(root)?.owner : undefined;
  return owner?.kind === 'param' && owner.parent?.kind === 'function' ? owner.parent : undefined;
}

function rootOf(node: Node): Node {
  let root = node;
  while (root.kind === 'member') root = root.object;
  return root;
}
