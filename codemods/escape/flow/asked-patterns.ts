/**
 * Regular expressions under names and in lists, with all that these are asked about: `const OPERATIONS = [[/^\/v1\/messages/, 'send']]`,
 * `OPERATIONS.find(([pattern]) => pattern.test(path))`. One that goes anywhere else is not known.
 */
import { assignmentsOf } from '../../evaluate/assignments.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, LiteralNode, Node } from '../../syntax/tree.ts';
import { isExported } from './readers.ts';

/** A call that asks a pattern about something. */
export interface Ask {
  readonly call: CallNode;
  readonly subject: Node;
}

interface AskedPattern {
  readonly literal: LiteralNode;
  readonly asks: readonly Ask[];
}

/** How one is taken out of what holds it: each item of a list, or what stands under a name or a number. */
type Step = { readonly each: true } | { readonly name: string };

const known = new WeakMap<SourceModule, readonly AskedPattern[]>();

/** The patterns of a file of which all is known that they are asked about. */
export function askedPatterns(module: SourceModule): readonly AskedPattern[] {
  const before = known.get(module);
  if (before !== undefined) return before;
  const found = nodesOfKind(module.tree.program, 'literal').flatMap((literal): AskedPattern[] => {
    const asks = typeof literal.value === 'object' && literal.value !== null ? asksFrom(literal, [], module, 'made') : undefined;
    return asks === undefined ? [] : [{ literal, asks }];
  });
  known.set(module, found);
  return found;
}

/** The patterns that a call asks, whichever of a list it is; none where they are not known. */
export function patternsAskedBy(call: Node, module: SourceModule): readonly LiteralNode[] {
  const found = byCall.get(module) ?? patternsByCall(module);
  byCall.set(module, found);
  return found.get(call) ?? [];
}

const byCall = new WeakMap<SourceModule, ReadonlyMap<Node, readonly LiteralNode[]>>();

function patternsByCall(module: SourceModule): ReadonlyMap<Node, readonly LiteralNode[]> {
  const all = askedPatterns(module).flatMap(({ literal, asks }) => asks.map(({ call }) => ({ call, literal })));
  return new Map([...Map.groupBy(all, ({ call }) => call)].map(([call, asks]) => [call, asks.map(({ literal }) => literal)]));
}

type Asks = readonly Ask[] | undefined;

/** @param from whether it stands there itself, so that what is around it may be the list that it is written in */
function asksFrom(node: Node, steps: readonly Step[], module: SourceModule, from: 'made' | 'taken'): Asks {
  const { parent } = node;
  const [step, ...rest] = steps;
  if (parent?.kind === 'variable' && parent.init === node) {
    if (parent.each === undefined) return asksOfNames(parent.target, steps, module);
    return parent.each === 'value' && step !== undefined && 'each' in step ? asksOfNames(parent.target, rest, module) : undefined;
  }
  if (from === 'made') {
    if (parent?.kind === 'array') {
      const index = parent.elements.findIndex((each) => each === node);
      return asksFrom(parent, [parent.parent?.kind === 'array' ? { name: `${index}` } : { each: true }, ...steps], module, from);
    }
    if (parent?.kind === 'property' && parent.value === node && parent.name !== undefined && parent.parent?.kind === 'object')
      return asksFrom(parent.parent, [{ name: parent.name }, ...steps], module, from);
  }
  if (parent?.kind === 'logical' || (parent?.kind === 'conditional' && parent.test !== node))
    return asksFrom(parent, steps, module, 'taken');
  if (step === undefined) return asked(node);
  if (parent?.kind !== 'member' || parent.object !== node) return isLeftUnused(node) ? [] : undefined;
  return 'each' in step ? asksOfItems(parent, steps, module) : asksUnder(parent, step.name, rest, module);
}

/** `pattern.test(path)`, `pattern.exec(path)`, `path.match(pattern)` */
function asked(node: Node): Asks {
  const { parent } = node;
  if (parent?.kind === 'member' && parent.object === node && /^(?:test|exec)$/.test(parent.property ?? '')) {
    const call = parent.parent?.kind === 'call' && parent.parent.callee === parent ? parent.parent : undefined;
    const [subject, more] = call?.args ?? [];
    return call === undefined || subject === undefined || subject.kind === 'spread' || more !== undefined ? undefined : [{ call, subject }];
  }
  if (parent?.kind !== 'call' || parent.args[0] !== node || parent.callee.kind !== 'member') return undefined;
  return /^(?:match|search)$/.test(parent.callee.property ?? '') ? [{ call: parent, subject: parent.callee.object }] : undefined;
}

/** `if (OPERATIONS.find(…))` */
const isLeftUnused = ({ parent }: Node): boolean =>
  parent?.kind === 'unary' || parent?.kind === 'binary' || (parent?.kind === 'other' && /^(?:If|Expression)Statement$/.test(parent.what));

const ofItems = /^(?:find|findLast|findIndex|some|every|filter|map|flatMap|forEach)$/;

/** `PATTERNS.some((pattern) => …)`, and the item that `find` gives. */
function asksOfItems(member: Node & { readonly property?: string }, steps: readonly Step[], module: SourceModule): Asks {
  const call = member.parent?.kind === 'call' && member.parent.callee === member ? member.parent : undefined;
  const [fn, more] = call?.args ?? [];
  const { property = '' } = member;
  if (call === undefined || fn?.kind !== 'function' || more !== undefined || !ofItems.test(property) || fn.params.length !== 1)
    return undefined;
  const [item] = fn.params;
  const inside = item === undefined ? undefined : asksOfNames(item.target, steps.slice(1), module);
  const given =
    property === 'filter'
      ? asksFrom(call, steps, module, 'taken')
      : property.startsWith('find') && property !== 'findIndex'
        ? asksFrom(call, steps.slice(1), module, 'taken')
        : [];
  return inside && given && [...inside, ...given];
}

function asksUnder(member: Node, name: string, rest: readonly Step[], module: SourceModule): Asks {
  if (member.kind !== 'member') return undefined;
  const { computed, property } = member;
  const taken = computed?.kind === 'literal' && typeof computed.value === 'number' ? `${computed.value}` : property;
  // A method may give all of it.
  if (taken === undefined || (taken !== name && member.parent?.kind === 'call' && member.parent.callee === member)) return undefined;
  return taken === name ? asksFrom(member, rest, module, 'taken') : [];
}

/** All that is asked of what has a name, or of what a pattern takes out of it. */
function asksOfNames(target: Node, steps: readonly Step[], module: SourceModule): Asks {
  const [step, ...rest] = steps;
  switch (target.kind) {
    case 'patternName': {
      const binding = module.scopes.declaredBy(target);
      if (binding === undefined || assignmentsOf(binding).all.length > 0 || isExported(binding, module)) return undefined;
      const found = binding.references.map((name) => asksFrom(name, steps, module, 'taken'));
      return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? []);
    }
    case 'arrayPattern': {
      if (step === undefined || 'each' in step || target.elements.some((each) => each?.isRest === true)) return undefined;
      const element = target.elements[Number(step.name)];
      return element === undefined ? [] : asksOfNames(element.target, rest, module);
    }
    case 'objectPattern': {
      if (step === undefined || 'each' in step || target.rest !== undefined) return undefined;
      if (target.properties.some(({ computed }) => computed !== undefined)) return undefined;
      const property = target.properties.find(({ name }) => name === step.name);
      return property === undefined ? [] : asksOfNames(property.target, rest, module);
    }
    default:
      return undefined;
  }
}
