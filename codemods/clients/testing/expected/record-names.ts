/** Which of the calls that a fake recorded an expectation names, by what stands there: what has one name is of one call. */
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { NamedRecord } from '../../../evaluate/libraries/named-record.ts';
import type { Binding } from '../../../syntax/scopes.ts';
import type { CallNode, Expression, FunctionNode, MemberNode, Node, SpreadNode, VariableNode } from '../../../syntax/tree.ts';
import { adding, isWrapped } from './captured.ts';
import { indexIn } from './list-items.ts';
import { saidAround, saidBy } from './said-of-records.ts';
import { clearedBefore, disturbedBefore } from './record-times.ts';
import { findingOne, perItem, taking } from '../../../syntax/item-methods.ts';

/** On the way to a record: the names so far, and whether one call is told from the others by them. */
interface Way {
  readonly text: string;
  readonly isOne: boolean;
  /** Whether the same names lead to another call, once more was asked: `calls.at(-1)`. */
  readonly isLate: boolean;
  /** `calls.find(…)`, `calls.filter(…)`: what it was picked by. */
  readonly picked: CallNode | undefined;
}

const maxSteps = 30;

/** @returns undefined where it is of no call that is told from the others */
export function recordNamed(
  node: Expression | SpreadNode | undefined,
  at: At & { readonly ev: Evaluation },
  stands: Node,
): NamedRecord | undefined {
  const found = nameOf(node, at, stands);
  if (found === undefined) return undefined;
  const { name, picked } = found;
  const isOfSame = (actual: Expression, test: Node): boolean => nameOf(actual, at, test)?.name === name;
  return { name, picked, said: [...saidBy(picked, at), ...saidAround(stands, at, isOfSame)] };
}

function nameOf(node: Expression | SpreadNode | undefined, at: At, stands: Node): Pick<NamedRecord, 'name' | 'picked'> | undefined {
  const way = node === undefined || node.kind === 'spread' ? undefined : wayTo(node, at, maxSteps);
  if (way?.isOne !== true) return undefined;
  const since = way.isLate ? disturbedBefore(stands) : clearedBefore(stands, at.module);
  return { name: `${way.text} since ${since}`, picked: way.picked };
}

const begun = (text: string, isOne = false, isLate = false): Way => ({ text, isOne, isLate, picked: undefined });

function wayTo(node: Expression, at: At, steps: number): Way | undefined {
  if (steps === 0) return undefined;
  switch (node.kind) {
    case 'await':
      return wayTo(node.argument, at, steps - 1);
    case 'this':
      return begun('this');
    case 'name':
      return ofName(node, at, steps);
    case 'member': {
      const way = wayTo(node.object, at, steps - 1);
      return way && ofMember(way, node, at.module);
    }
    case 'call':
      return ofCall(node, at, steps);
    default:
      return undefined;
  }
}

/** Names of what mocks have their calls in, whichever of them is read. */
const holding: ReadonlySet<string> = new Set(['mock', 'calls', 'args', 'getCalls']);
const places: ReadonlyMap<string, string> = new Map([
  ['firstCall', '0'],
  ['secondCall', '1'],
  ['thirdCall', '2'],
]);

function ofMember(way: Way, { property, computed }: MemberNode, { text }: SourceModule): Way {
  if (way.isOne) return way;
  if (property === 'lastCall') return { ...way, text: `${way.text}#last`, isOne: true, isLate: true };
  const place = property === undefined ? undefined : places.get(property);
  if (place !== undefined) return one(way, place);
  if (property !== undefined) return holding.has(property) ? way : { ...way, text: `${way.text}.${property}` };
  const index = indexIn(computed);
  if (index !== undefined) return one(way, String(index));
  if (computed === undefined || computed.kind === 'string') return { ...way, text: `${way.text}.${computed?.value}` };
  return { ...one(way, text.slice(computed.start, computed.end)), isLate: true };
}

const one = (way: Way, place: string): Way => ({ ...way, text: `${way.text}#${place}`, isOne: true });

function ofCall(node: CallNode, at: At, steps: number): Way | undefined {
  const { callee, args } = node;
  const [first] = args;
  if (isWrapped(node)) return first === undefined || first.kind === 'spread' ? undefined : wayTo(first, at, steps - 1);
  if (callee.kind !== 'member') return undefined;
  const way = wayTo(callee.object, at, steps - 1);
  const method = callee.property ?? '';
  if (way === undefined || way.isOne || holding.has(method)) return way;
  const index = method === 'at' || method === 'getCall' ? placeIn(first) : undefined;
  if (index !== undefined) return { ...one(way, String(index)), isLate: way.isLate || index < 0 };
  const text = `${way.text} ${method} ${node.start}`;
  if (findingOne.has(method)) return { ...way, text, isOne: true, picked: node };
  return method === 'pop' || method === 'shift' ? begun(text, true) : { ...way, text, ...(method === 'filter' && { picked: node }) };
}

function placeIn(node: Node | undefined): number | undefined {
  if (node?.kind !== 'unary' || node.operator !== '-') return indexIn(node);
  const index = indexIn(node.argument);
  return index === undefined ? undefined : -index;
}

function ofName(node: Node, at: At, steps: number): Way | undefined {
  const { module } = at;
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  if (binding === undefined) return node.kind === 'name' ? begun(node.name) : undefined;
  const { owner, declaration } = binding;
  const own = begun(`${module.file} ${declaration.start}`);
  if (owner.kind === 'variable') return ofVariable(binding, owner, own, at, steps);
  const fn = owner.kind === 'param' ? owner.parent : undefined;
  return fn?.kind === 'function' ? ofParam(binding, fn, at, steps) : own;
}

function ofVariable(binding: Binding, owner: VariableNode, own: Way, at: At, steps: number): Way | undefined {
  const { init, each } = owner;
  if (each !== undefined) {
    const list = init && wayTo(init, at, steps - 1);
    return list && { ...list, text: `${list.text} each ${owner.start}`, isOne: true };
  }
  // `let last; … last = request`
  const isAssigned = binding.references.some(({ parent }) => parent?.kind === 'assign' && parent.target.start === parent.start);
  if (isAssigned) return isList(binding) ? own : { ...own, isOne: true, isLate: true };
  const from = init !== undefined && isTaken(init) ? wayTo(init, at, steps - 1) : undefined;
  if (from !== undefined) return throughPattern(from, binding.declaration, owner, at.module);
  return owner.declares === 'const' && isReadAsRequest(binding) ? { ...own, isOne: true, isLate: true } : own;
}

/** `const { request } = await run(…)`, of which `request.url` and `request.headers` are read: what a function of the test made of one call. */
const isReadAsRequest = ({ references }: Binding): boolean =>
  references.every(({ parent }) => parent?.kind === 'member' && ofRequest.has(parent.property ?? ''));

const ofRequest: ReadonlySet<string> = new Set(['url', 'href', 'method', 'headers', 'body', 'query']);

const isList = ({ references }: Binding): boolean =>
  references.some(({ parent }) => parent?.kind === 'member' && adding.has(parent.property ?? '') && parent.parent?.kind === 'call');

/** Whether it is read of something else, and not made there. */
function isTaken(init: Expression): boolean {
  if (init.kind === 'await') return isTaken(init.argument);
  if (init.kind === 'name' || init.kind === 'member') return true;
  return init.kind === 'call' && (isWrapped(init) || (init.callee.kind === 'member' && picking.has(init.callee.property ?? '')));
}

const picking: ReadonlySet<string> = new Set([...taking, 'filter', 'getCall', 'getCalls', 'slice', 'splice', 'map', 'clone']);

/** A callback of a list has one of its items; any other function what it is called with, each time. */
function ofParam({ declaration }: Binding, fn: FunctionNode, at: At, steps: number): Way | undefined {
  const { parent } = fn;
  const index = fn.params.findIndex(({ start, end }) => start <= declaration.start && declaration.end <= end);
  const param = fn.params[index];
  if (param === undefined) return undefined;
  if (parent?.kind === 'call' && parent.args[0] === fn && parent.callee.kind === 'member' && eachItem.has(parent.callee.property ?? '')) {
    const list = wayTo(parent.callee.object, at, steps - 1);
    if (list !== undefined && index === 0) return { ...list, text: `${list.text} each ${fn.start}`, isOne: true };
  }
  const { frame } = at;
  const arg = frame?.owner === fn ? frame.call?.node.args[index] : undefined;
  if (frame?.call !== undefined && arg !== undefined && arg.kind !== 'spread') {
    const given = wayTo(arg, { module: frame.call.module, frame: frame.outer }, steps - 1);
    if (given !== undefined) return throughPattern(given, declaration, param, at.module);
  }
  return begun(`${at.module.file} call ${fn.start}`, true);
}

const eachItem: ReadonlySet<string> = new Set([...perItem, 'reduce']);

/** `const [first, ...rest] = calls`, `const { headers } = calls[0]`. */
function throughPattern(from: Way, declaration: Node, owner: Node, { file }: SourceModule): Way {
  const path: Node[] = [];
  for (let at: Node | undefined = declaration; at !== undefined && at !== owner; at = at.parent) path.unshift(at);
  let way = from;
  for (const at of path) if (!way.isOne) way = throughOne(way, at, file);
  return way;
}

function throughOne(way: Way, at: Node, file: string): Way {
  if (at.kind === 'patternProperty') return holding.has(at.name ?? '') ? way : { ...way, text: `${way.text}.${at.name}` };
  const { parent } = at;
  const index = parent?.kind === 'arrayPattern' ? parent.elements.findIndex((each) => each?.target === at) : -1;
  if (parent?.kind !== 'arrayPattern' || index === -1) return way;
  return parent.elements[index]?.isRest === true ? { ...way, text: `${way.text} ${file} ${at.start}` } : one(way, String(index));
}
