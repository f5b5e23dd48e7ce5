/** What `this` is in a function, by who calls it. */
import type { Caller } from '../evaluate/callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Frame } from '../evaluate/frame.ts';
import { choiceOf, optionsOf, type Value } from '../evaluate/values.ts';
import type { Node } from '../syntax/tree.ts';

/** What it is taken of, or what `call` and `apply` are given. */
export function selfAt(ev: Evaluation, { node, module }: Caller, frame: Frame | undefined, owner: Node): Value | undefined {
  const { callee, args } = node;
  const at = { module, frame };
  const callees = optionsOf(ev.evaluate(callee, at));
  const selves = callees.flatMap((value) => (value.type === 'function' && value.node === owner ? (value.self ?? []) : []));
  if (selves.length > 0) return choiceOf(selves);
  // Of a function that is no method, a package may say what it has.
  const isMethod = owner.parent?.kind === 'property' || owner.parent?.kind === 'classMember';
  const [given] = isMethod && callee.kind === 'member' && /^(?:call|apply)$/.test(callee.property ?? '') ? args : [];
  return given === undefined || given.kind === 'spread' ? undefined : ev.evaluate(given, at);
}
