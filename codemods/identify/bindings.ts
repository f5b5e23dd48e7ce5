/** What a declared name stands for. */
import { type Binding, stepsTo } from '../syntax/scopes.ts';
import type { EnumNode, Expression, ImportNode, NameNode, Node, ParamNode, VariableNode } from '../syntax/tree.ts';
import type { At, Evaluation } from './evaluation.ts';
import { importedValue } from './exports.ts';
import { givenValue } from './given.ts';
import { withWrites } from './writes.ts';
import { after, choiceOf, concatenated, type Frame, maxAlternatives, optionsOf, unknown, type Value } from './values.ts';

/** @param at where the name is read: its frame tells which call is followed */
export function bindingValue(ev: Evaluation, binding: Binding, at: At): Value {
  const { owner } = binding;
  switch (owner.kind) {
    case 'variable':
      return variableValue(ev, binding, owner, at);
    case 'param':
      return destructured(ev, binding, owner, paramValue(ev, owner, at), at);
    case 'function':
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
  const assigned = binding.references.map(assignmentOf).filter((found) => found !== undefined);
  const others = assigned.filter(({ operator }) => operator === '=' || operator === '??=' || operator === '||=');
  const starts = [
    ...(first === undefined ? [] : [first]),
    ...others.flatMap(({ value }) => optionsOf(ev.evaluate(value, at)).map(asAssigned)),
  ];
  const start = starts.length === 0 ? unknown(owner, at.module) : choiceOf(starts);
  const appended = assigned.filter(({ operator }) => operator === '+=');
  const whole = appended.length === 0 ? start : concatenated([start, ...appended.map(({ value }) => ev.evaluate(value, at))]);
  return withWrites(ev, whole, binding, at);
}

/** What is put in place of a value by a statement is no default of it: where it is not known, nothing stands for it. */
const asAssigned = (value: Value): Value => (value.type === 'unknown' ? { ...value, why: 'assigned' } : value);

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

function assignmentOf(reference: NameNode): Extract<Node, { kind: 'assign' }> | undefined {
  const { parent } = reference;
  return parent?.kind === 'assign' && parent.target === reference ? parent : undefined;
}

/** Follows a pattern into a value. */
function destructured(ev: Evaluation, binding: Binding, owner: VariableNode | ParamNode, value: Value, at: At): Value {
  const way = stepsTo(owner.target, binding.declaration);
  if (way === undefined) return unknown(owner, at.module);
  let found = value;
  for (const step of way.steps) {
    if ('rest' in step || ('property' in step && step.property === undefined)) return unknown(owner, at.module);
    const name = 'element' in step ? String(step.element) : String(step.property);
    found = ev.member(found, name, binding.declaration, at);
  }
  const [otherwise] = way.defaults.slice(-1);
  if (otherwise === undefined || way.steps.length === 0) return found;
  if (isMissing(found)) return ev.evaluate(otherwise, at);
  return isCertain(found) ? found : choiceOf([found, ev.evaluate(otherwise, at)]);
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
  return client ?? givenValue(ev, param, at);
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
  return value ?? unknown(owner, at.module);
}

const undefinedNames = new Set(['undefined', 'NaN']);

/** A name that nothing in the file declares. */
export function globalValue(name: string): Value {
  if (undefinedNames.has(name)) return { type: 'literal', value: undefined };
  return { type: 'external', source: '', path: [name] };
}
