/** Requests that nobody makes: the `remove` that a resource inherits, and a function beside those that others take from its file. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { isInherited, superclassOf } from '../../evaluate/classes/subclasses.ts';
import { templateIn } from '../../formats/markup.ts';
import { pathsIn } from '../../formats/template-bindings.ts';
import { expressionsIn } from '../../formats/template-calls.ts';
import { memoOf } from '../../once.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { makerIn } from '../../requests/call-paths.ts';
import { mentionsThis } from '../../requests/mentions-this.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { CallNode, ClassNode, FunctionNode, MemberNode, Node } from '../../syntax/tree.ts';
import { placeOfCall, type RequestSite } from '../../verdict/request-sites.ts';
import { isOfServer } from '../servers/own-routes.ts';
import { readersIn } from '../flow/readers.ts';

/** Says of a request that nobody makes what it is of: a method that heirs have, or something of its own. */
export type Callers = (site: RequestSite) => 'inherited' | 'own' | undefined;

/** Tells of a request whether nobody makes it, as far as that can be seen; what frameworks may call by its name counts as called. */
export function uncalledIn(ev: Evaluation, found: CallGraph): Callers {
  const readers = readersIn(ev);
  const known = new Map<Node, boolean>();
  const isUncalled = (fn: FunctionNode, module: SourceModule): boolean => {
    const names = namesOf(fn).flatMap((name) => [name, ...aliasesIn(module, name)]);
    if (names.length === 0 || found.escapingCallbacks.has(fn) || (found.callers.get(fn)?.length ?? 0) > 0) return false;
    return readers.ofModule(module).length > 0 && !isForOthers(ev, fn, module) && !names.some((name) => isNamed(ev, name, fn));
  };
  const isUnused = unusedOfMaker(ev, found, readers);
  return (site) => {
    if (isUnused(site)) return 'own';
    const { node, module } = placeOfCall(site);
    const fn = isScript(module) ? functionAround(node) : undefined;
    if (fn === undefined || !isScript(module)) return undefined;
    const result = known.get(fn) ?? isUncalled(fn, module);
    known.set(fn, result);
    if (!result) return undefined;
    const of = fn.parent?.kind === 'classMember' ? fn.parent.parent : undefined;
    return of?.kind === 'class' && isInherited(ev, of) ? 'inherited' : 'own';
  };
}

/**
 * `crud('campaigns').get`, of which nobody can take another, and `campaigns.list` where only `contacts.list` is called: what one call of a factory made has no
 * caller, though what another made has.
 */
function unusedOfMaker(ev: Evaluation, found: CallGraph, readers: ReturnType<typeof readersIn>): (site: RequestSite) => boolean {
  const known = new Map<Node, Map<FunctionNode, boolean>>();
  const isUnused = (fn: FunctionNode, maker: CallNode, factory: FunctionNode, module: SourceModule): boolean => {
    const names = namesOf(fn);
    if (names.length === 0 || found.escapingCallbacks.has(fn) || isForOthers(ev, fn, module)) return false;
    const taken = maker.parent?.kind === 'member' && maker.parent.object === maker ? maker.parent.property : undefined;
    if (taken !== undefined) return !names.includes(taken) && !mentionsThis(fn) && !names.some((name) => isNamedIn(factory, name));
    const isOfMaker = (value: Value): boolean => {
      if (value.type !== 'function') return isOpen(value) || (value.type === 'method' && isOpen(value.receiver));
      const by = value.node === fn ? makerIn(value.frame, factory) : undefined;
      return value.node === fn && (by === undefined || by === maker);
    };
    return readers.ofModule(module).length > 0 && !names.some((name) => isNamed(ev, name, fn, isOfMaker));
  };
  return ({ request: { call, module, callers } }) => {
    const places = [{ node: call, module }, ...callers];
    return places.some((place, index) => {
      const fn = isScript(place.module) ? functionAround(place.node) : undefined;
      const factory = fn && factoryAround(fn);
      const maker = places
        .slice(index + 1)
        .find(({ node }) => node.kind === 'call' && factory !== undefined && calls(found, factory, node));
      if (fn === undefined || factory === undefined || maker?.node.kind !== 'call' || !isScript(place.module)) return false;
      const ofMaker = known.get(maker.node) ?? new Map<FunctionNode, boolean>();
      known.set(maker.node, ofMaker);
      const result = ofMaker.get(fn) ?? isUnused(fn, maker.node, factory, place.module);
      ofMaker.set(fn, result);
      return result;
    });
  };
}

const calls = ({ callers }: CallGraph, fn: Node, call: Node): boolean => callers.get(fn)?.some(({ node }) => node === call) === true;

/** The function that gives back an object with another one: `(name) => ({ list: () => get(name) })`. */
function factoryAround(fn: FunctionNode): FunctionNode | undefined {
  const object = fn.parent?.kind === 'property' ? fn.parent.parent : undefined;
  const holder = object?.kind === 'object' ? object.parent : undefined;
  if (holder?.kind === 'function') return holder.body === object ? holder : undefined;
  return holder?.kind === 'return' ? functionOf(holder) : undefined;
}

function functionOf(node: Node): FunctionNode | undefined {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at;
}

/** Whether a function has another by its name within itself: `list` beside it calls `get`. */
function isNamedIn(factory: Node, name: string): boolean {
  let isFound = false;
  walk(factory, (node) => {
    isFound ||= (node.kind === 'name' && node.name === name) || (node.kind === 'member' && node.property === name);
    return !isFound;
  });
  return isFound;
}

/** The function around a place that goes by a name; what is given to a call where it is written is part of what is around it. */
function functionAround(node: Node): FunctionNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'function' && at.parent?.kind !== 'call') return at;
  return undefined;
}

/** What a function goes by; nothing where it is part of what a call is given. */
function namesOf(fn: FunctionNode): string[] {
  for (let at: Node | undefined = fn.parent; at?.kind === 'property' || at?.kind === 'object'; at = at.parent)
    if (at.parent?.kind === 'call') return [];
  const { parent, name } = fn;
  const own = name === undefined ? [] : [name.name];
  if (parent?.kind === 'variable' && parent.target.kind === 'patternName') return [...own, parent.target.name];
  if (parent?.kind === 'assign' && parent.target.kind === 'member' && parent.target.property !== undefined)
    return [...own, parent.target.property];
  const isMember = parent?.kind === 'property' || (parent?.kind === 'classMember' && parent.role === 'method');
  return isMember && parent.name !== undefined ? [...own, parent.name] : own;
}

/** Whether code that was not read may call it: a method with a decorator, or of a class that extends one of a package. */
function isForOthers(ev: Evaluation, { parent }: FunctionNode, module: SourceModule): boolean {
  if (parent?.kind !== 'classMember' || parent.parent?.kind !== 'class') return false;
  if (parent.decorators.length > 0) return true;
  let node: ClassNode = parent.parent;
  for (let of = module, seen = new Set<Node>(); node.superclass !== undefined && !seen.has(node); seen.add(node)) {
    const superclass = superclassOf(ev, { type: 'class', node, module: of, frame: undefined });
    if (superclass?.type !== 'class') return true;
    [node, of] = [superclass.node, superclass.module];
  }
  return false;
}

/** Whether a name stands somewhere that may mean the function, beside where it is exported under it. */
function isNamed(
  ev: Evaluation,
  name: string,
  fn: FunctionNode,
  isIt = (value: Value): boolean =>
    value.type === 'function' ? value.node === fn : isOpen(value) || (value.type === 'method' && isOpen(value.receiver)),
): boolean {
  return [...ev.world.modules.values()].some((module) => {
    const mayBe = (node: Node): boolean => optionsOf(ev.evaluate(node, { module, frame: undefined })).some(isIt);
    const { program } = module.tree;
    const has = (value: Value): boolean =>
      /^(?:instance|object)$/.test(value.type) &&
      optionsOf(ev.member(value, name, fn, { module, frame: undefined })).some((each) => each.type === 'function' && each.node === fn);
    return (
      module.texts.some(
        (text) =>
          text.kind === 'string' &&
          text.value === name &&
          !isWithin(text, fn) &&
          !isTitle(text, module) &&
          (isGivenBesideObject(text) || mayAskByName(ev)),
      ) ||
      nodesOfKind(program, 'patternProperty').some((property) => property.name === name) ||
      mayBeInTemplate(ev, module, name, isIt) ||
      nodesOfKind(program, 'name').some((node) => node.name === name && !isAlias(node, name) && mayBe(node)) ||
      nodesOfKind(program, 'member').some(
        (node) => node.property === name && !isWritten(node) && !isOfServer(ev, node.object, module) && mayBe(node),
      ) ||
      // `contacts[name]` of what has it
      nodesOfKind(program, 'member').some(
        ({ computed, object }) => computed !== undefined && optionsOf(ev.evaluate(object, { module, frame: undefined })).some(has),
      )
    );
  });
}

const namedInTemplate = memoOf(({ file, text }: SourceModule) => {
  const template = templateIn(text, file);
  return template === undefined
    ? []
    : expressionsIn(template).flatMap(({ start, end }) =>
        pathsIn(template.text.slice(start, end), start).map(({ path }) => ({ path, isInScope: template.isInScope })),
      );
});

/** `@click="client.remove(id)"`: whether a template has the name of what may be the function. Members of a component are known by their names. */
const mayBeInTemplate = (ev: Evaluation, module: SourceModule, name: string, isIt: (value: Value) => boolean): boolean =>
  namedInTemplate(module).some(({ path: [first, ...members], isInScope }) => {
    const at = members.indexOf(name);
    if (first !== name && at === -1) return false;
    const binding = module.scopes.top(first);
    if (!isInScope || binding === undefined) return !isInScope && at !== -1;
    const place = { module, frame: undefined };
    const whole = members
      .slice(0, at + 1)
      .reduce((value, each) => ev.member(value, each, binding.declaration, place), ev.binding(binding, place));
    return optionsOf(whole).some(isIt);
  });

/** `vi.spyOn(client, 'remove')`, `call([client, 'remove'])`: a name that somebody is given along with what may have it. */
function isGivenBesideObject(text: Node): boolean {
  const list = text.parent?.kind === 'array' ? text.parent : text;
  const beside = list === text ? (text.parent?.kind === 'call' ? text.parent.args : []) : list.kind === 'array' ? list.elements : [];
  return (
    (list === text || list.parent?.kind === 'call') && beside.some((each) => each !== text && each !== undefined && each.kind !== 'string')
  );
}

const askingByName = new WeakMap<Evaluation, boolean>();

/** Whether somewhere in these files a function is taken of something of which nothing is known, by a name that the program puts together: `target[action](…)`, `const { [action]: act } = target`, `Reflect.get(target, action)`. */
function mayAskByName(ev: Evaluation): boolean {
  const before = askingByName.get(ev);
  if (before !== undefined) return before;
  const found = [...ev.world.modules.values()].some((module) => {
    const { program } = module.tree;
    const valuesOf = (node: Node): readonly Value[] => optionsOf(ev.evaluate(node, { module, frame: undefined }));
    return (
      nodesOfKind(program, 'patternProperty').some(({ computed }) => computed !== undefined && !valuesOf(computed).every(isNumber)) ||
      nodesOfKind(program, 'member').some((node) => {
        const { object, property, computed } = node;
        if (property === 'get' && object.kind === 'name' && object.name === 'Reflect') return true;
        return computed !== undefined && isCalled(node, module) && valuesOf(object).some(isOpen) && !valuesOf(computed).every(isNumber);
      })
    );
  });
  askingByName.set(ev, found);
  return found;
}

const isNumber = (value: Value): boolean => value.type === 'literal' && typeof value.value === 'number';

/** `target[action](…)`, `target[action].call(target, …)`, `const act = target[action]; act(…)`, and what a function gives back. */
function isCalled(node: MemberNode, { scopes }: SourceModule): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'call':
      return parent.callee === node || !isConverting(parent);
    case 'member':
      return parent.object === node && parent.property !== undefined && /^(?:call|apply|bind)$/.test(parent.property);
    case 'variable': {
      const { target } = parent;
      const references = target.kind === 'patternName' ? scopes.declaredBy(target)?.references : undefined;
      return references === undefined || references.some((each) => each.parent?.kind === 'call' && each.parent.callee === each);
    }
    default:
      return parent !== undefined && handingOn.has(parent.kind);
  }
}

const handingOn: ReadonlySet<Node['kind']> = new Set(['return', 'function', 'logical', 'conditional', 'property', 'array']);

/** `String(row[name])`, `params.append(name, row[name])`: values that are written down, and no functions. */
const isConverting = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' ||
  (callee.kind === 'name' &&
    /^(?:String|Number|Boolean|BigInt|Date|parse(?:Int|Float)|encodeURI(?:Component)?|is[A-Z]\w*)$/.test(callee.name));

/** `test('list', …)` */
const isTitle = (text: Node, module: SourceModule): boolean =>
  isTest(module) &&
  text.parent?.kind === 'call' &&
  text.parent.args[0] === text &&
  text.parent.callee.kind === 'name' &&
  /^(?:it|test|describe)$/.test(text.parent.callee.name);

const isWithin = (node: Node, fn: FunctionNode): boolean => {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at === fn) return true;
  return false;
};

const isOpen = ({ type }: Value): boolean => type === 'unknown' || type === 'param';
const isWritten = (node: Node): boolean => node.parent?.kind === 'assign' && node.parent.target === node;

/** `module.exports = { remove }`, `{ delete: remove }`, `exports.remove = remove`: whoever takes it names it again. */
function isAlias({ parent }: Node, name: string): boolean {
  if (parent?.kind === 'assign') return parent.target.kind === 'member' && parent.target.property === name;
  return parent?.kind === 'property' && parent.name !== undefined && parent.computed === undefined;
}

/** What else a function goes by in the objects of its file: `delete` of `{ delete: remove }`. */
const aliasesIn = ({ tree }: SourceModule, name: string): string[] =>
  nodesOfKind(tree.program, 'property').flatMap((property) =>
    property.value.kind === 'name' && property.value.name === name && property.name !== undefined && property.name !== name
      ? property.name
      : [],
  );
