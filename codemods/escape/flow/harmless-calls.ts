/** Calls that do nothing with what they are given that would have to be followed, by what they are called. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { isDressing, namesOfLoggers } from '../../clients/quiet-packages.ts';
import { anyOf, common, hooks } from '../../clients/testing/declared-tests.ts';
import { namesInTests } from '../../clients/testing/libraries.ts';
import { combined } from '../../evaluate/libraries/combined.ts';
import { callsOf } from '../../evaluate/calls/all-callers.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import { type Copying, copyingOf, copyingWith } from '../../evaluate/writes/copies.ts';
import { isLogging } from '../../evaluate/writes/keeping.ts';
import { methodsNamed } from '../../evaluate/calls/by-name.ts';
import { mayBeCalledOtherwise } from '../../evaluate/calls/other-calls.ts';
import { indexOf } from '../../evaluate/libraries/provided.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Place } from '../../evaluate/budget.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { type ExternalValue, optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { DataflowQuery } from './dataflow-query.ts';
import { isTelling } from './functions/observers.ts';
import { isOwnKey } from './holders/own-keys.ts';
import { perItem } from '../../syntax/item-methods.ts';
import { rulesWith } from '../../evaluate/libraries/rules.ts';

/** Calls that only print or read their arguments, or put them into an error. */
const showing = new RegExp(
  `^(?:console|log|logger|debug|print|${namesOfLoggers}|${namesInTests}|vitest|${anyOf([...common, ...hooks])})$`,
  'i',
);
/** … and errors that are made: not a method of one that was caught. */
const error = /(?:Error|Exception|^Boom)$/i;
const caught = /^(?:e|err|error|ex|exception|cause)$/;
const addingToError = /^(?:with|add)(?:Context|Details?|Meta(?:data)?)$/;
/** Whether it carries a value to those that ask for it by name: calls of a client there are found by unresolved-calls.ts. */
export function isCarrying(ev: Evaluation, { callee }: CallNode, arg: Node, value: Value): boolean {
  const { carriers } = combined(ev.rules);
  if (value.type === 'external' || value.type === 'method') return carriers.has(value.path.at(-1) ?? '');
  // `install(app) { app.provide('client', client); }`: what an application hands to its plugins is the application, for all that is known.
  return isOpenValue(value) && callee.kind === 'member' && carriers.has(callee.property ?? '') && indexOf(ev).byNode.has(arg);
}

const isOpenValue = ({ type }: Value): boolean => type === 'unknown' || type === 'param';

export function isHarmlessCall(ev: Evaluation, call: CallNode, { node: at, module }: Place, callees: readonly Value[]): boolean {
  return (
    isShowing(call) ||
    isTelling(ev, call, module) ||
    ((formatting.test(lastName(call.callee)) || areDressing(callees)) && isShownByOthers(ev, call, module)) ||
    isAskedForList(call) ||
    isKeyOfMap(call, at) ||
    isOwnKey(at, module) ||
    (isThrown(call) && callees.every(({ type }) => type !== 'function' && type !== 'class')) ||
    isDependency(ev, call, at) ||
    isNeverCalled(callees) ||
    isShownByPackage(ev, callees) ||
    (isOfContainer(ev, callees) && namesProviders(at)) ||
    isOptionOfPlugIn(ev, call, { node: at, module }) ||
    (callees.length > 0 &&
      callees.every((callee) => isKnown(ev, callee) && (announces(ev, callee, at) || isUnderstood(ev, callee, { node: call, module }))))
  );
}

/** `core.debug(url)` of an action, whatever it is imported as. */
const isShownByPackage = (ev: Evaluation, callees: readonly Value[]): boolean =>
  callees.length > 0 && callees.every((callee) => callee.type === 'external' && combined(ev.rules).isShown(callee));

/** `@Module({ imports: [TextsModule.forRootAsync(options)] })` */
const isOfContainer = (ev: Evaluation, callees: readonly Value[]): boolean =>
  callees.length > 0 && callees.every((callee) => callee.type === 'external' && combined(ev.rules).isListing(callee));

/** Whether all that is listed as a provider is a class by its name: what stands there under a token, anybody may ask for. */
const namesProviders = (lists: Node): boolean =>
  lists.kind === 'object' &&
  lists.properties.every(
    (each) =>
      each.kind === 'property' &&
      (each.name !== 'providers' || (each.value.kind === 'array' && each.value.elements.every((provider) => provider?.kind === 'name'))),
  );

/** `typeof headers === 'function' ? headers(options) : headers`, where callers give an object, or nothing: that is not called. */
function isNeverCalled(callees: readonly Value[]): boolean {
  const given = callees.filter(({ type }) => type !== 'param');
  return given.length > 0 && given.every((each) => each.type === 'literal' || (each.type === 'object' && each.node.kind === 'object'));
}

/** `throw this.errors.badGateway({ url })`: what makes it makes an error; one of the program's own is read itself. */
const isThrown = ({ parent }: Node): boolean => parent?.kind === 'other' && parent.what === 'ThrowStatement';

/** Whether what is made is printed at once, in whatever colour, by nothing of the project's own: that may do more with it. */
function isShownByOthers(ev: Evaluation, made: Node, module: SourceModule): boolean {
  const { parent: call } = wholeOf(made);
  if (call?.kind !== 'call') return false;
  const { callee } = call;
  const callees = optionsOf(ev.evaluate(callee, { module, frame: undefined }));
  if (callee !== made && areDressing(callees)) return isShownByOthers(ev, call, module);
  if (!isShowing(call)) return callee !== made && isShownByPackage(ev, callees);
  // Whichever logger a field holds, it may be of the project's own where that has a class with such a method.
  const isOwn =
    callee.kind === 'member' &&
    callees.some(({ type }) => type !== 'external') &&
    methodsNamed(ev.world, callee.property ?? '')?.length !== 0;
  return !isOwn && callees.every(({ type }) => type !== 'function' && type !== 'class');
}

/** `pc.dim(line)`, whatever colour the package has. */
const areDressing = (callees: readonly Value[]): boolean =>
  callees.length > 0 && callees.every((each) => each.type === 'external' && isDressing(each.source));

/** What makes a text of what it is given. */
const formatting = /^(?:stringify|inspect|format)$/;

/** `app.register(mercurius, { context })`: what a package that is plugged in gets, and no other. */
function isOptionOfPlugIn(ev: Evaluation, { callee, args: [plugIn, options] }: CallNode, { node: at, module }: Place): boolean {
  if (callee.kind !== 'member' || callee.property !== 'register' || plugIn === undefined || options !== at) return false;
  const plugIns = optionsOf(ev.evaluate(plugIn, { module, frame: undefined }));
  return plugIns.length > 0 && plugIns.every((each) => each.type === 'external' && combined(ev.rules).isPlugIn(each.source));
}

/** `Array.isArray(headers)`: which kind of thing it is. */
const isAskedForList = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && callee.property === 'isArray' && callee.object.kind === 'name' && callee.object.name === 'Array';

/** A library that is known may do with what it is given what no rule says: `contextBridge.exposeInMainWorld('api', { base })`. */
function isUnderstood(ev: Evaluation, callee: Value, { node, module }: Place): boolean {
  if (callee.type !== 'external' || !isOfRule(ev, callee) || (isTest(module) && setsMock.test(callee.path.at(-1) ?? ''))) return true;
  if (rulesWith(ev.rules, 'addsBy').some(({ addsBy }) => callee.path.some((name) => addsBy?.includes(name)))) return true;
  const made = ev.evaluate(node, { module, frame: undefined });
  return made.type !== 'unknown' || made.node !== node;
}

/** `axios.create.mockReturnValue(client)`: a library that a test has mocked gives its program what stands there. */
const setsMock = /^mock(?:Return|Resolved|Rejected)Value(?:Once)?$|^mockImplementation(?:Once)?$/;

const announces = (ev: Evaluation, callee: Value, given: Node): boolean =>
  callee.type === 'external' && rulesWith(ev.rules, 'announces').some((rule) => rule.announces?.(callee.path.at(-1) ?? '', given) === true);

/** `assert` and `expect` of a package that is not known: whether they expect what moves, nobody can tell. */
export function isUnknownAssertion(ev: Evaluation, { callee }: CallNode, callees: readonly Value[]): boolean {
  let root: Node = callee;
  while (root.kind === 'member') root = root.object;
  const isAssertion = root.kind === 'name' && /^(?:assert|expect)$/.test(root.name);
  return isAssertion && callees.length > 0 && !callees.some((each) => isKnown(ev, each));
}

/** Whether a callee is a client's own, or a package that is known to do nothing else with what it is given. */
function isKnown(ev: Evaluation, callee: Value): boolean {
  if (callee.type === 'method')
    return callee.receiver.type === 'http' || optionsOf(callee.receiver).some((each) => each.type === 'external' && isKnown(ev, each));
  if (callee.type === 'http') return true;
  if (callee.type !== 'external') return false;
  const { source, path } = callee;
  // `super(message)` of an error
  if (source === '' && path[0]?.endsWith('Error') === true) return true;
  return isOfRule(ev, callee) || combined(ev.rules).isPlugIn(source);
}

function isOfRule(ev: Evaluation, { source, path: [name = ''] }: ExternalValue): boolean {
  const { modules, globals } = combined(ev.rules);
  return source === '' ? globals.has(name) : modules.has(source);
}

export function isShowing({ callee, args: [first] }: CallNode): boolean {
  if (isLogging(callee)) return true;
  const shown = isForPeople(first) ? /^(?:log|logger|console|stderr|stdout)$/i : /^(?:log|logger|console|stderr)$/i;
  let at: Node = callee;
  for (; at.kind === 'member' || at.kind === 'call'; at = at.kind === 'member' ? at.object : at.callee)
    // `this.logger.debug(…)`, `process.stderr.write(…)`
    if (at.kind === 'member' && shown.test(at.property ?? '')) return true;
  if (at.kind !== 'name') return false;
  // `error.withContext({ url })` says more of what went wrong.
  if (caught.test(at.name) && callee.kind === 'member' && callee.object === at && addingToError.test(callee.property ?? '')) return true;
  // `cy.get('code').should('contain', base)`: the first command of a chain does something itself.
  if (at.name === 'cy') return callee.kind === 'member' && callee.object !== at;
  return showing.test(at.name) || (error.test(at.name) && (at === callee || /^[A-Z]/.test(at.name)));
}

/** What is no sentence on stdout, another program may read: an address alone, JSON, an assignment or command for a shell. */
function isForPeople(node: Node | undefined): boolean {
  if (node?.kind !== 'template') return false;
  const [start = '', ...others] = node.texts.slice(0, -1).map(({ value }) => value);
  return !forPrograms.test(start) && [start, ...others].every((before) => beforeValue.test(before));
}

const forPrograms = /^\s*(?:[{["'<#]|[\w.-]+\s*[=:]|(?:export|set|setenv|declare|curl|wget|https?)\b)/;
/** A word and white space, or the colour of a terminal. */
const beforeValue = /(?:\w:?\s+|\p{Cc}\[[\d;]*m)$/u;

/** `useEffect(() => …, [api])`: when to run again. */
const isDependency = (ev: Evaluation, { callee, args }: CallNode, at: Node): boolean =>
  at.kind === 'array' && args[0] !== at && combined(ev.rules).takesDependencies(lastName(callee));

/** Whether a call around a value only shows it. */
export function isShown(node: Node): boolean {
  for (let at = node.parent; at !== undefined && at.kind !== 'function'; at = at.parent)
    if (at.kind === 'call' && isShowing(at)) return true;
  return false;
}

/** Parts of what is shown, as far as they are put together there. */
const puttingTogether: ReadonlySet<Node['kind']> = new Set([
  'array',
  'concat',
  'conditional',
  'logical',
  'object',
  'property',
  'spread',
  'template',
]);

/** Whether something that is made of another is printed, and nothing else is done with it: at once, or under a name within the same function. */
export function isMadeToShow(made: Node, { scopes }: SourceModule): boolean {
  const { at, parent } = wholeOf(made);
  if (parent?.kind === 'call') return isShowing(parent);
  if (parent?.kind !== 'variable' || parent.init !== at || parent.target.kind !== 'patternName' || functionAround(parent) === undefined)
    return false;
  const named = scopes.declaredBy(parent.target);
  return named !== undefined && named.references.length > 0 && named.references.every((name) => isPrinted(name));
}

/** Functions that hand on what they make further than this are not looked at. */
const maxDepth = 3;

/** The same, or by all who call the function that makes it. */
export function isMadeToShowAnywhere(ev: Evaluation, made: Node, module: SourceModule, depth = 0): boolean {
  const { at, parent } = wholeOf(made);
  const fn = parent?.kind === 'return' ? functionAround(parent) : parent?.kind === 'function' && parent.body === at ? parent : undefined;
  if (fn === undefined) return isMadeToShow(made, module);
  const calls = depth === maxDepth || mayBeCalledOtherwise(ev, fn) ? [] : callsOf(ev, fn);
  return calls.length > 0 && calls.every((call) => isMadeToShowAnywhere(ev, call.node, call.module, depth + 1));
}

/** What something is made a part of, and what has that. */
function wholeOf(made: Node): { readonly at: Node; readonly parent: Node | undefined } {
  let at = made;
  while (at.parent !== undefined && (puttingTogether.has(at.parent.kind) || isMadeOf(at.parent, at))) at = at.parent;
  return { at, parent: at.parent };
}

/** `path.split('?')[0]`, `path.replace(…).slice(0, 60)`, `Object.fromEntries(entries)` */
const isMadeOf = (node: Node, of: Node): boolean =>
  node.kind === 'member'
    ? node.object === of
    : node.kind === 'call' &&
      (node.callee === of
        ? of.kind === 'member'
        : node.callee.kind === 'member' && /^(?:fromEntries|stringify)$/.test(node.callee.property ?? ''));

/** Whether a name stands in what is printed, with nothing else around it. */
export function isPrinted(name: Node): boolean {
  let at = name;
  while (at.parent !== undefined && puttingTogether.has(at.parent.kind)) at = at.parent;
  return at.parent?.kind === 'call' && at.parent.callee !== at && isShowing(at.parent);
}

/** `const { 'x-api-key': _, ...shown } = headers`: whether the key goes nowhere, and the rest is printed. That v2's header is there then, redactions.ts tells. */
export function isRestPrinted(ev: Evaluation, pattern: Node | undefined, module: SourceModule): boolean {
  if (pattern?.kind !== 'objectPattern') return false;
  const usesOf = (target: Node | undefined): readonly Node[] | undefined =>
    target?.kind === 'patternName' ? module.scopes.declaredBy(target)?.references : undefined;
  const taken = pattern.properties.filter(({ name, computed }) => computed !== undefined || isKeyHeader(name));
  return (
    taken.every(({ computed, target }) => computed === undefined && usesOf(target)?.length === 0) &&
    usesOf(pattern.rest)?.every((name) => isShownByOthers(ev, name, module)) === true
  );
}

/** Whether a header that is read by its name is shown as it is, so that one that is missing breaks nothing. */
export function isOnlyShown(name: Node, { text }: SourceText): boolean {
  let isText = false;
  for (let at = name.parent; at?.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'call' && parent.callee !== at) {
      if (isShowing(parent)) return true;
      isText ||= parent.callee.kind === 'name' && parent.callee.name === 'String';
      if (!isText) return false;
    }
    isText ||= parent.kind === 'template';
    // `key?.slice(0, 4)` of what is missing is missing, too.
    const isSafe = isText || (parent.kind === 'member' && parent.object === at && text.slice(at.end, parent.propertyStart).includes('?.'));
    if (!isSafe && !passing.has(parent.kind)) return false;
  }
  return false;
}

const passing: ReadonlySet<Node['kind']> = new Set(['call', 'object', 'property', 'array', 'logical', 'conditional', 'spread', 'concat']);

/** `Object.keys(headers)`: what is done with the list decides. */
export const isListing = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' &&
  callee.object.kind === 'name' &&
  callee.object.name === 'Object' &&
  /^(?:keys|values|entries)$/.test(callee.property ?? '');

/** What a loop through an object, or through a listing of it, only copies it into. */
export const copyOf = (query: DataflowQuery, over: Node, { module }: { readonly module: SourceModule }): Node | undefined =>
  followedCopy(query, copyingOf(over, module), module);

/** Whether an object is asked for what is under a name, or whether it has that, by a loop that only copies it. */
export const isPartOfCopy = (query: DataflowQuery, name: Node | undefined, module: SourceModule): boolean =>
  followedCopy(query, copyingWith(name, module), module) !== undefined;

/** What a list has for names are numbers; a method of the project's own may do anything with what it is given. */
function followedCopy(query: DataflowQuery, copying: Copying | undefined, module: SourceModule): Node | undefined {
  if (copying === undefined) return undefined;
  const { from, into, write } = copying;
  const isAny = (node: Node, of: (value: Value) => boolean): boolean =>
    query.values({ node, module }).some((value) => optionsOf(value).some(of));
  if (isAny(from, ({ type }) => type === 'list')) return undefined;
  const isOwn =
    write.kind === 'call' && (isAny(write.callee, ({ type }) => type === 'function') || isAny(into, (value) => !isHeaders(value)));
  return isOwn ? undefined : into;
}

/** A request, or an object that is gone with the program: what keeps settings gives them to other files, too. */
const isHeaders = (value: Value): boolean => value.type === 'http' || (value.type === 'object' && value.keeps === undefined);

/** Methods that give back what the function gives that they are given, or what it says of items. */
const passingMethods: ReadonlySet<string> = new Set([...perItem, 'then', 'catch', 'finally']);
export const isPassing = ({ callee }: CallNode): boolean => callee.kind === 'member' && passingMethods.has(callee.property ?? '');

/** `cache.get(url)`: whatever the key of a cache is, it is the same at all its places. */
export function isKeyOfMap({ callee, args }: CallNode, at: Node): boolean {
  return (
    args[0] === at &&
    callee.kind === 'member' &&
    /^(?:get|set|has|add|delete|del|take|peek|ttl|getTtl|expire)$/.test(callee.property ?? '') &&
    /cache|memo|inflight|pending|seen/i.test(lastName(callee.object))
  );
}

const lastName = (node: Node): string => (node.kind === 'name' ? node.name : node.kind === 'member' ? (node.property ?? '') : '');
