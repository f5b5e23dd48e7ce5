/** Helpers that tests write to read headers of what a mock recorded, one or all: `const header = (n, name) => spy.mock.calls[n][1].headers.get(name)`. */
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { calledBy } from '../../../evaluate/calls/call-frames.ts';
import { isCalling } from '../../../evaluate/names/named.ts';
import { optionsOf } from '../../../evaluate/values/values.ts';
import type { Expression, SpreadNode } from '../../../syntax/tree.ts';
import { isHeadersKept } from './captured.ts';
import { headerReadIn } from './expected-headers.ts';

/** @returns what such a helper of the same file reads for a call of it, and the way to that */
export function readInHelper(
  actual: Expression | SpreadNode,
  call: RuleCall,
): { readonly actualNode: Expression; readonly call: RuleCall } | undefined {
  if (actual.kind !== 'call' || actual.isNew) return undefined;
  const [fn, ...others] = optionsOf(call.ev.evaluate(actual.callee, call));
  if (fn?.type !== 'function' || others.length > 0 || fn.module !== call.module || isCalling(call.frame, fn.node)) return undefined;
  const [returned, ...more] = returnsOf(fn.node);
  if (returned === undefined || more.length > 0) return undefined;
  const inside: RuleCall = { ...call, frame: calledBy(call.ev, fn.node, { node: actual, module: call.module }, call.frame) };
  const isRead = headerReadIn(returned, inside) !== undefined || headerReadIn(returned, inside, 'has') !== undefined;
  return isRead || isHeadersKept(returned, inside) ? { actualNode: returned, call: inside } : undefined;
}
