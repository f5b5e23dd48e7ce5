/** What a test looks for among the requests that it has, wherever it does: `const sent = calls.filter(({ url }) => url === '…')`. */
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { choiceOf, type Value } from '../../../evaluate/values/values.ts';
import type { CallNode } from '../../../syntax/tree.ts';
import { type Look, looksIn } from './expected-looks.ts';
import { isAddress } from './expected-request.ts';

/** @param ofLook the requests that one of the questions is about */
export function lookedFor(
  node: CallNode,
  at: At,
  ev: Evaluation,
  ofLook: (call: RuleCall, look: Look) => Value | undefined,
): Value | undefined {
  if (!isTest(at.module)) return undefined;
  const call: RuleCall = { ...at, node, path: [], on: undefined, args: [], ev };
  const found = looksIn(node).flatMap((look) => {
    const isOfRequest = isAddress(ev.evaluate(look.expected, at)) || !isLogging(ev);
    return isOfRequest ? (ofLook(call, look) ?? []) : [];
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

/** Whether the program speaks of a path in a message: what a test has may be what was logged, and messages stay as they are. */
const isLogging = ({ world }: Evaluation): boolean =>
  [...world.modules.values()].some(
    (module) => !isTest(module) && module.texts.some(({ start, end }) => /\s\/v1\//.test(module.text.slice(start, end))),
  );
