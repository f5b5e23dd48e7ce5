/** What functions and methods that are not the project's own do with an object that they are given or called on. */
import { none } from '../../syntax/lists.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { CallNode, Expression, MemberNode, NameNode, Node, VariableNode } from '../../syntax/tree.ts';
import { assignmentsOf } from '../names/assignments.ts';
import { callsOf, forAllCallers } from '../calls/all-callers.ts';
import { combined } from '../libraries/combined.ts';
import { functionsNamed, methodsNamed } from '../calls/by-name.ts';
import { type Callee, classAround, functionsOf, methodsOf } from '../calls/callees.ts';
import { membersNamed } from '../classes/class-index.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { isForeign } from './loose-writes.ts';
import type { SourceModule } from '../module.ts';
import { calledBy } from '../calls/call-frames.ts';
import { settledBy } from '../calls/promise-executors.ts';
import { subclassesWith } from '../classes/subclasses.ts';
import { type FunctionValue, optionsOf, type Value } from '../values/values.ts';

/** Methods that keep what they are given, or hand it to somebody. */
export const takingIn = /^(?:set|add|splice|toSpliced|fill|concat|with|emit)$/;
/** Methods that call the function that they are called on. */
const calling = /^(?:call|apply|bind)$/;
export const addingMethods = new Set(['push', 'unshift']);
/** Methods that give a list of the same items. */
export const copyingMethods = new Set([
  'slice',
  'filter',
  'concat',
  'reverse',
  'toReversed',
  'flat',
  'splice',
  'toSpliced',
  'with',
  'fill',
  'values',
]);
/** Methods that give items to functions in other ways. */
export const foldingMethods = new Set(['reduce', 'reduceRight', 'sort', 'toSorted', 'entries']);
/** Functions that give back what they are given first, … */
const keepingFunctions = new Set(['Object.freeze', 'Object.seal', 'Object.preventExtensions', 'Object.assign', 'Promise.resolve']);
/** … those that give another with what that holds, … */
export const copyingFunctions = new Set(['Object.values', 'Array.from', 'Promise.all']);
/** … and those that only look at it, or write into it. */
export const lookingFunctions =
  /^(?:Object\.(?:keys|is|hasOwn|getOwnPropertyNames|getPrototypeOf|is(?:Frozen|Sealed|Extensible)|define\w+)|Array\.isArray|Reflect\.(?:has|ownKeys|set|defineProperty|deleteProperty))$/;
/** `Object.freeze`, where nothing in the file is called `Object`. */
export function globalName(callee: Expression, { scopes }: SourceModule): string {
  if (callee.kind !== 'member' || callee.object.kind !== 'name' || scopes.bindingOf(callee.object) !== undefined) return '';
  return `${callee.object.name}.${callee.property ?? ''}`;
}

/** What gives the first argument of a call back: the call itself, or the promise that it settles. */
export const givenBackBy = (call: CallNode, module: SourceModule): CallNode | undefined =>
  keepingFunctions.has(globalName(call.callee, module)) ? call : settledBy(call, module);

/** Parameters that take a client: `({ fetch = globalThis.fetch }) => fetch(url, { headers })`. */
const fetching = /fetch/i;

/** Packages, the platform and clients only read what they are given. */
export function isTrusted(ev: Evaluation, callee: Node, module: SourceModule): boolean {
  if (callee.kind === 'member' && callee.property === 'call' && isForeignMethod(callee.object, module)) return true;
  if (isForeign(callee, module, ev.world)) return true;
  if (isLogging(callee)) return true;
  if (callee.kind === 'member') return combined(ev.rules).mayAsk(callee.property ?? '');
  return callee.kind === 'name' && fetching.test(callee.name) && module.scopes.bindingOf(callee)?.owner.kind === 'param';
}

/** `logger.debug(options)`, `this.auditLogger_.error(text)`: whichever logger it is, it writes nothing into what it shows. */
export const isLogging = (callee: Node): boolean =>
  callee.kind === 'member' &&
  /^(?:trace|debug|verbose|info|log|warn|error)$/.test(callee.property ?? '') &&
  loggers.test(callee.object.kind === 'name' ? callee.object.name : callee.object.kind === 'member' ? (callee.object.property ?? '') : '');

/** … as fields are called that nobody else should touch, too. No `blogger`. */
const loggers = /^[_$#]*(?:log|Log|LOG|logger|Logger|LOGGER|\w*[a-z]Logger)_*$/;

/** `Object.prototype.hasOwnProperty` */
const isForeignMethod = (node: Node, { scopes }: SourceModule): boolean =>
  node.kind === 'member' &&
  node.object.kind === 'member' &&
  node.object.property === 'prototype' &&
  node.object.object.kind === 'name' &&
  scopes.bindingOf(node.object.object) === undefined;

/** What a call may call of the project: of a method, all that have its name. undefined where that is not known. */
export function calleesOf(ev: Evaluation, callee: Expression, at: At): readonly Callee[] | undefined {
  const named = [...functionsOf(ev, callee, at), ...heirsMethods(ev, callee)];
  if (named.length > 0) return named;
  if (isTrusted(ev, callee, at.module)) return isOfThis(callee) ? methodsNamed(ev.world, callee.property) : named;
  const superclass = callee.kind === 'super' ? classAround(callee)?.superclass : undefined;
  if (superclass !== undefined) return calleesOf(ev, superclass, at);
  if (callee.kind === 'name') return calleesTaken(ev, callee, at);
  if (callee.kind !== 'member' || callee.property === undefined) return undefined;
  return calling.test(callee.property) && !isOwnMethod(ev, callee, at) ? undefined : methodsNamed(ev.world, callee.property);
}

/** Whether a method that is called as those of functions are is one of the project's, whoever gives what has it: `this.auth.apply(headers)`. */
const isOwnMethod = (ev: Evaluation, callee: Expression, { module, frame }: At): boolean =>
  optionsOf(forAllCallers(ev, frame, (each) => ev.evaluate(callee, { module, frame: each }))).every(({ type }) => type === 'function');

const isOfThis = (callee: Expression): callee is MemberNode & { readonly property: string } =>
  callee.kind === 'member' && callee.object.kind === 'this' && callee.property !== undefined;

/** What those have in the place of a method of `this` who inherit it. */
function heirsMethods(ev: Evaluation, callee: Expression): readonly Callee[] {
  const around = isOfThis(callee) ? classAround(callee) : undefined;
  if (around === undefined || !isOfThis(callee)) return [];
  return subclassesWith(ev, around, callee.property).flatMap(({ node, module }) =>
    membersNamed(node, module, callee.property).flatMap(({ value }) => (value?.kind === 'function' ? [{ node: value, module }] : [])),
  );
}

/**
 * What a call may call of the project, and whether it can call nothing else.
 * @param isOfAnyCall whether the call of the function around it does not count, be it known
 */
export function functionsCalled(
  ev: Evaluation,
  callee: Expression,
  at: At,
  isOfAnyCall: boolean,
): { readonly functions: readonly Callee[]; readonly isKnown: boolean } {
  const known = (isOfAnyCall ? undefined : calleesInCall(ev, callee, at)) ?? calleesOf(ev, callee, at);
  if (known !== undefined) return { functions: known, isKnown: true };
  const found = [...calleesGiven(ev, callee, at), ...calleesHeld(ev, callee, at)];
  const others = heldFetch(ev, callee, isOfAnyCall ? { ...at, frame: undefined } : at);
  return { functions: [...found, ...(others ?? none)], isKnown: others !== undefined };
}

/**
 * What of the project may be in the place of the `fetch` that a field holds: `this.#fetch = options.fetch ?? fetch`. What others give for it only reads what it is
 * given, as a package does.
 */
function heldFetch(ev: Evaluation, callee: Expression, at: At): readonly Callee[] | undefined {
  if (!isOfThis(callee) || !fetching.test(callee.property)) return undefined;
  const isOpen = optionsOf(ev.evaluate(callee, at)).some(({ type, why }) => !asking.has(type) || cut.has(why));
  return isOpen ? undefined : functionsNamed(ev.world, callee.property);
}

/** What may be called as `fetch` is, or is not given. */
const asking: ReadonlySet<Value['type']> = new Set(['external', 'http', 'function', 'method', 'literal', 'param', 'unknown']);
const cut: ReadonlySet<Value['why']> = new Set(['too many', 'depth', 'cycle']);

/**
 * What is called within a call that is followed, where only that says which function it is: a hook that the client was given, or that its class has; and any of
 * a list: `for (const hook of hooks) hook(options)`, `hooks[index](options)`.
 */
function calleesInCall(ev: Evaluation, callee: Expression, at: At): readonly Callee[] | undefined {
  // What a name holds that is taken once, it holds outside of calls, too.
  const isTaken = callee.kind === 'name' ? at.module.scopes.bindingOf(callee)?.owner.kind === 'variable' : isItem(callee);
  if ((at.frame === undefined && !isTaken) || !isChosenByCall(callee, at.module)) return undefined;
  const options = optionsOf(ev.evaluate(callee, at));
  const isKnown = options.every((each) => each.type === 'literal' || (each.type === 'function' && keepsNothing(each)));
  return isKnown ? options.flatMap((each) => (each.type === 'function' ? each : [])) : undefined;
}

/** Whether a function only asks what it is given, or puts something into it: what it hands on or keeps may come to another call of another hook. */
function keepsNothing({ node: { params }, module }: FunctionValue): boolean {
  return params.every(({ target }) => {
    const binding = target.kind === 'patternName' ? module.scopes.declaredBy(target) : undefined;
    return binding?.references.every(isAskedOrSet) === true;
  });
}

function isAskedOrSet(name: NameNode): boolean {
  let at: Node = name;
  while (at.parent?.kind === 'member' && at.parent.object === at) at = at.parent;
  const { parent } = at;
  switch (parent?.kind) {
    case 'assign':
      return at !== name && parent.target === at;
    case 'call':
      return at !== name && parent.callee === at;
    case 'binary':
    case 'concat':
    case 'template':
    case 'unary':
      return true;
    case 'conditional':
      return parent.test === at;
    default:
      return false;
  }
}

/** What a field of what it is called on may hold: `client.authorize(headers)`, which others may have put there, too. */
function calleesHeld(ev: Evaluation, callee: Expression, at: At): readonly Callee[] {
  if (callee.kind !== 'member' || callee.property === undefined || calling.test(callee.property)) return none;
  return optionsOf(ev.evaluate(callee, at)).flatMap((each) => (each.type === 'function' ? each : []));
}

const given = new WeakMap<Evaluation, WeakMap<Node, readonly Callee[]>>();

/** What those give who are seen to call the function that a parameter is of: others may give it others. */
function calleesGiven(ev: Evaluation, callee: Expression, { module }: Pick<At, 'module'>): readonly Callee[] {
  const binding = callee.kind === 'name' ? module.scopes.bindingOf(callee) : undefined;
  const owner = binding?.owner.kind === 'param' ? binding.owner.parent : undefined;
  if (binding === undefined || owner?.kind !== 'function') return none;
  const known = given.get(ev) ?? new WeakMap<Node, readonly Callee[]>();
  given.set(ev, known);
  const before = known.get(binding.declaration);
  if (before !== undefined) return before;
  known.set(binding.declaration, none);
  const found = callsOf(ev, owner).flatMap((call) => {
    const frame = calledBy(ev, owner, call, undefined);
    return optionsOf(ev.evaluate(callee, { module, frame })).flatMap((each) => (each.type === 'function' ? each : []));
  });
  known.set(binding.declaration, found);
  return found;
}

function isChosenByCall(callee: Expression, { scopes }: SourceModule): boolean {
  if (callee.kind !== 'name') return isOfThis(callee) || isItem(callee);
  const binding = scopes.bindingOf(callee);
  if (binding?.owner.kind !== 'variable') return binding?.owner.kind === 'param';
  const { owner } = binding;
  if (owner.each !== undefined) return owner.each === 'value' && assignmentsOf(binding).all.length === 0;
  return isTakenOnce(binding, owner) && owner.init.kind !== 'function';
}

/** `hooks[index]` */
const isItem = (node: Expression): boolean => node.kind === 'member' && node.property === undefined && node.computed?.kind !== 'string';

/** Whether a variable is one thing as long as the call lasts: `const auth = options.auth ?? noAuth`. */
const isTakenOnce = (binding: Binding, owner: VariableNode): owner is VariableNode & { readonly init: Expression } =>
  owner.init !== undefined && owner.each === undefined && binding.again.length === 0 && assignmentsOf(binding).all.length === 0;

/** What a name may call that was taken out of something, and is never another: `const { fetch } = this`, `const ask = options.fetch ?? fetch`. */
function calleesTaken(ev: Evaluation, name: NameNode, at: At): readonly Callee[] | undefined {
  const binding = at.module.scopes.bindingOf(name);
  const owner = binding?.owner;
  if (binding === undefined || owner?.kind !== 'variable' || !isTakenOnce(binding, owner)) return undefined;
  const { declaration } = binding;
  if (owner.target === declaration) return madeBy(ev, owner.init, at) ?? calleesOfAny(ev, alternativesOf(owner.init), at);
  const taken = declaration.parent;
  if (taken?.kind !== 'patternProperty' || taken.name === undefined) return undefined;
  const methods = methodsTaken(ev, taken.parent === owner.target ? owner.init : undefined, taken.name, at);
  return taken.default === undefined ? methods : allOf([methods, calleesOfAny(ev, alternativesOf(taken.default), at)]);
}

/** What a function of the project made of what it was given, if that keeps nothing: `const sign = withKey('x-api-key', key)`. */
function madeBy(ev: Evaluation, init: Expression, at: At): readonly Callee[] | undefined {
  const options = init.kind === 'call' && !init.isNew ? optionsOf(ev.evaluate(init, at)) : [];
  const made = options.flatMap((each) => (each.type === 'function' && keepsNothing(each) ? each : []));
  return made.length > 0 && made.length === options.length ? made : undefined;
}

/** What an expression may give: either side of a choice, and what `bind` binds. */
function alternativesOf(node: Expression): readonly Expression[] {
  if (node.kind === 'logical') return [node.left, node.right].flatMap(alternativesOf);
  if (node.kind === 'conditional') return [node.whenTrue, node.whenFalse].flatMap(alternativesOf);
  const isBound = node.kind === 'call' && node.callee.kind === 'member' && node.callee.property === 'bind';
  return isBound && node.callee.kind === 'member' ? [node.callee.object] : [node];
}

const calleesOfAny = (ev: Evaluation, nodes: readonly Expression[], at: At): readonly Callee[] | undefined =>
  allOf(
    nodes.map((node) => {
      if (node.kind === 'member' && node.property !== undefined) return methodsTaken(ev, node.object, node.property, at);
      const named = functionsOf(ev, node, at);
      return named.length > 0 || isForeign(node, at.module, ev.world) ? named : undefined;
    }),
  );

/** Methods of a name, called without what they were taken from. */
function methodsTaken(ev: Evaluation, of: Expression | undefined, name: string, { module }: At): readonly Callee[] | undefined {
  const own = of === undefined ? [] : methodsOf(of, name, module);
  if (own.length > 0 || (of !== undefined && isForeign(of, module, ev.world))) return own;
  if (takingIn.test(name)) return undefined;
  return combined(ev.rules).mayAsk(name) ? [] : methodsNamed(ev.world, name);
}

/** What all of these may be; undefined where one is not known. */
function allOf(found: readonly (readonly Callee[] | undefined)[]): readonly Callee[] | undefined {
  const known = found.filter((each) => each !== undefined);
  return known.length === found.length ? known.flat() : undefined;
}
