/** Functions that are given to code which was not read: `queue.process(send)`. Who calls them, and with what, is unknown. */
import { namesInTests } from '../clients/testing/libraries.ts';
import type { CallNode, Expression, Node } from '../syntax/tree.ts';
import { hasArguments } from '../evaluate/calls/callees.ts';
import { knownFunction } from '../evaluate/language/known-functions.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { optionsOf, type Value } from '../evaluate/values/values.ts';
import { namesOfFunctions, spokenNames } from '../evaluate/calls/function-names.ts';
import { perItem } from '../syntax/item-methods.ts';

/** Calls that only look at what they are given: tests, and what shows something. */
const looking = new RegExp(String.raw`^(?:console|log|logger|${namesInTests}|mock\w*)$`);
/** Methods whose callers are known otherwise. */
export const followed: ReadonlySet<string> = new Set([...perItem, 'then', 'bind', 'call', 'apply']);

/** @param called the functions that are called, too: of others nobody asks */
export function escapingCallbacks(ev: Evaluation, called: Iterable<Node>): ReadonlySet<Node> {
  const found = new Set<Node>();
  const names = namesOfFunctions(ev.world, called);
  for (const module of ev.world.modules.values()) {
    const at: At = { module, frame: undefined };
    for (const call of module.calls) {
      // Where nothing is edited, and nothing asked for any more, thousands would be cut one by one.
      if (ev.budget.isFar({ node: call, module }) && ev.budget.isUsedUp({ node: call, module })) {
        ev.budget.cut();
        continue;
      }
      const given = call.args.filter((arg) => arg.kind !== 'spread').filter((arg) => spokenNames(arg).some((name) => names.has(name)));
      if (given.length === 0 || looking.test(firstName(call)) || !isUnread(ev, call, at)) continue;
      for (const arg of given) for (const value of optionsOf(ev.evaluate(arg, at))) if (value.type === 'function') found.add(value.node);
    }
  }
  return found;
}

/** Whether what is called is neither the project's own nor a client's. */
function isUnread(ev: Evaluation, call: CallNode, at: At): boolean {
  return optionsOf(ev.evaluate(call.callee, at)).every((value) => {
    if (value.type === 'external') {
      const rule = ev.rules.find(({ modules }) => modules?.includes(value.source));
      if (rule !== undefined && rule.runsAlone !== true) return false;
      // What a library's function makes that is known otherwise, `bind(send, client, path)`, may be called with anything.
      const isMade = knownFunction(ev, value) !== undefined && (value.source === '' || ev.evaluate(call, at).type !== 'unknown');
      const isGivenBack = isMade || value.path.at(-1) === 'wrap';
      return isGivenBack ? !isOnlyCalled(call, at) : ev.runs(value, call, at).length === 0;
    }
    if (value.type === 'method')
      return value.receiver.type !== 'http' && (value.receiver.type !== 'list' || !followed.has(value.path[0] ?? ''));
    return value.type === 'unknown' || isOpaque(value);
  });
}

/** Whether what a call gives back is called, at once or by a name: nobody else gets hold of it. */
function isOnlyCalled(call: CallNode, { module }: At): boolean {
  const { parent } = call;
  if (parent?.kind === 'call') return parent.callee === call;
  if (parent?.kind !== 'variable' || parent.declares !== 'const' || parent.target.kind !== 'patternName') return false;
  const references = module.scopes.declaredBy(parent.target)?.references ?? [];
  return references.every((each) => {
    const use = each.parent;
    if (use?.kind === 'call') return use.callee === each;
    return (
      use?.kind === 'member' &&
      use.object === each &&
      (asking.test(use.property ?? '') || (use.property === 'fallback' && isGivenNothing(use.parent)))
    );
  });
}

/** `breaker.fallback(() => null)`: a function that takes nothing asks for none of what the other was given. */
const isGivenNothing = (call: Node | undefined): boolean =>
  call?.kind === 'call' && call.args.every((arg) => arg.kind === 'function' && arg.params.length === 0 && !hasArguments(arg));

/** What calls a function that a breaker has, and what only listens to it. */
const asking = /^(?:fire|on|once|shutdown|opened|stats)$/;

const isOpaque = ({ type }: Value): boolean => type === 'text' || type === 'env' || type === 'literal';

function firstName({ callee }: CallNode): string {
  let at: Expression = callee;
  while (at.kind === 'member' || at.kind === 'call') at = at.kind === 'member' ? at.object : at.callee;
  return at.kind === 'name' ? at.name : '';
}
