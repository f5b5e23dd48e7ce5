/** What a declared name stands for. */
import { type Binding, stepsTo } from '../syntax/scopes.ts';
import type { EnumNode, Expression, FunctionNode, ImportNode, NameNode, Node, ParamNode, VariableNode } from '../syntax/tree.ts';
import type { At, Evaluation } from './evaluation.ts';
import { importedValue } from './exports.ts';
import { combined } from './combined.ts';
import { givenValue } from './injected.ts';
import { asAssigned } from './external-writes.ts';
import { withWrites } from './writes.ts';
import { concatenated } from './text.ts';
import { after, choiceOf, type Frame, maxAlternatives, optionsOf, unknown, type Value } from './values.ts';

/** @param at where the name is read: its frame tells which call is followed */
export function bindingValue(ev: Evaluation, binding: Binding, at: At): Value {
  const { owner } = binding;
  switch (owner.kind) {
    case 'variable':
      return variableValue(ev, binding, owner, at);
    case 'param':
      return withWrites(ev, assignedParam(ev, binding, destructured(ev, binding, owner, paramValue(ev, owner, at), at), at), binding, at);
    case 'function':
      return functionValue(ev, binding, owner, at);
    case 'class':
      return ev.evaluate(owner, at);
    case 'enum':
      return enumValue(ev, owner, at);
    case 'import':
      return importValue(ev, binding, owner, at);
    default:
      return unknown(binding.declaration, at.module);
  }
}

function variableValue(ev: Evaluation, binding: Binding, owner: VariableNode, at: At): Value {
  const first = owner.init === undefined ? undefined : destructured(ev, binding, owner, initialValue(ev, owner, owner.init, at), at);
  const redeclared = binding.again.flatMap((other) =>
    other.kind === 'variable' && other.init !== undefined ? [ev.evaluate(other.init, at)] : [],
  );
  const { values, appended } = assignedValues(ev, binding, at);
  const starts = [...(first === undefined ? [] : [first]), ...redeclared, ...values];
  const start = starts.length === 0 ? unknown(owner, at.module) : choiceOf(starts);
  const whole = appended.length === 0 ? start : concatenated([start, ...appended]);
  return withWrites(ev, whole, binding, at);
}

/** Of overloads the one with a body, and of several with one the last, as it is the one that is called. */
function functionValue(ev: Evaluation, binding: Binding, owner: FunctionNode, at: At): Value {
  const declared = [owner, ...binding.again].filter((node) => node.kind === 'function');
  const own = ev.evaluate(declared.findLast(({ body }) => body !== undefined) ?? owner, at);
  return choiceOf([own, ...assignedValues(ev, binding, at).values]);
}

/** Parameters whose own assignments are being looked at: there they are what was given, as in `path = trim(path)`. */
const reassigning = new Set<Binding>();

function assignedParam(ev: Evaluation, binding: Binding, given: Value, at: At): Value {
  // Who calls has to be chosen first.
  if (given.type === 'param' || reassigning.has(binding)) return given;
  reassigning.add(binding);
  try {
    const { values, appended } = assignedValues(ev, binding, at);
    const whole = choiceOf([given, ...values]);
    return appended.length === 0 ? whole : concatenated([whole, ...appended]);
  } finally {
    reassigning.delete(binding);
  }
}

interface Assigned {
  /** What may stand in place of the value … */
  readonly values: readonly Value[];
  /** … and what is put after it. */
  readonly appended: readonly Value[];
}

/** What is assigned to a name after its declaration. */
function assignedValues(ev: Evaluation, { references }: Binding, at: At): Assigned {
  const assigned = references.map(assignmentOf).filter((found) => found !== undefined);
  const [appended, others] = [true, false].map((isAppended) => assigned.filter(({ operator }) => (operator === '+=') === isAppended));
  return {
    values: (others ?? []).flatMap(({ target, value }) =>
      // Which part of a value a pattern takes is not followed.
      target.kind === 'name' ? optionsOf(ev.evaluate(value, at)).map(asAssigned) : [unknown(value, at.module, 'assigned')],
    ),
    appended: (appended ?? []).map(({ value }) => ev.evaluate(value, at)),
  };
}

/** The value that a declaration starts with; in the head of a loop any of the values that it runs over. */
function initialValue(ev: Evaluation, { each }: VariableNode, init: Expression, at: At): Value {
  const value = ev.evaluate(init, at);
  if (each === undefined || value.type === 'param') return value;
  const lists = optionsOf(value);
  const isKnown = each === 'value' && lists.every((list) => list.type === 'list' && !list.isOpen && list.items.length <= maxAlternatives);
  return isKnown
    ? choiceOf(lists.flatMap((list) => (list.type === 'list' ? list.items.map((item) => after(item, list.trail)) : [])))
    : unknown(init, at.module);
}

/** The assignment that a name is the target of, or stands in the target of: `[base] = bases`. */
function assignmentOf(reference: NameNode): Extract<Node, { kind: 'assign' }> | undefined {
  let target: Node = reference;
  while (target.parent?.kind === 'arrayPattern' || isTargetIn(target.parent, target)) target = target.parent ?? target;
  const { parent } = target;
  return parent?.kind === 'assign' && parent.target === target ? parent : undefined;
}

const isTargetIn = (around: Node | undefined, node: Node): boolean =>
  around?.kind === 'objectPattern' || (around?.kind === 'patternProperty' && around.target === node);

/** Follows a pattern into a value. */
function destructured(ev: Evaluation, binding: Binding, owner: VariableNode | ParamNode, value: Value, at: At): Value {
  const way = stepsTo(owner.target, binding.declaration);
  if (way === undefined) return unknown(owner, at.module);
  let found = value;
  for (const step of way.steps) {
    if ('rest' in step) return withoutTaken(found, owner.target) ?? unknown(owner, at.module);
    if ('property' in step && step.property === undefined) return unknown(owner, at.module);
    const name = 'element' in step ? String(step.element) : String(step.property);
    found = ev.member(found, name, binding.declaration, at);
  }
  const [otherwise] = way.defaults.slice(-1);
  if (otherwise === undefined || way.steps.length === 0) return found;
  return choiceOf(
    optionsOf(found).flatMap((option) => [
      ...(isMissing(option) ? [] : [option]),
      ...(isMissing(option) || !isCertain(option) ? [ev.evaluate(otherwise, at)] : []),
    ]),
  );
}

/** `{ a, ...rest }`: an object without what the pattern takes by name. */
function withoutTaken(value: Value, pattern: Node): Value | undefined {
  if (value.type !== 'object' || pattern.kind !== 'objectPattern' || pattern.properties.some(({ name }) => name === undefined))
    return undefined;
  const taken = new Set(pattern.properties.map(({ name }) => name));
  return { ...value, entries: value.entries.filter(({ name }) => !taken.has(name)) };
}

const isMissing = (value: Value): boolean => value.type === 'literal' && value.value === undefined;
const isCertain = (value: Value): boolean => value.type !== 'unknown' && value.type !== 'env';

/** The frame of a function in the calls that are being followed. */
export function frameOf(owner: Node, frame: Frame | undefined): Frame | undefined {
  for (let at = frame; at !== undefined; at = at.outer) if (at.owner === owner) return at;
  return undefined;
}

function paramValue(ev: Evaluation, param: ParamNode, at: At): Value {
  const { parent } = param;
  if (parent?.kind !== 'function') return unknown(param, at.module);
  const index = parent.params.indexOf(param);
  const injected = injectedValue(ev, param, at);
  const frame = frameOf(parent, at.frame);
  if (frame === undefined) return injected ?? { type: 'param', owner: parent, index, node: param, module: at.module };
  const args = argsOf(ev, frame);
  if (args === undefined) return injected ?? uncalled(ev, param, at);
  if (param.isRest) {
    return { type: 'list', items: args.slice(index), nodes: [], isOpen: false, module: at.module };
  }
  const given = args[index];
  if (given === undefined || isMissing(given)) {
    return param.default === undefined ? { type: 'literal', value: undefined } : ev.evaluate(param.default, at);
  }
  return given.type === 'unknown' ? (injected ?? given) : given;
}

/** A parameter that nobody was seen to give: its default, if there is one, or anything. */
function uncalled(ev: Evaluation, param: ParamNode, at: At): Value {
  const open = isFetch(param) ? globalValue('fetch') : unknown(param, at.module, 'call');
  return param.default === undefined ? open : choiceOf([ev.evaluate(param.default, at), open]);
}

/** Frameworks and callers that give a `fetch` give one that is called as the global one is: `load({ fetch })`, `event.fetch(…)`. */
const isFetch = ({ target }: ParamNode): boolean => target.kind === 'patternName' && target.name === 'fetch';

/** The arguments that a frame gives; evaluated in the frames around it where it stands for a call. */
export function argsOf(ev: Evaluation, frame: Frame): readonly Value[] | undefined {
  if (frame.args !== undefined) return frame.args;
  return frame.call === undefined ? undefined : frame.call.args(ev, frame.outer);
}

/** A client that a framework injects is known by its type alone, others by what is called with the function. */
function injectedValue(ev: Evaluation, param: ParamNode, at: At): Value | undefined {
  const client = param.typeName === undefined ? undefined : clientOfType(ev, param.typeName, param, at);
  return client ?? combined(ev.rules).injected(ev, param, at) ?? givenValue(ev, param, at);
}

/** The origin of what stands for every request of a client, as an interceptor's request does. */
export const everyOf = (client: string): string => `every ${client}`;

/** The client that a type name stands for, where rules know the type. */
export function clientOfType(ev: Evaluation, typeName: string, node: Node, at: At): Value | undefined {
  const rule = ev.rules.find(({ types }) => types?.includes(typeName));
  if (rule === undefined) return undefined;
  const origins = rule.everyTypes?.includes(typeName) === true ? [node, everyOf(rule.name)] : [node];
  return { type: 'http', client: rule.name, stage: 'client', node, module: at.module, headers: [], origins };
}

function enumValue(ev: Evaluation, owner: EnumNode, at: At): Value {
  const entries = owner.members.flatMap(({ name, value }) =>
    value === undefined
      ? []
      : [{ name, key: undefined, node: value, module: at.module, valueNode: value, value: () => ev.evaluate(value, at) }],
  );
  return { type: 'object', node: owner, module: at.module, entries, unknown: [] };
}

function importValue(ev: Evaluation, binding: Binding, owner: ImportNode, at: At): Value {
  const specifier = owner.specifiers.find(({ local }) => local === binding.declaration);
  const value = specifier === undefined ? undefined : importedValue(ev, at.module, owner.source.value, specifier.imported);
  if (specifier !== undefined && combined(ev.rules).isEnvironment(owner.source.value))
    return { type: 'env', name: specifier.imported, node: owner, module: at.module };
  return value ?? unknown(owner, at.module);
}

const undefinedNames = new Set(['undefined', 'NaN']);

/** A name that nothing in the file declares. */
export function globalValue(name: string): Value {
  if (undefinedNames.has(name)) return { type: 'literal', value: undefined };
  return { type: 'external', source: '', path: [name] };
}
