/**
 * What a call itself says of a parameter: `createHttp({ baseURL: '/api' })` gives no `apiKey`. An object that is written there nobody else has, so nothing
 * is put into it before the function gets it, by whatever way that is not followed.
 */
import { assignmentsOf } from '../names/assignments.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, Expression, FunctionNode, MemberNode, NameNode, Node, ObjectNode, ParamNode, Pattern } from '../../syntax/tree.ts';
import { constructorOf, type FieldWrite, paramOf, writesToField } from '../classes/class-index.ts';
import { superclassOf } from '../classes/subclasses.ts';
import type { ClassValue, Value } from '../values/values.ts';
import { asArguments, callerOf } from './callers.ts';
import { type Frame, frameOf } from './frame.ts';

/** An expression with where it stands; nothing where a call has none. */
type Said = { readonly node: Expression; readonly at: At } | 'nothing';

/** Parameters that are handed on as they are, through more functions than this, are not followed. */
const maxDepth = 12;

/** @returns undefined where it is not the call alone that says it */
export function saidInCall(ev: Evaluation, node: Expression, at: At, depth = 0): Said | undefined {
  if (depth > maxDepth) return undefined;
  if (node.kind === 'member') return ofObject(ev, node, at, depth);
  return node.kind === 'name' ? named(ev, node, at, depth) : { node, at };
}

function ofObject(ev: Evaluation, { object, property }: MemberNode, at: At, depth: number): Said | undefined {
  if (property === undefined) return undefined;
  return object.kind === 'this'
    ? ofInstance(ev, ev.evaluate(object, at), property, depth)
    : memberOf(ev, saidInCall(ev, object, at, depth + 1), property, depth);
}

/** What the constructor of an instance puts into a field of what it is given, where nothing else of its class does. */
function ofInstance(ev: Evaluation, self: Value, name: string, depth: number): Said | undefined {
  if (self.type !== 'instance') return undefined;
  let given: Pick<Frame, 'args' | 'call' | 'outer'> | undefined = self.args && { args: asArguments(self.args), outer: undefined };
  for (let [of, left]: [Value | undefined, number] = [self.of, maxDepth]; of?.type === 'class' && left > 0; left--) {
    const { node, module }: ClassValue = of;
    const made = constructorOf(node);
    const frame: Frame | undefined = made && given && { owner: made, ...given };
    const param = paramOf(node, name);
    const writes = writesToField(node, module, name);
    if (param !== undefined || writes.length > 0) return ofField(ev, param, writes, { module, frame }, depth);
    const call = made && superCallIn(made);
    if (made !== undefined) given = call && { call: callerOf(call, module), outer: frame };
    of = superclassOf(ev, of);
  }
  return undefined;
}

/** `constructor(private key?: string)`, `this.key = key` */
function ofField(ev: Evaluation, param: ParamNode | undefined, writes: readonly FieldWrite[], at: At, depth: number): Said | undefined {
  const [write, another] = writes;
  if (at.frame === undefined || another !== undefined) return undefined;
  if (write === undefined) return param && givenFor(ev, param, at, depth);
  const isInConstructor = param === undefined && write.node.kind === 'assign' && write.member === at.frame.owner;
  return isInConstructor && write.node.kind === 'assign' ? saidInCall(ev, write.node.value, at, depth + 1) : undefined;
}

function superCallIn(made: FunctionNode): CallNode | undefined {
  let found: CallNode | undefined;
  walk(made, (node) => {
    if (node.kind === 'call' && node.callee.kind === 'super') found ??= node;
    return found === undefined;
  });
  return found;
}

/** What an object has under a name that is written where it is handed over. */
function memberOf(ev: Evaluation, of: Said | undefined, name: string, depth: number): Said | undefined {
  if (of === undefined || of === 'nothing') return of;
  if (of.node.kind !== 'object' || !isWhole(of.node)) return undefined;
  const found = of.node.properties.find((each) => each.kind === 'property' && each.name === name);
  return found?.kind === 'property' ? saidInCall(ev, found.value, of.at, depth + 1) : 'nothing';
}

/** Whether all that an object has stands in it by its name, once. */
function isWhole({ properties }: ObjectNode): boolean {
  const names = properties.map((each) => (each.kind === 'property' && each.accessor === undefined ? each.name : undefined));
  return !names.includes(undefined) && new Set(names).size === names.length;
}

function named(ev: Evaluation, node: NameNode, at: At, depth: number): Said | undefined {
  const { scopes } = at.module;
  const binding = scopes.bindingOf(node);
  if (binding === undefined) return node.name === 'undefined' ? 'nothing' : { node, at };
  const { owner, declaration } = binding;
  if (assignmentsOf(binding).all.length > 0) return undefined;
  if (owner.kind === 'param') return takenOf(ev, givenFor(ev, owner, at, depth), owner.target, declaration, at, depth);
  if (owner.kind !== 'variable' || owner.declares !== 'const' || owner.each !== undefined || owner.init === undefined) return undefined;
  const isObject = owner.init.kind === 'object' && owner.target === declaration;
  if (isObject && !isOnlyHandedOver(node, binding.references, at.module)) return undefined;
  return takenOf(ev, saidInCall(ev, owner.init, at, depth + 1), owner.target, declaration, at, depth);
}

/** `const options = { baseURL: '/api' }; createHttp(options)`: nobody else has it by its name. */
const isOnlyHandedOver = (node: NameNode, references: readonly Node[], { exports }: SourceModule): boolean =>
  references.length === 1 && !exports.has(node.name);

/** What is given in the place of a parameter, or left to its default. */
function givenFor(ev: Evaluation, param: ParamNode, at: At, depth: number): Said | undefined {
  const { parent: fn } = param;
  const frame = fn?.kind === 'function' ? frameOf(fn, at.frame) : undefined;
  if (fn?.kind !== 'function' || frame === undefined || param.isRest) return undefined;
  const given = argumentAt(ev, frame, fn.params.indexOf(param), depth);
  return given === 'nothing' && param.default !== undefined ? saidInCall(ev, param.default, at, depth + 1) : given;
}

function argumentAt(ev: Evaluation, { args, by, call, outer }: Frame, index: number, depth: number): Said | undefined {
  const node = by ?? (call?.all === undefined && call?.isPlain === true && call.isPassed !== true ? call.node : undefined);
  if (node === undefined && args !== undefined) return ofValue(args.all(), index);
  if (node === undefined || node.args.some(({ kind }) => kind === 'spread')) return undefined;
  const given = node.args[index];
  if (given === undefined) return 'nothing';
  const placed = args === undefined ? call && { node: given, module: call.module, frame: outer } : args.at(index);
  if (placed === undefined || placed.node.kind === 'spread') return undefined;
  return given.kind === 'spread' ? undefined : saidInCall(ev, given, { module: placed.module, frame: placed.frame }, depth + 1);
}

/** Of arguments that are known by what they are alone: nothing, or an object that is written in the call. */
function ofValue(args: readonly Value[], index: number): Said | undefined {
  if (args.some(({ isLaidOut }) => isLaidOut === true)) return undefined;
  const given = args[index];
  if (given === undefined) return 'nothing';
  if (given.type !== 'object' || given.node.kind !== 'object' || given.node.parent?.kind !== 'call') return undefined;
  return { node: given.node, at: { module: given.module, frame: undefined } };
}

/** `{ apiKey }`, `{ apiKey = '' }` of what is given. */
function takenOf(ev: Evaluation, of: Said | undefined, target: Pattern, declaration: Node, at: At, depth: number): Said | undefined {
  if (target === declaration) return of;
  const property = target.kind === 'objectPattern' ? target.properties.find((each) => each.target === declaration) : undefined;
  if (property?.name === undefined) return undefined;
  const found = memberOf(ev, of, property.name, depth);
  return found === 'nothing' && property.default !== undefined ? saidInCall(ev, property.default, at, depth + 1) : found;
}
