/**
 * The other expressions by which a program gets hold of the same object: where it is assigned, chosen, put into a list or a property, given to a
 * function or returned. They are found by the syntax alone, so that no question about what is written into an object goes in circles.
 */
import type { Binding } from '../syntax/scopes.ts';
import type { CallNode, ClassNode, Expression, FunctionNode, MemberNode, NameNode, Node, Pattern, VariableNode } from '../syntax/tree.ts';
import { aliasesOf } from './aliases.ts';
import { constructorOf, membersNamed, placesOfField } from './class-index.ts';
import type { At, Evaluation } from './evaluation.ts';
import type { SourceModule } from './module.ts';
import type { Caller, Frame } from './values.ts';

/** An expression that may give the object. */
export interface Named {
  readonly node: Node;
  readonly at: At;
  /** Whether it is a name of the object itself, or of the parameter of a function that is given it by such: what is written there is its own. */
  readonly isOwn: boolean;
}

/** More than these are not looked at. */
const maxNames = 1000;
/** Nor are functions that hand it on to each other further than this. */
const maxDepth = 8;

export interface Names {
  readonly all: readonly Named[];
  /** Whether there are more than were looked at. */
  readonly isCut: boolean;
}

/** @param first expressions that give the object, and all references to the names that it is declared by */
export const namesOf = (ev: Evaluation, first: readonly Named[]): Names => found(ev, first, new Set());

/** @param holders objects and lists that hold it, whose names are being looked for: they may hold each other */
function found(ev: Evaluation, first: readonly Named[], holders: Set<Node>): Names {
  const search = new Search(ev, first.length, holders);
  for (const named of first) search.add(named);
  return search.run();
}

const elementMethods = new Set(['forEach', 'map', 'filter', 'find', 'findLast', 'findIndex', 'some', 'every', 'flatMap']);
const takingMethods = new Set(['at', 'pop', 'shift', 'find', 'findLast']);
const addingMethods = new Set(['push', 'unshift']);
/** Functions that give back what they are given. */
const keepingFunctions = new Set(['Object.freeze', 'Object.seal', 'Object.assign', 'Promise.resolve']);

class Search {
  readonly #ev: Evaluation;
  readonly #found: Named[] = [];
  readonly #seen = new Map<Node, Set<Frame | undefined>>();
  #isCut = false;

  readonly #max: number;
  readonly #holders: Set<Node>;

  constructor(ev: Evaluation, first: number, holders: Set<Node>) {
    this.#ev = ev;
    this.#holders = holders;
    this.#max = first + maxNames;
  }

  add(named: Named): void {
    const frames = this.#seen.get(named.node) ?? new Set();
    if (frames.has(named.at.frame)) return;
    this.#seen.set(named.node, frames.add(named.at.frame));
    if (this.#found.length >= this.#max) this.#isCut = true;
    else this.#found.push(named);
  }

  run(): Names {
    for (let index = 0; index < this.#found.length; index++) {
      const named = this.#found[index];
      if (named !== undefined) this.#follow(named);
    }
    return { all: this.#found, isCut: this.#isCut };
  }

  #follow(named: Named): void {
    const { node, at } = named;
    const { parent } = node;
    switch (parent?.kind) {
      case 'variable':
        if (parent.init === node && parent.each === undefined)
          this.#bind(parent.target, at, named.isOwn && isSecondName(parent, at.module));
        break;
      case 'param':
        if (parent.default === node) this.#bind(parent.target, at);
        break;
      case 'assign':
        if (parent.value !== node) break;
        this.#other(parent, at);
        if (parent.target.kind === 'name') this.#refer(parent.target, at);
        else if (parent.target.kind === 'member') this.#store(parent.target, at);
        break;
      case 'conditional':
        if (parent.test !== node) this.#other(parent, at);
        break;
      case 'logical':
        if (parent.operator !== '&&' || parent.right === node) this.#other(parent, at);
        break;
      case 'await':
        this.#other(parent, at);
        break;
      case 'return':
        this.#returned(functionAround(parent), named);
        break;
      case 'function':
        if (parent.body === node) this.#returned(parent, named);
        break;
      case 'call':
        this.#given(parent, named);
        break;
      case 'property':
        if (parent.value === node && parent.name !== undefined && parent.parent !== undefined)
          for (const holder of this.#namesOf(parent.parent, at)) this.#read(holder, parent.name);
        break;
      case 'array':
        for (const list of this.#namesOf(parent, at)) this.#element(list);
        break;
      default:
    }
  }

  #other(node: Node, at: At): void {
    this.add({ node, at, isOwn: false });
  }

  /** All places that name a variable or parameter. */
  #bind(pattern: Pattern | Expression, at: At, isOwn = false): void {
    const binding = pattern.kind === 'patternName' ? at.module.scopes.declaredBy(pattern) : undefined;
    if (binding !== undefined) this.#references(binding, at, isOwn);
  }

  #refer(name: NameNode, at: At): void {
    const binding = at.module.scopes.bindingOf(name);
    if (binding !== undefined) this.#references(binding, at, false);
  }

  #references(binding: Binding, at: At, isOwn: boolean): void {
    for (const node of binding.references) if (isUsed(node)) this.add({ node, at, isOwn });
    for (const { binding: alias, module } of aliasesOf(this.#ev.world, binding))
      for (const node of alias.references) if (isUsed(node)) this.add({ node, at: { module, frame: undefined }, isOwn: false });
  }

  /** The names of an object or list that holds it. */
  #namesOf(node: Node, at: At): readonly Named[] {
    if (this.#holders.has(node)) return [];
    this.#holders.add(node);
    const { all, isCut } = found(this.#ev, [{ node, at, isOwn: false }], this.#holders);
    this.#isCut ||= isCut;
    return all;
  }

  /** A property of what holds it: `holder.options`, `const { options } = holder`. */
  #read({ node, at }: Named, name: string): void {
    for (const inner of innerOf(node, at))
      if (inner.property === name) for (const each of inner.places) this.add({ ...each, isOwn: false });
  }

  /** `holder.options = …` */
  #store({ object, property }: MemberNode, at: At): void {
    if (property === undefined) return;
    if (object.kind === 'this') {
      const of = classAround(object);
      if (of === undefined) return;
      for (const { places } of placesOfField(of, at.module, property))
        for (const node of places) this.#other(node, { module: at.module, frame: undefined });
    } else if (object.kind === 'name') {
      const binding = at.module.scopes.bindingOf(object);
      for (const node of binding?.references ?? []) this.#read({ node, at, isOwn: false }, property);
    }
  }

  /** What takes one by one what a list holds. */
  #element({ node, at }: Named): void {
    const { parent } = node;
    if (parent?.kind === 'variable' && parent.each === 'value' && parent.init === node) this.#bind(parent.target, at);
    else if (parent?.kind === 'variable' && parent.target.kind === 'arrayPattern')
      for (const element of parent.target.elements) if (element !== undefined) this.#bind(element.target, at);
    if (parent?.kind === 'other' && parent.what === 'ForOfStatement' && parent.parent?.kind === 'assign') {
      const { target } = parent.parent;
      if (target.kind === 'name') this.#refer(target, at);
    }
    if (parent?.kind !== 'member' || parent.object !== node) return;
    if (parent.computed !== undefined || /^\d+$/.test(parent.property ?? '')) this.#other(parent, at);
    const call = parent.parent;
    if (call?.kind !== 'call' || call.callee !== parent) return;
    if (takingMethods.has(parent.property ?? '')) this.#other(call, at);
    const [fn] = call.args;
    if (!elementMethods.has(parent.property ?? '') || fn === undefined || fn.kind === 'spread') return;
    for (const { node: each, module } of functionsOf(this.#ev, fn, at)) {
      const target = each.kind === 'function' ? each.params[0]?.target : undefined;
      if (target !== undefined) this.#bind(target, { module, frame: module === at.module ? at.frame : undefined });
    }
  }

  /** A function that is given it, or a list that it is added to. */
  #given(call: CallNode, { node, at, isOwn }: Named): void {
    const index = call.args.findIndex((arg) => arg === node);
    if (index === -1) return;
    const { callee } = call;
    if (callee.kind === 'member' && callee.object.kind === 'name' && keepingFunctions.has(`${callee.object.name}.${callee.property}`)) {
      if (index === 0) this.#other(call, at);
      return;
    }
    if (callee.kind === 'member' && addingMethods.has(callee.property ?? '') && callee.object.kind === 'name') {
      const list = at.module.scopes.bindingOf(callee.object);
      for (const each of list?.references ?? []) this.#element({ node: each, at, isOwn: false });
      return;
    }
    if (depthOf(at.frame) >= maxDepth) {
      this.#isCut = true;
      return;
    }
    for (const { node: fn, module } of functionsOf(this.#ev, callee, at)) {
      const called = fn.kind === 'class' ? constructorOf(fn) : fn;
      const target = called?.params[index]?.target;
      if (called === undefined || target === undefined || isCalling(at.frame, called)) continue;
      const caller: Caller = {
        node: call,
        module: at.module,
        args: (evaluation, frame) => evaluation.args(call, { module: at.module, frame }),
      };
      const frame: Frame = { owner: called, call: caller, outer: at.frame };
      this.#bind(target, { module, frame }, isOwn && at.frame === undefined);
    }
  }

  /** What a function returns that did not make it: its calls. */
  #returned(fn: FunctionNode | undefined, { node, at }: Named): void {
    if (fn === undefined) return;
    const { frame } = at;
    if (frame?.owner === fn && frame.call !== undefined) {
      this.#other(frame.call.node, { module: frame.call.module, frame: frame.outer });
      return;
    }
    if (node.kind !== 'name' || isDeclaredIn(fn, at.module.scopes.bindingOf(node))) return;
    const name = nameOf(fn);
    const binding = name === undefined ? undefined : at.module.scopes.declaredBy(name);
    if (binding === undefined) return;
    for (const reference of binding.references) this.#called(reference, at.module);
    for (const { binding: alias, module } of aliasesOf(this.#ev.world, binding))
      for (const reference of alias.references) this.#called(reference, module);
  }

  #called(reference: Node, module: SourceModule): void {
    const { parent } = reference;
    if (parent?.kind === 'call' && parent.callee === reference) this.#other(parent, { module, frame: undefined });
  }
}

/** Kinds that only look at what a name gives. */
const looking: ReadonlySet<Node['kind'] | undefined> = new Set(['template', 'concat', 'binary', 'spread', 'tagged', undefined]);

/** Whether more may happen at a place than that something is read. */
export function isUsed(node: Node): boolean {
  const { parent } = node;
  if (parent?.kind !== 'member' || parent.object !== node) return !looking.has(parent?.kind);
  const around = parent.parent;
  return around?.kind === 'other' ? around.what === 'ForOfStatement' : !looking.has(around?.kind);
}

/** Whether a variable is another name of what its only value names: `const same = options`, in one function. */
export function isSecondName(node: VariableNode, { scopes }: SourceModule): boolean {
  const { init, target, declares } = node;
  if (declares !== 'const' || target.kind !== 'patternName' || init?.kind !== 'name') return false;
  const of = scopes.bindingOf(init);
  return of?.owner.kind === 'variable' && of.owner.declares === 'const' && functionAround(of.owner) === functionAround(node);
}

interface Inner {
  readonly property: string;
  readonly places: readonly Omit<Named, 'isOwn'>[];
}

/** The properties that are read at a place that names an object: `options.headers`, `const { headers } = options`. */
export function innerOf(node: Node, at: At): readonly Inner[] {
  const { parent } = node;
  if (parent?.kind === 'member' && parent.object === node)
    return parent.property === undefined ? [] : [{ property: parent.property, places: [{ node: parent, at }] }];
  const pattern =
    parent?.kind === 'variable' && parent.init === node && parent.each === undefined
      ? parent.target
      : parent?.kind === 'param' && parent.default === node
        ? parent.target
        : undefined;
  if (pattern?.kind !== 'objectPattern') return [];
  return pattern.properties.flatMap(({ name, target }): Inner[] => {
    const binding = target.kind === 'patternName' ? at.module.scopes.declaredBy(target) : undefined;
    return name === undefined || binding === undefined
      ? []
      : [{ property: name, places: binding.references.map((reference) => ({ node: reference, at })) }];
  });
}

/** The functions and classes of the project that a callee names. */
function functionsOf(ev: Evaluation, callee: Expression, at: At): readonly { node: FunctionNode | ClassNode; module: SourceModule }[] {
  const { module } = at;
  if (callee.kind === 'function') return [{ node: callee, module }];
  if (callee.kind === 'member') {
    const { object, property } = callee;
    if (property === undefined) return [];
    const of = object.kind === 'this' ? classAround(object) : classOf(object, module);
    if (of !== undefined)
      return membersNamed(of, module, property).flatMap(({ value }) => (value?.kind === 'function' ? [{ node: value, module }] : []));
    const init = object.kind === 'name' ? initOf(object, module) : undefined;
    const value = init?.kind === 'object' ? init.properties.find((each) => each.kind === 'property' && each.name === property) : undefined;
    return value?.kind === 'property' && value.value.kind === 'function' ? [{ node: value.value, module }] : [];
  }
  if (callee.kind !== 'name') return [];
  const owner = module.scopes.bindingOf(callee)?.owner;
  if (owner?.kind === 'class' || (owner?.kind === 'function' && owner.body !== undefined)) return [{ node: owner, module }];
  if (owner?.kind === 'variable' && owner.init?.kind === 'function') return [{ node: owner.init, module }];
  if (owner?.kind !== 'import' && owner?.kind !== 'function') return [];
  const value = ev.evaluate(callee, { module, frame: undefined });
  return value.type === 'function' || value.type === 'class' ? [{ node: value.node, module: value.module }] : [];
}

const initOf = (name: NameNode, { scopes }: SourceModule): Expression | undefined => {
  const owner = scopes.bindingOf(name)?.owner;
  return owner?.kind === 'variable' && owner.target.kind === 'patternName' ? owner.init : undefined;
};

/** The class that a name holds an instance of, or is. */
function classOf(object: Expression, module: SourceModule): ClassNode | undefined {
  const init = object.kind === 'name' ? (initOf(object, module) ?? object) : object;
  const name = init.kind === 'call' && init.isNew ? init.callee : init;
  const owner = name.kind === 'name' ? module.scopes.bindingOf(name)?.owner : undefined;
  return owner?.kind === 'class' ? owner : undefined;
}

function classAround(node: Node): ClassNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'class') return at;
  return undefined;
}

function functionAround(node: Node): FunctionNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'function') return at;
  return undefined;
}

/** The name that a function is declared by. */
function nameOf(fn: FunctionNode): FunctionNode['name'] {
  const { parent } = fn;
  return parent?.kind === 'variable' && parent.init === fn && parent.target.kind === 'patternName' ? parent.target : fn.name;
}

function isDeclaredIn(fn: FunctionNode, binding: Binding | undefined): boolean {
  for (let at: Node | undefined = binding?.declaration; at !== undefined; at = at.parent) if (at === fn) return true;
  return binding === undefined;
}

function depthOf(frame: Frame | undefined): number {
  let depth = 0;
  for (let at = frame; at !== undefined; at = at.outer) if (at.call !== undefined) depth++;
  return depth;
}

function isCalling(frame: Frame | undefined, owner: Node): boolean {
  for (let at = frame; at !== undefined; at = at.outer) if (at.owner === owner) return true;
  return false;
}
