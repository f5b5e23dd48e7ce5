/** Where the program gets hold of what an object or list holds: `options.headers`, `const { headers } = options`, `for (const each of list)`. */
import { isPattern } from '../../syntax/scopes.ts';
import type { Expression, MemberNode, Node, Pattern } from '../../syntax/tree.ts';
import { functionsOf } from '../calls/callees.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { perItem, taking } from '../../syntax/item-methods.ts';

/** An expression, or a pattern that takes it apart. */
export interface InnerPlace {
  readonly node: Node;
  readonly at: At;
}

export interface Inner {
  /** undefined where it may be any. */
  readonly property: string | undefined;
  readonly places: readonly InnerPlace[];
}

/** @param node a place that names an object or a list, or the pattern that takes it apart */
export function innerOf(ev: Evaluation, node: Node, at: At): readonly Inner[] {
  if (isPattern(node)) return inPattern(node, at);
  const { parent } = node;
  if (parent?.kind === 'member' && parent.object === node) return ofMember(ev, parent, at);
  if (parent?.kind === 'variable' && parent.init === node && parent.each === 'value')
    // Of a Map, what is gone through are pairs, and the second of each is what it holds.
    return [inTarget(undefined, parent.target, at), ...(parent.target.kind === 'arrayPattern' ? inPattern(parent.target, at) : [])];
  if (parent?.kind === 'other' && parent.what === 'ForOfStatement' && parent.parent?.kind === 'assign')
    return [inTarget(undefined, parent.parent.target, at)];
  return [];
}

function inPattern(pattern: Pattern, at: At): readonly Inner[] {
  if (pattern.kind === 'objectPattern') return pattern.properties.map(({ name, target }) => inTarget(name, target, at));
  if (pattern.kind !== 'arrayPattern') return [];
  return pattern.elements.flatMap((element) => (element === undefined || element.isRest ? [] : [inTarget(undefined, element.target, at)]));
}

/** What is taken goes by a name, or is taken apart in turn. */
const inTarget = (property: string | undefined, target: Pattern | Expression, at: At): Inner => ({
  property,
  places: placesOf(target, at).map((node) => ({ node, at })),
});

/** The places that name what a pattern binds or assigns. */
export function placesOf(target: Pattern | Expression, { module: { scopes } }: At): readonly Node[] {
  if (target.kind === 'patternName') return scopes.declaredBy(target)?.references ?? [];
  if (target.kind === 'name') return scopes.bindingOf(target)?.references ?? [];
  return isPattern(target) ? [target] : [];
}

/** What takes all that a pattern leaves. */
export const restsOf = (pattern: Pattern): readonly (Pattern | Expression)[] =>
  pattern.kind === 'objectPattern'
    ? pattern.rest === undefined
      ? []
      : [pattern.rest]
    : pattern.kind === 'arrayPattern'
      ? pattern.elements.flatMap((element) => (element?.isRest === true ? [element.target] : []))
      : [];

/** What gives all that a Map or Set holds, one after the other. */
const listing: ReadonlySet<string> = new Set(['entries', 'values']);

function ofMember(ev: Evaluation, member: MemberNode, at: At): readonly Inner[] {
  const { computed, parent: call } = member;
  const property = member.property ?? (computed?.kind === 'string' ? computed.value : undefined);
  if (call?.kind !== 'call' || call.callee !== member) return [{ property, places: [{ node: member, at }] }];
  if (listing.has(property ?? '')) return innerOf(ev, call, at);
  const isTaken = property === 'get' || taking.has(property ?? '');
  const taken: Inner[] = isTaken ? [{ property: undefined, places: [{ node: call, at }] }] : [];
  const [fn] = call.args;
  if (!perItem.has(property ?? '') || fn === undefined || fn.kind === 'spread') return taken;
  const given = functionsOf(ev, fn, at).flatMap(({ node, module }): Inner[] => {
    const target = node.kind === 'function' ? node.params[0]?.target : undefined;
    return target === undefined ? [] : [inTarget(undefined, target, { module, frame: module === at.module ? at.frame : undefined })];
  });
  return [...taken, ...given];
}
