/** What Cypress expects of a header that it has read: `.its('request.headers.x-api-key').should('eq', key)`. */
import type { RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { plainText } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, SpreadNode } from '../../syntax/tree.ts';
import { type Compared, unvalued } from './expected/compared.ts';

/** What a key with its scheme before it is, too. */
const anyKey = /^(?:exist|be\.an?|be\.ok|not\.be\.(?:empty|null|undefined)|(?:include|contain)s?)$/;
const equality = /^(?:deep\.)?(?:eq|eql|equals?)$/;

/**
 * @param read the call that gives the header, with all that is expected of that behind it
 * @returns what the header's value is compared with; undefined where a person has to look, as nobody can tell what else is done with it
 */
export function comparedBehind(read: CallNode, call: RuleCall): readonly Compared[] | undefined {
  const found: Compared[] = [];
  for (let { parent } = read; parent?.kind === 'member';) {
    const expected: CallNode | undefined = parent.parent?.kind === 'call' && parent.parent.callee === parent ? parent.parent : undefined;
    const compared = expected && /^(?:should|and)$/.test(parent.property ?? '') ? comparedIn(expected, call) : undefined;
    if (expected === undefined || compared === undefined) return undefined;
    found.push(...compared);
    ({ parent } = expected);
  }
  return found.length > 0 ? found : [unvalued(read, call.module)];
}

function comparedIn(expected: CallNode, call: RuleCall): readonly Compared[] | undefined {
  const [said, value] = expected.args;
  const how = said === undefined || said.kind === 'spread' ? '' : (plainText(call.ev.evaluate(said, call)) ?? '');
  if (anyKey.test(how)) return [];
  return equality.test(how) ? comparedWith(value, expected, call) : undefined;
}

/** @returns the value that a header is expected to have, as it stands there */
export const comparedWith = (
  valueNode: Expression | SpreadNode | undefined,
  node: CallNode,
  { module, frame, ev }: RuleCall,
): readonly Compared[] | undefined =>
  valueNode === undefined || valueNode.kind === 'spread'
    ? undefined
    : [{ node, module, valueNode, value: () => ev.evaluate(valueNode, { module, frame }) }];
