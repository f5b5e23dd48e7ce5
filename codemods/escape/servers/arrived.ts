/** What comes to a server of a test, or to what it has in the place of `fetch`. */
import { startsServer } from '../../clients/servers/frameworks.ts';
import { isFetch } from '../../clients/testing/stubs.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { memoOf } from '../../once.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { FunctionNode, NameNode, Node } from '../../syntax/tree.ts';

export const startsServerIn = ({ text }: SourceModule): boolean => startsServer.test(text);

/** Whether a file has a server, or makes functions that answer in the place of `fetch`. */
export const serves = (module: SourceModule): boolean => startsServerIn(module) || fetchesMadeIn(module).length > 0;

/** Functions that are made of what another is given, as a table of answers, to be asked in the place of `fetch`. */
export const fetchesMadeIn = memoOf((module: SourceModule): readonly FunctionNode[] =>
  nodesOfKind(module.tree.program, 'function').filter(
    (fn) => functionAround(fn)?.params.some(({ target }) => target.kind === 'patternName') === true && isFetch(fn, module),
  ),
);

/** Whether something is made of a request that came: `req.url`, `new URL(req.url, base).pathname`, a list that it was put into. */
export function isArrived(node: Node, module: SourceModule, seen = new Set<Binding>()): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= each.kind === 'name' && isOfArrived(each, module, seen);
    return !found && each.kind !== 'function';
  });
  return found;
}

function isOfArrived(name: NameNode, module: SourceModule, seen: Set<Binding>): boolean {
  const binding = module.scopes.bindingOf(name);
  if (binding === undefined || seen.has(binding)) return false;
  seen.add(binding);
  const { owner, references } = binding;
  if (owner.kind === 'param') {
    const fn = owner.parent;
    if (fn?.kind !== 'function') return false;
    if (fn.params[0] === owner && isHandler(fn)) return true;
    const call = fn.parent;
    return call?.kind === 'call' && call.callee.kind === 'member' && call.args[0] === fn && isArrived(call.callee.object, module, seen);
  }
  if (owner.kind !== 'variable') return false;
  if (owner.init !== undefined && isArrived(owner.init, module, seen)) return true;
  return references.some(({ parent, ...reference }) => {
    if (parent?.kind === 'assign' && parent.target.start === reference.start) return isArrived(parent.value, module, seen);
    const pushed = parent?.kind === 'member' && /^(?:push|unshift|add)$/.test(parent.property ?? '') ? parent.parent : undefined;
    return pushed?.kind === 'call' && pushed.args.some((arg) => isArrived(arg, module, seen));
  });
}

/** What a server calls with what came: by what it answers with, by its name, or given to `createServer`. */
function isHandler(fn: FunctionNode): boolean {
  const [first] = fn.params;
  return (first?.target.kind === 'patternName' && /^_?(?:req|request|ctx|context|c)$/.test(first.target.name)) || answers(fn);
}

export function answers({ params: [, answer], parent }: FunctionNode): boolean {
  if (answer?.target.kind === 'patternName' && /^_?(?:res|response|reply)$/.test(answer.target.name)) return true;
  const callee = parent?.kind === 'call' ? parent.callee : undefined;
  return (callee?.kind === 'member' ? callee.property : callee?.kind === 'name' ? callee.name : undefined) === 'createServer';
}
