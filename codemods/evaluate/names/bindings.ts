/** What a declared name stands for. */
import { type Binding, stepsTo } from '../../syntax/scopes.ts';
import type { EnumNode, Expression, FunctionNode, ImportNode, Node, ParamNode, VariableNode } from '../../syntax/tree.ts';
import type { SourceModule } from '../module.ts';
import { assigned } from './assigned-values.ts';
import { assignmentAround, type Assignment, assignmentsOf } from './assignments.ts';
import { oneArgument } from '../settings/command-line.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { allOf, argumentsFrom, givenFrom } from '../calls/callers.ts';
import { importedValue } from './exports.ts';
import { combined } from '../libraries/combined.ts';
import { givenValue } from '../libraries/injected.ts';
import { listed, pairsOf } from '../language/listings.ts';
import { isLookedUp } from '../language/looked-up.ts';
import { isOfKnown } from '../language/listings.ts';
import { isCalledByProgram, isCalledToo, madeByHand } from '../calls/made-by-hand.ts';
import { withoutNames } from '../language/objects.ts';
import { withWrites } from './named-writes.ts';
import { isLeftToDefault } from '../language/or-default.ts';
import { fieldsOf } from '../classes/instance-fields.ts';
import { instanceOfType, isOwnType, isTypeOfFetch } from './own-types.ts';
import { isPutByName, orProvided } from '../libraries/provided.ts';
import { reckonedValue } from './reckoned.ts';
import { orDefault, orSameHost, there } from '../language/or-default.ts';
import { isTest } from '../libraries/test-files.ts';
import { isRest } from '../values/text.ts';
import { asSetting, saysWhatFor } from '../settings/package-settings.ts';
import { isEnvironment } from '../settings/settings.ts';
import { type Frame, frameOf } from '../calls/frame.ts';
import { after, choiceOf, type ListValue, maxAlternatives, nothing, optionsOf, unknown, type Value } from '../values/values.ts';

/**
 * @param at where the name is read: its frame tells which call is followed
 * @param place the name that is read; what is assigned to it from there on is not what it holds there
 */
export function bindingValue(ev: Evaluation, binding: Binding, at: At, place?: Node): Value {
  const { owner } = binding;
  const { declaredIn, writtenIn } = assignmentsOf(binding);
  const declared: At = { module: at.module, frame: frameIn(declaredIn, at) };
  switch (owner.kind) {
    case 'variable':
      return variableValue(ev, binding, owner, { declared, written: { module: at.module, frame: frameIn(writtenIn, at) } }, place);
    case 'param':
      return paramBinding(ev, binding, owner, { declared, written: { module: at.module, frame: frameIn(writtenIn, at) } }, place);
    case 'function':
      return functionValue(ev, binding, owner, declared);
    case 'class':
      return ev.evaluate(owner, at);
    case 'enum':
      return remembered(ev, assignmentsOf(binding), binding, declared, () => enumValue(ev, owner, declared));
    case 'import':
      return remembered(ev, assignmentsOf(binding), binding, { module: at.module, frame: undefined }, () =>
        importValue(ev, binding, owner, declared),
      );
    default:
      return unknown(binding.declaration, at.module);
  }
}

/** Where a variable or parameter is declared, and where it is written to: in the calls that are being followed. */
interface Places {
  readonly declared: At;
  readonly written: At;
}

/** The frames that matter to what stands in some functions and classes: those of calls further in do not. */
function frameIn(owners: ReadonlySet<Node>, { module, frame }: At): Frame | undefined {
  let at = frame;
  while (at !== undefined && !owners.has(at.owner) && (owners.size === 0 || !isOfMaker(at, module))) at = at.outer;
  return at;
}

/** Whether a frame says who makes an instance: on that hangs what a method holds of its fields, though the constructor is not around it. */
const isOfMaker = ({ owner, args }: Frame, { prototypes }: SourceModule): boolean =>
  args === undefined &&
  owner.kind === 'function' &&
  ((owner.parent?.kind === 'classMember' && owner.parent.role === 'constructor') || prototypes.has(owner));

const remembered = (ev: Evaluation, key: object, { declaration }: Binding, { module, frame }: At, find: () => Value): Value =>
  ev.remember(key, { node: declaration, module }, frame, find);

function variableValue(ev: Evaluation, binding: Binding, owner: VariableNode, { declared, written }: Places, place?: Node): Value {
  const isGiven = [owner, ...binding.again].some((other) => other.kind === 'variable' && other.init !== undefined);
  const start = (): Value => {
    if (!isGiven) return nothing;
    return remembered(ev, assignmentsOf(binding), binding, declared, () => {
      const { init } = owner;
      const first = init === undefined ? [] : [destructured(ev, binding, owner, initialValue(ev, owner, init, declared), declared)];
      const again = binding.again.flatMap((other) =>
        other.kind === 'variable' && other.init !== undefined ? [ev.evaluate(other.init, declared)] : [],
      );
      return choiceOf([...first, ...again]);
    });
  };
  return withAssignments(ev, binding, { start, at: written, otherwise: isGiven ? undefined : unknown(owner, declared.module) }, place);
}

function paramBinding(ev: Evaluation, binding: Binding, owner: ParamNode, { declared, written }: Places, place?: Node): Value {
  const start = (): Value =>
    remembered(ev, assignmentsOf(binding), binding, declared, () =>
      destructured(ev, binding, owner, paramValue(ev, owner, declared), declared),
    );
  // Who calls has to be chosen first.
  const given = start();
  return given.type === 'param' ? withWrites(ev, given, binding, written) : withAssignments(ev, binding, { start, at: written }, place);
}

interface Beginning {
  /** What a name is declared with. */
  readonly start: () => Value;
  /** The frames of what is assigned to it. */
  readonly at: At;
  /** What it is where nothing gives it a value at all. */
  readonly otherwise?: Value | undefined;
}

/** What a name holds at a place, with everything that is written through it. */
function withAssignments(ev: Evaluation, binding: Binding, beginning: Beginning, place: Node | undefined): Value {
  const { start, at, otherwise } = beginning;
  const assignments = assignmentsOf(binding);
  const { reckoning } = assignments;
  if (reckoning !== undefined) {
    const value = reckonedValue(ev, binding, reckoning, start, at, place);
    return withWrites(ev, otherwise === undefined ? value : choiceOf(optionsOf(value).length === 0 ? [otherwise] : [value]), binding, at);
  }
  const around = place === undefined ? undefined : assignmentAround(place, assignments);
  const known = (key: object, find: () => Value): Value => remembered(ev, key, binding, at, find);
  if (around === undefined)
    return known(binding, () => withWrites(ev, assigned(ev, start(), at, assignments, assignments.all, otherwise), binding, at));
  const inOrder = assignments.all.filter(({ isInOrder }) => isInOrder);
  const others = assignments.all.filter(({ isInOrder }) => !isInOrder);
  const { cuts } = ev.budget;
  // One after the other: what it holds before one is what it held before the last, or what that assigned.
  let held = (): Value => start();
  let previous: Assignment | undefined;
  for (const assignment of inOrder.slice(0, inOrder.indexOf(around) + 1)) {
    const [before, last] = [held, previous];
    held = () =>
      known(assignment.before, () =>
        assigned(ev, before(), at, assignments, last === undefined ? others : [last], last === undefined ? otherwise : undefined),
      );
    previous = assignment;
    held();
    if (ev.budget.cuts > cuts) return unknown(binding.declaration, at.module, 'too many');
  }
  return known(around.seen, () => withWrites(ev, held(), binding, at));
}

/** Of overloads the one with a body, and of several with one the last, as it is the one that is called. */
function functionValue(ev: Evaluation, binding: Binding, owner: FunctionNode, at: At): Value {
  const declared = [owner, ...binding.again].filter((node) => node.kind === 'function');
  const evaluated = (): Value => ev.evaluate(declared.findLast(({ body }) => body !== undefined) ?? owner, at);
  const assignments = assignmentsOf(binding);
  const { all } = assignments;
  return all.length === 0
    ? evaluated()
    : remembered(ev, binding, binding, at, () => assigned(ev, evaluated(), at, assignments, all, undefined));
}

/** What begins as an empty list is filled elsewhere. */
const isShort = ({ items: { length } }: ListValue): boolean => length > 0 && length <= maxAlternatives;

/** The value that a declaration starts with; in the head of a loop any of the values that it runs over. */
function initialValue(ev: Evaluation, { each }: VariableNode, init: Expression, at: At): Value {
  const value = ev.evaluate(init, at);
  if (each === undefined || value.type === 'param') return value;
  return (each === 'value' ? (oneArgument(value, init, at.module) ?? itemsOf(value)) : undefined) ?? unknown(init, at.module);
}

/** Any item of what are short lists that are wholly known. */
function itemsOf(value: Value): Value | undefined {
  // A Map gives pairs to whoever goes through it.
  const lists = optionsOf(value).map((each) =>
    each.type === 'object' && each.isMap === true ? (pairsOf(each, each.module) ?? each) : each,
  );
  const isKnown = lists.every((list) => list.type === 'list' && isOfKnown(list) && isShort(list));
  return isKnown
    ? choiceOf(lists.flatMap((list) => (list.type === 'list' ? list.items.map((item) => after(item, list.provenance)) : [])))
    : undefined;
}

/** Follows a pattern into a value. */
function destructured(ev: Evaluation, binding: Binding, owner: VariableNode | ParamNode, value: Value, at: At): Value {
  const way = stepsTo(owner.target, binding.declaration);
  if (way === undefined) return unknown(owner, at.module);
  let found = value;
  for (const step of way.steps) {
    if ('rest' in step) {
      const isOuter = way.steps.length === 1;
      return choiceOf(
        optionsOf(found).map((option) => withoutTaken(fieldsOf(ev, option, at), owner.target, isOuter, at) ?? unknown(owner, at.module)),
      );
    }
    if ('property' in step && step.property === undefined) return unknown(owner, at.module);
    const name = 'element' in step ? String(step.element) : String(step.property);
    found = ev.member(way.defaults.length === 0 ? there(found) : found, name, binding.declaration, at);
  }
  const [otherwise] = way.defaults.slice(-1);
  if (otherwise === undefined || way.steps.length === 0) return found;
  if (found.type === 'env') return orDefault(found, ev.evaluate(otherwise, at));
  return choiceOf(
    optionsOf(found).flatMap((option) => [
      ...(isMissing(option) ? [] : [asSetting(ev, option, ev.evaluate(otherwise, at))]),
      ...(isMissing(option) || !isCertain(option)
        ? [ev.evaluate(otherwise, at)]
        : optionsOf(orSameHost([option], at, () => ev.evaluate(otherwise, at)))),
    ]),
  );
}

/** `{ a, ...rest }`, `[a, ...rest]`: an object or list without what the pattern takes by name, or before. */
function withoutTaken(value: Value, pattern: Node, isOuter: boolean, { module }: At): Value | undefined {
  // Who calls has to be chosen first.
  if (value.type === 'param') return value;
  if (value.type === 'list' && !value.isOpen && pattern.kind === 'arrayPattern' && isOuter) {
    // However many segments the rest of a path has, what is behind the first is the rest of it, too.
    if (value.items.some(isRestOfPath)) return value;
    const taken = pattern.elements.length - 1;
    return { ...value, items: givenFrom(value.items, taken), nodes: value.nodes.slice(taken) };
  }
  // Its variables are known by their names alone, as in `{ ...env }`.
  if (isEnvironment(value)) return { type: 'object', node: pattern, module, entries: [], unknown: [value], provenance: undefined };
  if (value.type !== 'object' || pattern.kind !== 'objectPattern' || pattern.properties.some(({ name }) => name === undefined))
    return undefined;
  return withoutNames(value, new Set(pattern.properties.map(({ name }) => name)));
}

const isRestOfPath = (item: Value): boolean => item.type === 'text' && item.parts.some(isRest);

const isMissing = (value: Value): boolean => value.type === 'literal' && value.value === undefined;
/** What was not found out, or is read of what was not, may be missing. */
const isCertain = (value: Value): boolean => {
  const of = value.type === 'method' ? value.receiver : value;
  return of.type !== 'unknown' && of.type !== 'env' && of.type !== 'external' && !isLookedUp(value);
};

function paramValue(ev: Evaluation, param: ParamNode, at: At): Value {
  const { parent } = param;
  if (parent?.kind !== 'function') return unknown(param, at.module);
  const index = parent.params.indexOf(param);
  const injected = injectedValue(ev, param, at);
  const frame = frameOf(parent, at.frame);
  if (frame === undefined) {
    const open: Value = { type: 'param', owner: parent, index, node: param, module: at.module, provenance: undefined };
    if (injected === undefined) return itemOf(ev, parent, index, at) ?? open;
    // A function that is called gets what its callers give, whatever the type: `setUp(instance: AxiosInstance)`.
    if (param.decorators.length === 0 && typedClient(ev, param, at) !== undefined && isCalledByProgram(ev, parent)) return open;
    const isOneOfSeveral = madeByHand(ev, parent) !== undefined ? isInjected(ev, param, at) : isCalledToo(ev, parent, param, at);
    return isOneOfSeveral ? choiceOf([injected, open]) : injected;
  }
  const given = argumentIn(ev, param, frame, index, at) ?? injected ?? uncalled(ev, param, index, at);
  const first = given.type === 'unknown' ? (injected ?? given) : given;
  // What a function hands to itself is its least fixpoint.
  const again = (frame.again ?? []).filter((call) => !call.keeps(param));
  if (again.length === 0) return first;
  return choiceOf([first, ...again.map((call) => argument(ev, param, argumentsFrom(ev, call.caller, call.within(frame), param), at))]);
}

/** `['get', 'post'].forEach((verb) => { client[verb] = … })`: any item of a list that is known, as in the head of a loop. */
function itemOf(ev: Evaluation, fn: FunctionNode, index: number, at: At): Value | undefined {
  const call = fn.parent;
  if (index !== 0 || call?.kind !== 'call' || call.args[0] !== fn || call.callee.kind !== 'member' || call.callee.property !== 'forEach')
    return undefined;
  const of = ev.evaluate(call.callee.object, at);
  // A Map gives the value first.
  return itemsOf(
    choiceOf(
      optionsOf(of).map((each) =>
        each.type === 'object' && each.isMap === true ? (listed(each, at.module, (entry) => entry.value()) ?? each) : each,
      ),
    ),
  );
}

/** What a call that is being followed gives for a parameter. */
function argumentIn(ev: Evaluation, param: ParamNode, { args, call, outer }: Frame, index: number, at: At): Value | undefined {
  if (args !== undefined) return argument(ev, param, args.from(param, index), at);
  return call && choiceOf(allOf(call).map((each) => argument(ev, param, argumentsFrom(ev, each, outer, param), at)));
}

/** @param args those for the parameter and all behind it */
function argument(ev: Evaluation, param: ParamNode, args: readonly Value[], at: At): Value {
  if (param.isRest) return { type: 'list', items: args, nodes: [], isOpen: false, module: at.module };
  const [given] = args;
  const otherwise = param.default;
  if (given === undefined || isMissing(given))
    return otherwise === undefined ? { type: 'literal', value: undefined } : ev.evaluate(otherwise, at);
  const found = orLeftOut(ev, given, param, at);
  const mayLack = (each: Value): boolean => isLookedUp(each) || isMissing(each);
  return otherwise !== undefined && optionsOf(given).some(mayLack) ? choiceOf([found, ev.evaluate(otherwise, at)]) : found;
}

/** `new Http(options.key, options.baseUrl)`: what nobody is seen to give, or a variable holds, may be missing, and an address by default says what it is for. */
function orLeftOut(ev: Evaluation, given: Value, { default: node }: ParamNode, at: At): Value {
  if (node === undefined || !optionsOf(given).some(mayBeMissing)) return given;
  const otherwise = ev.evaluate(node, at);
  if (!optionsOf(otherwise).some(saysWhatFor)) return given;
  return choiceOf(optionsOf(given).flatMap((option) => (mayBeMissing(option) ? optionsOf(orDefault(option, otherwise)) : [option])));
}

/** What a test hands in is there. */
function mayBeMissing(given: Value): boolean {
  const of = given.type === 'method' ? given.receiver : given;
  return isLeftToDefault(given) && !('module' in of && of.module !== undefined && isTest(of.module));
}

/** A parameter that nobody was seen to give: its default, if there is one, what a platform gives, what its type names, or anything. */
function uncalled(ev: Evaluation, param: ParamNode, index: number, at: At): Value {
  const byPlatform = combined(ev.rules).givenByPlatform(param, index, at.module, ev);
  // What stands under a token, its type does not say.
  const typed = param.decorators.length === 0 ? instanceOfType(ev, param, at.module) : undefined;
  const open = isFetch(param, at.module) ? globalValue('fetch') : (byPlatform ?? typed ?? unknown(param, at.module, 'call'));
  return param.default === undefined ? open : choiceOf([ev.evaluate(param.default, at), open]);
}

/** Frameworks and callers that give a `fetch` give one that is called as the global one is: `load({ fetch })`, `event.fetch(…)`, `(send: typeof fetch) => …`. */
const isFetch = ({ target, typeName }: ParamNode, module: SourceModule): boolean =>
  (target.kind === 'patternName' && target.name === 'fetch') || (typeName !== undefined && isTypeOfFetch(typeName, module));

/** A client that a framework injects is known by its type alone, others by what is called with the function. */
function injectedValue(ev: Evaluation, param: ParamNode, at: At): Value | undefined {
  // What is asked for by a token is what is registered under it, whatever its type.
  const byToken = param.decorators.length === 0 ? undefined : provided(ev, param, at);
  return (
    byToken ??
    typedClient(ev, param, at) ??
    combined(ev.rules).injected(ev, param, at) ??
    givenValue(ev, param, at) ??
    provided(ev, param, at)
  );
}

/** What a container gives by a name is what is put there under that, whatever its type. */
const typedClient = (ev: Evaluation, param: ParamNode, at: At): Value | undefined =>
  param.typeName === undefined || isPutByName(ev, param, at) ? undefined : clientOfType(ev, param.typeName, param, at);

/** Whether a container gives a parameter what the project has put there under its token. */
export const isInjected = (ev: Evaluation, param: ParamNode, at: At): boolean =>
  (provided(ev, param, at) ?? combined(ev.rules).injected(ev, param, at)) !== undefined;

function provided(ev: Evaluation, param: ParamNode, at: At): Value | undefined {
  const open = unknown(param, at.module);
  const value = orProvided(ev, open, param, undefined, at);
  return value === open ? undefined : value;
}

/** The origin of what stands for every request of a client, as an interceptor's request does. */
export const everyOf = (client: string): string => `every ${client}`;

/** The client that a type name stands for, where rules know the type. */
export function clientOfType(ev: Evaluation, typeName: string, node: Node, at: At): Value | undefined {
  const owner = at.module.scopes.top(typeName)?.owner;
  const source = owner?.kind === 'import' ? owner.source.value : '';
  const rule = ev.rules.find(
    ({ types, importedTypes, modules }) => types?.includes(typeName) || (importedTypes?.includes(typeName) && modules?.includes(source)),
  );
  if (rule === undefined || isOwnType(ev, typeName, at.module)) return undefined;
  const origins = rule.everyTypes?.includes(typeName) === true ? [node, everyOf(rule.name)] : [node];
  return { type: 'http', client: rule.name, stage: 'client', node, module: at.module, headers: [], origins };
}

function enumValue(ev: Evaluation, owner: EnumNode, at: At): Value {
  // A member without a value is one more than that before it.
  let next: Value = { type: 'literal', value: 0 };
  const entries = owner.members.map(({ name, value: node }) => {
    const value = node === undefined ? next : ev.evaluate(node, at);
    next =
      value.type === 'literal' && typeof value.value === 'number'
        ? { type: 'literal', value: value.value + 1 }
        : unknown(node ?? owner, at.module);
    return { name, key: undefined, node: node ?? owner, module: at.module, valueNode: node, value: () => value };
  });
  return { type: 'object', node: owner, module: at.module, entries, unknown: [] };
}

function importValue(ev: Evaluation, binding: Binding, owner: ImportNode, at: At): Value {
  const specifier = owner.specifiers.find(({ local }) => local === binding.declaration);
  const value = specifier === undefined ? undefined : importedValue(ev, at.module, owner.source.value, specifier.imported);
  // A file of the project may have such a name: `import { Env } from '@env'`. Tests put one in the place of variables, too, but no variable is an object.
  const isOwn =
    value !== undefined &&
    value.type !== 'external' &&
    specifier !== undefined &&
    (/^[a-z]/.test(specifier.imported) || optionsOf(value).every(({ type }) => type === 'object'));
  if (specifier !== undefined && !isOwn && combined(ev.rules).isEnvironment(owner.source.value))
    return specifier.imported === '*'
      ? { type: 'external', source: 'process', path: ['env'] }
      : { type: 'env', name: specifier.imported, node: owner, module: at.module };
  const read = specifier && combined(ev.rules).reads.get(`${owner.source.value}:${specifier.imported}`);
  return isOwn || read === undefined ? (value ?? unknown(owner, at.module)) : read(ev, owner, at);
}

const undefinedNames = new Set(['undefined', 'NaN']);

/** A name that nothing in the file declares. */
export function globalValue(name: string): Value {
  if (undefinedNames.has(name)) return { type: 'literal', value: undefined };
  return { type: 'external', source: '', path: [name], provenance: undefined };
}
