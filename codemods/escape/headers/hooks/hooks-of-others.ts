/**
 * Hooks that a function registers at whatever client it is given: what they put into requests, those of somebody else's client have as well. Of a client that a package
 * hands out no request is seen that could say so.
 */
import { forAllCallers } from '../../../evaluate/calls/all-callers.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript } from '../../../evaluate/module.ts';
import { optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { functionsAround } from '../../../requests/left-to-default.ts';
import type { Node } from '../../../syntax/tree.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import { combined } from '../../../evaluate/libraries/combined.ts';

/** @returns the client that a hook with the change is registered at, where that may be one of a package that is not known */
export function hookedOfOthers(ev: Evaluation, { module }: Change, edited: Node): Place | undefined {
  if (!isScript(module)) return undefined;
  for (const fn of functionsAround(edited)) {
    const client = clientHookedBy(fn);
    if (client === undefined) continue;
    const clients = forAllCallers(ev, undefined, (frame) => ev.evaluate(client, { module, frame }));
    if (optionsOf(clients).some((each) => isOfOthers(ev, each))) return { node: client, module };
  }
  return undefined;
}

/** `client.interceptors.request.use((config) => …)` */
function clientHookedBy({ parent }: Node): Node | undefined {
  const callee = parent?.kind === 'call' ? parent.callee : undefined;
  const hooks = callee?.kind === 'member' ? callee.object : undefined;
  const all = hooks?.kind === 'member' && hooks.property === 'request' ? hooks.object : undefined;
  return all?.kind === 'member' && all.property === 'interceptors' ? all.object : undefined;
}

const isOfOthers = ({ rules }: Evaluation, value: Value): boolean =>
  value.type === 'external' && value.source !== '' && !combined(rules).modules.has(value.source);
