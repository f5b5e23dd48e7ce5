/** Whether a version decides something where it stands, or only becomes part of a text: `url.startsWith('/' + version)`, and `host + '/' + version`. */
import type { Place } from '../../evaluate/budget.ts';
import { combined } from '../../evaluate/libraries/combined.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { once } from '../../once.ts';
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

/**
 * Whether a version decides at one of the places that it comes to. Where it is compared at none of them, what it is part of is only asked whether it has something:
 * `if (answer.failed)`, of a message that says its own version.
 */
export function decidingIn(places: readonly Place[], isCut: boolean, ev: Evaluation): (node: Node) => boolean {
  const isCompared = once(() => isCut || places.some(({ node }) => isDecidedBy(node, ev, isNoMatter)));
  return (node) => isDecidedBy(node, ev) && isCompared();
}

/** @param isIdle what decides nothing, beside what passes the version on */
function isDecidedBy(node: Node, { rules }: Pick<Evaluation, 'rules'>, isIdle: (node: Node) => boolean = () => false): boolean {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (naming.has(parent.kind) || isIdle(at)) return false;
    const isPassing =
      giving.has(parent.kind) ||
      (parent.kind === 'conditional' && parent.test !== at) ||
      (parent.kind === 'member' && parent.object === at && !comparing.test(parent.property ?? '')) ||
      (parent.kind === 'call' &&
        (parent.callee === at || isPassedOn(parent, (name) => joining.test(name) || combined(rules).mayAsk(name))));
    if (!isPassing) return parent.kind !== 'other' || !/^(?:Expression|Throw)Statement$/.test(parent.what);
  }
  return false;
}

/**
 * `if (answer.failed)`, `!answer`: which version it says is all the same to that. `scores.apiVersion === 'v1'` says as much whatever
 * is requested; the text there is asked about by itself.
 */
const isNoMatter = (node: Node): boolean => {
  const { parent } = node;
  if (parent?.kind === 'binary' && /^[!=]==?$/.test(parent.operator)) return isText(parent.left === node ? parent.right : parent.left);
  if (parent?.kind === 'other') return parent.what === 'IfStatement' && isRead(node);
  return (
    isRead(node) &&
    ((parent?.kind === 'unary' && parent.operator === '!') ||
      (parent?.kind === 'conditional' && parent.test === node) ||
      (parent?.kind === 'logical' && parent.operator === '&&' && parent.left === node))
  );
};

const isText = ({ kind }: Node): boolean => kind === 'string' || kind === 'literal';

/** What a call gives may be what a comparison found. */
const isRead = (node: Node): boolean => node.kind === 'name' || (node.kind === 'member' && !comparing.test(node.property ?? 'is'));

const isPassedOn = ({ callee }: CallNode, isHarmless: (method: string) => boolean): boolean =>
  callee.kind === 'member' ? isHarmless(callee.property ?? '') : callee.kind !== 'name' || callee.name !== 'RegExp';
