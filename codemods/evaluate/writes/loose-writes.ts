/**
 * Writes into what the syntax alone does not tell: a parameter, what a call gives, `this` of a function that is no method. An object whose way
 * is lost may be any of these, so what they write may stand in it; what is written into something else never does.
 */
import type { CallNode, ClassNode, Expression, FunctionNode, MemberNode, Node } from '../../syntax/tree.ts';
import { assignmentsOf } from '../names/assignments.ts';
import { classAround } from '../calls/callees.ts';
import { constructorOf, membersIn, membersNamed, paramOf, writesToField } from '../classes/class-index.ts';
import type { SourceModule } from '../module.ts';
import type { World } from '../program.ts';
import { textBySyntax } from '../names/syntax-constants.ts';
import { isTest } from '../libraries/test-files.ts';
import { memoOf } from '../../once.ts';
import { writtenPlaces } from './written-places.ts';

export interface LooseWrites {
  /** The properties that are written to by name. */
  readonly names: ReadonlySet<string>;
  /** Whether any property may be. */
  readonly isOpen: boolean;
  /** Whether something may be put into a list. */
  readonly isList: boolean;
}

/** Methods that put something into what they are called on: of most calls nobody asks what that is. */
const putting: ReadonlySet<string> = new Set(['push', 'append', 'set']);
const known = new WeakMap<World, LooseWrites>();

/** All writes of the project into what may be any object. */
export function looseWritesIn(world: World): LooseWrites {
  const before = known.get(world);
  if (before !== undefined) return before;
  const names = new Set<string>();
  let isOpen = false;
  let isList = false;
  const add = (property: string | Expression | undefined, module: SourceModule): void => {
    const name = typeof property === 'object' ? textBySyntax(property, module, world) : property;
    if (name === undefined) isOpen = true;
    else names.add(name);
    isList ||= name === undefined || /^(?:\d+|length)$/.test(name);
  };
  for (const module of world.modules.values()) {
    for (const { object, property, value, how } of writtenPlaces(module)) {
      if (how === 'reordered') {
        isList ||= !isKnown(object, module, world);
        continue;
      }
      if (isKnown(object, module, world) || isMethodByTable(value)) continue;
      const copied = how === 'copied' && value?.kind === 'object' ? value.properties : undefined;
      if (copied === undefined) add(property, module);
      else for (const each of copied) add(each.kind === 'property' ? each.name : undefined, module);
    }
    for (const { argument } of module.deletions)
      if (argument.kind === 'member' && !isKnown(argument.object, module, world)) add(argument.property ?? argument.computed, module);
    for (const { callee, args } of module.calls) {
      if (callee.kind !== 'member' || !putting.has(callee.property ?? '') || isKnown(callee.object, module, world)) continue;
      isList ||= callee.property === 'push';
      const [name, value] = args;
      // `headers.set(name, value)`
      if (callee.property !== 'append' && !(callee.property === 'set' && value !== undefined && !isNoText(value, module))) continue;
      if (name !== undefined && name.kind !== 'spread') add(name, module);
    }
  }
  const found: LooseWrites = { names, isOpen, isList };
  known.set(world, found);
  return found;
}

/** What a prototype is given by the names of something else, no instance holds. */
const isMethodByTable = (value: Node | undefined): boolean =>
  value?.kind === 'function' &&
  value.parent?.kind === 'classMember' &&
  value.parent.name === undefined &&
  value.parent.computed !== undefined;

/** `controllers.set(token, new AbortController())`: what is put there is no address and no header, under whatever name. */
function isNoText(value: Node, { scopes }: SourceModule): boolean {
  const owner = value.kind === 'name' ? scopes.bindingOf(value)?.owner : undefined;
  const made = owner?.kind === 'variable' && owner.declares === 'const' ? owner.init : value;
  return (
    made?.kind === 'call' &&
    made.isNew &&
    made.callee.kind === 'name' &&
    /^(?:AbortController|Date|(?:Weak)?(?:Map|Set))$/.test(made.callee.name)
  );
}

/** Whether it is certain what is written to: something that is made there, a class, a module, a global, or what a package gives. */
export function isKnown(node: Node, module: SourceModule, world: World, seen: readonly Node[] = []): boolean {
  switch (node.kind) {
    case 'object':
    case 'array':
    case 'function':
    case 'class':
      return true;
    case 'await':
      return isKnown(node.argument, module, world, seen);
    case 'call':
      return node.isNew ? isMade(node) : isForeign(node, module, world);
    case 'this':
      return isOwnThis(node, module);
    case 'member':
      return isForeign(node, module, world) || isStorage(node, world) || isKnownProperty(node, module, world, seen);
    case 'name': {
      const binding = module.scopes.bindingOf(node);
      const owner = binding?.owner;
      if (
        binding === undefined ||
        owner?.kind === 'import' ||
        owner?.kind === 'class' ||
        owner?.kind === 'function' ||
        owner?.kind === 'enum'
      )
        return true;
      if (owner?.kind === 'param') return isAccumulator(owner);
      if (owner?.kind !== 'variable' || seen.includes(owner) || binding.again.length > 0) return false;
      const isPlain = owner.target.kind === 'patternName' && owner.each === undefined && assignmentsOf(binding).all.length === 0;
      if (owner.target.kind !== 'patternName' && owner.init !== undefined) return isForeign(owner.init, module, world);
      return isPlain && owner.init !== undefined && isKnown(owner.init, module, world, [...seen, owner]);
    }
    default:
      return false;
  }
}

/** `this.$window.localStorage[name] = key`, where the project has nothing of its own under that name: what a page keeps between visits. */
const isStorage = ({ property }: MemberNode, world: World): boolean =>
  (property === 'localStorage' || property === 'sessionStorage') && !storagesMade(world).has(property);

/** The names of these that the program puts something under. Tests hand in stores of their own. */
const storagesMade = memoOf(
  ({ modules }: World): ReadonlySet<string> =>
    new Set(
      [...modules.values()].flatMap((module) =>
        isTest(module)
          ? []
          : Array.from(module.text.matchAll(/\b(localStorage|sessionStorage)['"\]]*\s*(?::|=(?!=))/g), ([, name = '']) => name),
      ),
    ),
);

/** `config.api`, where the literal of `config` has one of `api`. */
function isKnownProperty({ object, property }: MemberNode, module: SourceModule, world: World, seen: readonly Node[]): boolean {
  if (object.kind === 'this' && property !== undefined) return isKnownField(object, property, module, world, seen);
  if (object.kind !== 'name' || !isKnown(object, module, world, seen)) return false;
  const owner = module.scopes.bindingOf(object)?.owner;
  if (owner?.kind !== 'variable' || owner.init?.kind !== 'object') return false;
  const found = owner.init.properties.find((each) => each.kind === 'property' && each.name === property);
  return found?.kind === 'property' && isKnown(found.value, module, world, seen);
}

/**
 * `this.routes` of a class of tests that makes it itself, where nobody gives a property of that name anything else. What fills an instance by names
 * that are not seen, or in a package, tests hardly do to their servers; of a program nobody knows.
 */
function isKnownField(place: Node, name: string, module: SourceModule, world: World, seen: readonly Node[]): boolean {
  const of = isTest(module) ? classAround(place) : undefined;
  if (of === undefined || !isOwnThis(place, module) || paramOf(of, name) !== undefined) return false;
  const counted = writesByName(world);
  if (counted.has(undefined)) return false;
  const declared = membersNamed(of, module, name);
  const writes = writesToField(of, module, name);
  const own = writes.length + (of.superclass === undefined ? 0 : declared.length);
  if (own !== (counted.get(name) ?? 0) || declared.some(({ role }) => role !== 'field')) return false;
  const given = [
    ...declared.flatMap(({ value }) => value ?? []),
    ...writes.map(({ node }) => (node.kind === 'assign' ? node.value : node)),
  ];
  const [value] = given;
  return value !== undefined && given.length === 1 && !seen.includes(value) && isKnown(value, module, world, [...seen, value]);
}

const byName = new WeakMap<World, ReadonlyMap<string | undefined, number>>();

/** How often something is put into properties, or a subclass declares them, by their names: undefined where it may be any of an instance. */
function writesByName(world: World): ReadonlyMap<string | undefined, number> {
  const before = byName.get(world);
  if (before !== undefined) return before;
  const found = new Map<string | undefined, number>();
  const add = (name: string | undefined): unknown => found.set(name, (found.get(name) ?? 0) + 1);
  for (const module of world.modules.values())
    for (const of of module.classes) if (of.superclass !== undefined) for (const name of declaredBy(of, module)) add(name);
  for (const { how, object, property, value } of [...world.modules.values()].flatMap(writtenPlaces)) {
    const isOther = how === 'reordered' || object.kind === 'object' || (typeof property === 'object' && object.kind !== 'this');
    if (isOther) continue;
    const copied = how === 'copied' && value?.kind === 'object' ? value.properties : undefined;
    const names = copied?.map((each) => (each.kind === 'property' ? each.name : undefined)) ?? [property];
    for (const name of names) add(typeof name === 'object' ? undefined : name);
  }
  byName.set(world, found);
  return found;
}

/** The names that a class gives its members and the fields which its constructor's parameters declare. */
const declaredBy = (of: ClassNode, module: SourceModule): string[] => [
  ...membersIn(of, module).flatMap(({ name }) => name ?? []),
  ...(constructorOf(of)?.params ?? []).flatMap(({ isField, target }) => (isField && target.kind === 'patternName' ? target.name : [])),
];

/** Globals whose calls give what they are given. */
const giving = new Set(['Object', 'Array', 'Promise', 'Reflect', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Proxy', 'globalThis']);
const isNamed = (node: Node, name: string): boolean => node.kind === 'name' && node.name === name;

/** What packages and the platform give: `axios.defaults`, `document.createElement('a')`. */
export function isForeign(node: Node, module: SourceModule, world: World): boolean {
  let root = node;
  for (let at: Node | undefined = node; at !== undefined;) {
    root = at;
    at = at.kind === 'member' ? at.object : at.kind === 'call' ? at.callee : at.kind === 'await' ? at.argument : undefined;
  }
  if (root.kind === 'other') return root.what === 'import' || root.what === 'MetaProperty';
  // `/^[a-z]/.test(value)`
  if (isTextOrPattern(root)) return true;
  if (root.kind !== 'name') return false;
  const binding = module.scopes.bindingOf(root);
  if (binding === undefined) return !giving.has(root.name);
  const { owner } = binding;
  if (owner.kind === 'import') return world.resolve(module, owner.source.value) === undefined;
  if (owner.kind !== 'variable' || owner.init === undefined || owner.init === root || owner.each !== undefined) return false;
  if (assignmentsOf(binding).all.length > 0) return false;
  return isTextOrPattern(owner.init) || (owner.init.kind === 'call' && isForeignCall(owner.init, module, world));
}

const isTextOrPattern = ({ kind }: Node): boolean => kind === 'string' || kind === 'template' || kind === 'literal';

function isForeignCall(node: Extract<Node, { kind: 'call' }>, module: SourceModule, world: World): boolean {
  const [specifier] = node.args;
  if (node.callee.kind === 'name' && node.callee.name === 'require')
    return specifier?.kind === 'string' && world.resolve(module, specifier.value) === undefined;
  return isForeign(node.callee, module, world);
}

/** `this` of a method: what it writes to is found by its class or object. */
export function isOwnThis(node: Node, { prototypes }: SourceModule): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (at.kind === 'class') return true;
    if (at.kind === 'function' && !at.isArrow) return isMethod(at) || prototypes.has(at);
  }
  return false;
}

const isMethod = ({ parent }: FunctionNode): boolean => parent?.kind === 'classMember' || parent?.kind === 'property';

/** `list.reduce((all, each) => …, {})`, `names.reduce((form, name) => …, new FormData())` */
function isAccumulator(param: Extract<Node, { kind: 'param' }>): boolean {
  const fn = param.parent;
  const call = fn?.parent;
  const isFolded = fn?.kind === 'function' && fn.params[0] === param && call?.kind === 'call';
  if (!isFolded || call.callee.kind !== 'member' || call.callee.property !== 'reduce') return false;
  const [, begun] = call.args;
  return begun?.kind === 'object' || begun?.kind === 'array' || (begun?.kind === 'call' && isMade(begun));
}

/** `new Headers()`: others may have what stands behind a proxy or a promise, too. */
const isMade = ({ callee, isNew }: CallNode): boolean => isNew && !isNamed(callee, 'Proxy') && !isNamed(callee, 'Promise');
