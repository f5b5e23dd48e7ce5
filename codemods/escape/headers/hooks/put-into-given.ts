/** Functions that put an edited header into what others give them: `sign(headers)`. Whoever gives something has it, too. */
import type { Place } from '../../../evaluate/budget.ts';
import { isScript } from '../../../evaluate/module.ts';
import { type Read, readsOf } from '../../../evaluate/calls/by-name.ts';
import { classAround } from '../../../evaluate/calls/callees.ts';
import { constructorOf } from '../../../evaluate/classes/class-index.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { placesAsValue } from '../../../evaluate/calls/other-calls.ts';
import type { ClassValue } from '../../../evaluate/values/values.ts';
import type { CallGraph } from '../../../requests/call-graph.ts';
import type { CallNode, FunctionNode, Node } from '../../../syntax/tree.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import type { DataflowQuery } from '../../flow/dataflow-query.ts';

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
    // A test that gives it an object sends that to nobody.
    if (fn === undefined || !query.values(holder).some((value) => value.type === 'object' && !isTest(value.module))) return false;
    return escapingCallbacks.has(fn) || query.isLost(holder) || isHandedToOthers(query, fn) || isTakenOfField(query, fn, holder);
  });

/** Whether it is given to code that was not read within an object or a list: `sdk.init({ authorize: sign })`. */
const isHandedToOthers = (query: DataflowQuery, fn: FunctionNode): boolean =>
  placesAsValue(query.ev, fn).some(({ node, module }) => {
    const { callee } = callAround(node) ?? {};
    return callee !== undefined && !query.values({ node: callee, module }).some(({ type }) => type === 'function' || type === 'class');
  });

/** Whether an instance keeps it in a field that is read otherwise than by the class's own calls: `ours.authorize(headers)`, `const { authorize } = ours`. */
function isTakenOfField(query: DataflowQuery, fn: FunctionNode, holder: Holder): boolean {
  const { module: around } = holder;
  const own = isScript(around) ? [{ node: fn, module: around }] : [];
  return [...own, ...placesAsValue(query.ev, fn)].some(({ node, module }) => {
    const call = node.parent;
    if (call?.kind !== 'call' || !call.isNew) return false;
    const index = call.args.findIndex((arg) => arg === node);
    return query
      .values({ node: call.callee, module })
      .some((of) => of.type === 'class' && fieldsOf(of, index).some((name) => isTaken(query, name, of)));
  });
}

/** The fields that a class keeps an argument of its constructor in. */
function fieldsOf({ node, module }: ClassValue, index: number): readonly string[] {
  const param = constructorOf(node)?.params[index];
  if (param?.target.kind !== 'patternName') return [];
  const references = module.scopes.declaredBy(param.target)?.references ?? [];
  const put = references.flatMap(({ parent }) => {
    const target = parent?.kind === 'assign' && parent.target.kind === 'member' ? parent.target : undefined;
    return target?.object.kind === 'this' ? (target.property ?? []) : [];
  });
  return param.isField ? [param.target.name, ...put] : put;
}

function isTaken(query: DataflowQuery, name: string, { node: of }: ClassValue): boolean {
  const isOwn = ({ node }: Read): boolean =>
    node.kind === 'member' &&
    node.object.kind === 'this' &&
    classAround(node) === of &&
    ((node.parent?.kind === 'call' && node.parent.callee === node) || (node.parent?.kind === 'assign' && node.parent.target === node));
  const reads = readsOf(query.ev.world, name);
  return reads === undefined || !reads.every(isOwn);
}

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
