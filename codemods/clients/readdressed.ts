/** Requests that a hook gives back in the place of the one that it is given, at another address: `new Request(request.url.replace('//api.', '//read.'), request)`. */
import { callsOf } from '../evaluate/calls/all-callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { FunctionValue, HttpValue } from '../evaluate/values/values.ts';
import { isWithin } from '../syntax/link.ts';
import type { NameNode, Node } from '../syntax/tree.ts';

/** Whether a hook asks for another address than the one that it is given. */
export const asksElsewhere = (ev: Evaluation, address: Node | undefined, hook: FunctionValue): boolean =>
  address !== undefined && !isOfGiven(ev, address, hook.module, hook, maxNames);

/** Whether a request that a hook makes, or asks for itself, may go to another host or path than the one that it is given. */
export function isReaddressed(ev: Evaluation, { node, module }: HttpValue, hook: FunctionValue): boolean {
  const [address] = node.kind === 'call' ? node.args : [];
  return address !== undefined && !isOfGiven(ev, address, module, hook, maxNames);
}

/** A name is followed to what it was made of through so many others. */
const maxNames = 4;

/** Whether it is `request`, `request.url`, `new URL(request.url)`, or a name of these of which nothing but the query is changed. */
function isOfGiven(ev: Evaluation, node: Node, module: SourceModule, hook: FunctionValue, names: number): boolean {
  if (node.kind === 'member') return same.has(node.property ?? '') && isOfGiven(ev, node.object, module, hook, names);
  if (node.kind === 'call') {
    const { callee, args } = node;
    const [of] = node.isNew ? args : callee.kind === 'member' && sameAgain.has(callee.property ?? '') ? [callee.object] : [];
    return of !== undefined && isOfGiven(ev, of, module, hook, names);
  }
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  const owner = binding?.owner;
  if (names === 0 || binding?.references.some(isMovedAt) === true) return false;
  if (owner?.kind === 'variable') return owner.init !== undefined && isOfGiven(ev, owner.init, module, hook, names - 1);
  if (owner?.kind !== 'param' || owner.parent?.kind !== 'function') return false;
  if (owner.parent === hook.node) return true;
  // Another function makes it, of what the hook hands to it.
  const index = owner.parent.params.indexOf(owner);
  const calls = callsOf(ev, owner.parent).filter((call) => call.module === hook.module && isWithin(hook.node, call.node));
  const given = calls.map((call) => ({ arg: call.node.args[index], of: call.module }));
  return given.length > 0 && given.every(({ arg, of }) => arg !== undefined && isOfGiven(ev, arg, of, hook, names - 1));
}

const same = new Set(['request', 'url', 'href']);
const sameAgain = new Set(['clone', 'toString']);
const besidePath = new Set(['search', 'hash']);

/** `url.host = …`, `url = …` */
function isMovedAt(name: NameNode): boolean {
  const { parent } = name;
  if (parent?.kind === 'assign') return parent.target === name;
  if (parent?.kind !== 'member' || parent.object !== name || besidePath.has(parent.property ?? '')) return false;
  return parent.parent?.kind === 'assign' && parent.parent.target === parent;
}
