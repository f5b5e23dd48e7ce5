/** Whether a version decides something where it stands, or only becomes part of a text: `url.startsWith('/' + version)`, and `host + '/' + version`. */
import { combined } from '../../evaluate/libraries/combined.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';

/** What such a method is called on decides … */
const comparing =
  /^(?:startsWith|endsWith|includes|(?:last)?indexOf|match(?:All)?|search|test|exec|equals|is\w*|has\w*|localeCompare|split|replace(?:All)?)$/i;
/** … and what a method is given, but for those that make requests or put texts together. */
const joining = /^(?:join|resolve|concat|format|push|create|extend|assign|merge)$/;
/** What is made of it is followed by the name that it gets. */
const naming: ReadonlySet<Node['kind']> = new Set([
  'variable',
  'property',
  'return',
  'assign',
  'function',
  'param',
  'patternProperty',
  'classMember',
]);
/** It is part of what these give. */
const giving: ReadonlySet<Node['kind']> = new Set(['concat', 'template', 'logical', 'array', 'object', 'spread', 'await', 'tagged']);

export function isDecidedBy(node: Node, { rules }: Pick<Evaluation, 'rules'>): boolean {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (naming.has(parent.kind)) return false;
    const isPassing =
      giving.has(parent.kind) ||
      (parent.kind === 'conditional' && parent.test !== at) ||
      (parent.kind === 'member' && parent.object === at && !comparing.test(parent.property ?? '')) ||
      (parent.kind === 'call' &&
        (parent.callee === at || isPassedOn(parent, (name) => joining.test(name) || combined(rules).mayAsk(name))));
    if (!isPassing) return parent.kind !== 'other' || parent.what !== 'ExpressionStatement';
  }
  return false;
}

const isPassedOn = ({ callee }: CallNode, isHarmless: (method: string) => boolean): boolean =>
  callee.kind === 'member' ? isHarmless(callee.property ?? '') : callee.kind !== 'name' || callee.name !== 'RegExp';
