/** What `this` is in a function, by who calls it. */
import type { Caller } from '../evaluate/calls/callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Frame } from '../evaluate/calls/frame.ts';
import { choiceOf, optionsOf, type Value } from '../evaluate/values/values.ts';
import type { Node } from '../syntax/tree.ts';

/** What it is taken of, or what `call`, `apply` and `bind` are given. */
export function selfAt(ev: Evaluation, { node, module }: Caller, frame: Frame | undefined, owner: Node): Value | undefined {
  const { callee, args } = node;
  const at = { module, frame };
  const callees = optionsOf(ev.evaluate(callee, at));
  const selves = callees.flatMap((value) => (value.type === 'function' && value.node === owner ? (value.self ?? []) : []));
  if (selves.length > 0) return choiceOf(selves);
  // Of a function that is no method, a package may say what it has.
  const { parent } = owner;
  const isMethod = parent?.kind === 'property' || parent?.kind === 'classMember';
  // `client.call('GET', path)` of a class that has a method of that name.
  const isByName = isMethod && callee.kind === 'member' && callee.property === parent.name && !isNamed(callee.object, parent.name);
  const isSaid = isMethod && !isByName && callee.kind === 'member' && /^(?:call|apply|bind)$/.test(callee.property ?? '');
  const isBound = callees.some((value) => value.type === 'method' && value.path[0] === 'bind' && isOf(value.receiver, owner));
  const [given] = isSaid || isBound ? args : [];
  return given === undefined || given.kind === 'spread' ? undefined : ev.evaluate(given, at);
}

const isNamed = (node: Node, name: string | undefined): boolean => node.kind === 'member' && node.property === name;

const isOf = (value: Value, owner: Node): boolean => value.type === 'function' && value.node === owner;
