/**
 * The other expressions by which a program gets hold of the same object: where it is assigned, chosen, put into a list or a property, given to a
 * function or returned. They are found by the syntax alone, so that no question about what is written into an object goes in circles.
 */
import { isPattern, type Binding } from '../syntax/scopes.ts';
import type {
  AssignNode,
  CallNode,
  ClassNode,
  Expression,
  FunctionNode,
  MemberNode,
  NameNode,
  Node,
  Pattern,
  SpreadNode,
} from '../syntax/tree.ts';
import { aliasesOf } from './aliases.ts';
import { classAround, functionAround, functionsOf, hasArguments, nameOf } from './callees.ts';
import { constructorOf, placesOfField } from './class-index.ts';
import type { At, Evaluation } from './evaluation.ts';
import { elementMethods, innerOf, placesOf } from './inner-names.ts';
import {
  addingMethods,
  copyingMethods,
  foldingMethods,
  keepingFunctions,
  copyingFunctions,
  lookingFunctions,
  globalName,
  isTrusted,
} from './keeping.ts';
import type { SourceModule } from './module.ts';
import { depthOf, isCalling, isSecondName, isUsed, isWithin, type Named, originOf } from './named.ts';
import { selvesIn } from './selves.ts';
import type { Caller, Frame } from './values.ts';

/** More than these are not looked at. */
const maxNames = 1000;
/** Nor are functions that hand it on to each other further than this. */
const maxDepth = 8;

export interface Names {
  readonly all: readonly Named[];
  /** Whether there are more than were looked at. */
  readonly isCut: boolean;
  /** Where it goes a way that is not followed: what cannot be told from it may be it from there on. */
  readonly lost: Named | undefined;
  /** Where what it holds does. */
  readonly lostWithin: Named | undefined;
}

/** Objects and lists that hold it, with their names; those whose names are being looked for have none yet: they may hold each other. */
type Holders = Map<Node, Names | undefined>;

/**
 * @param first expressions that give the object, and all references to the names that it is declared by
 * @param isEnough whether one of its names is all that is asked for
 */
export const namesOf = (ev: Evaluation, first: readonly Named[], isEnough?: (named: Named) => boolean): Names =>
  found(ev, first, new Map(), isEnough);

function found(ev: Evaluation, first: readonly Named[], holders: Holders, isEnough?: (named: Named) => boolean): Names {
  const search = new Search(ev, first, holders);
  for (const named of first) search.add(named);
  return search.run(isEnough);
}

/** Syntax that does nothing with a value. */
const idle = /Statement$|^CaseClause$/;
const handing = /^(?:Throw|Return)Statement$/;

class Search {
  readonly #ev: Evaluation;
  readonly #found: Named[] = [];
  /** In which calls they were seen. */
  readonly #seen = new Map<Node, (Frame | undefined)[]>();
  readonly #seenCopies = new Map<Node, (Frame | undefined)[]>();
  readonly #first: readonly Named[];
  readonly #max: number;
  readonly #holders: Holders;
  #isCut = false;
  #lost: Named | undefined;
  #lostWithin: Named | undefined;

  constructor(ev: Evaluation, first: readonly Named[], holders: Holders) {
    this.#ev = ev;
    this.#first = first;
    this.#holders = holders;
    this.#max = first.length + maxNames;
  }

  add(named: Named): void {
    const seen = named.isCopy === true ? this.#seenCopies : this.#seen;
    const frames = seen.get(named.node);
    if (frames === undefined) seen.set(named.node, [named.at.frame]);
    else if (frames.includes(named.at.frame)) return;
    else frames.push(named.at.frame);
    if (this.#found.length >= this.#max) this.#isCut = true;
    else this.#found.push(named);
  }

  run(isEnough: (named: Named) => boolean = () => false): Names {
    for (let index = 0; index < this.#found.length; index++) {
      const named = this.#found[index];
      if (named === undefined || isEnough(named)) break;
      this.#follow(named);
    }
    return { all: this.#found, isCut: this.#isCut, lost: this.#lost, lostWithin: this.#lostWithin };
  }

  /** It goes a way that is not followed. */
  #lose(named: Named): void {
    if (named.isCopy === true) this.#lostWithin ??= named;
    else this.#lost ??= named;
  }

  #follow(named: Named): void {
    const { node, at } = named;
    const { parent } = node;
    if (isPattern(node)) return this.#restOf(node, named);
    if (node.kind === 'object' && named.isCopy !== true) for (const self of selvesIn(node)) this.#other(self, named);
    switch (parent?.kind) {
      case 'variable':
        if (parent.init === node && parent.each === undefined)
          this.#bind(parent.target, at, named, named.isOwn && isSecondName(parent, at.module));
        break;
      case 'param':
      case 'patternProperty':
        if (parent.default === node) this.#bind(parent.target, at, named);
        break;
      case 'arrayPattern':
        for (const element of parent.elements) if (element?.default === node) this.#bind(element.target, at, named);
        break;
      case 'assign':
        this.#assigned(parent, named);
        break;
      case 'conditional':
        if (parent.test !== node) this.#other(parent, named);
        break;
      case 'logical':
        if (parent.operator !== '&&' || parent.right === node) this.#other(parent, named);
        break;
      case 'binary':
        if (parent.operator === ',' && parent.right === node) this.#other(parent, named);
        break;
      case 'await':
        this.#other(parent, named);
        break;
      case 'return':
        this.#returned(functionAround(parent), named);
        break;
      case 'function':
        if (parent.body === node) this.#returned(parent, named);
        break;
      case 'call':
        if (parent.callee !== node) this.#given(parent, named);
        break;
      case 'spread':
        this.#spread(parent, named);
        break;
      case 'property':
        if (parent.value === node && parent.parent !== undefined) this.#held(parent.parent, parent.name, named);
        break;
      case 'array':
        this.#held(parent, undefined, named);
        break;
      case 'classMember':
        if (parent.value === node) this.#field(classAround(parent), parent.name, named);
        break;
      case 'member':
        if (parent.object === node) this.#asked(parent, named);
        break;
      case 'template':
        if (parent.parent?.kind === 'tagged') this.#lose(named);
        break;
      case 'exportDeclaration':
        // What is exported by a name is found by that.
        if (node.kind !== 'name') this.#lose(named);
        break;
      case 'other':
        if (handing.test(parent.what) || !idle.test(parent.what)) this.#lose(named);
        break;
      default:
    }
  }

  #other(node: Node, { at, isCopy = false }: Named): void {
    this.add({ node, at, isOwn: false, isCopy });
  }

  /** All places that name a variable or parameter, or the pattern that takes it apart. */
  #bind(target: Pattern | Expression, at: At, { isCopy = false }: Named, isOwn = false): void {
    const binding = target.kind === 'patternName' ? at.module.scopes.declaredBy(target) : undefined;
    if (binding !== undefined) this.#references(binding, { node: target, at, isOwn, isCopy });
    else if (isPattern(target)) this.add({ node: target, at, isOwn: false, isCopy });
    else this.#assignedTo(target, { node: target, at, isOwn: false, isCopy });
  }

  #references(binding: Binding, { at, isOwn, isCopy = false }: Named): void {
    for (const node of binding.references) if (isUsed(node)) this.add({ node, at, isOwn, isCopy });
    for (const { binding: alias, module } of aliasesOf(this.#ev.world, binding))
      for (const node of alias.references) if (isUsed(node)) this.add({ node, at: { module, frame: undefined }, isOwn: false, isCopy });
  }

  /** `{ a, ...rest }` and `[a, ...rest]` of it: another with what it holds. */
  #restOf(pattern: Pattern, named: Named): void {
    const copy = { ...named, isCopy: true };
    if (pattern.kind === 'objectPattern' && pattern.rest !== undefined) this.#bind(pattern.rest, named.at, copy);
    if (pattern.kind !== 'arrayPattern') return;
    for (const element of pattern.elements) if (element?.isRest === true) this.#bind(element.target, named.at, copy);
  }

  #assigned(assignment: AssignNode, named: Named): void {
    if (assignment.value !== named.node) return;
    this.#other(assignment, named);
    const { target } = assignment;
    if (isPattern(target)) this.add({ ...named, node: target, isOwn: false });
    else this.#assignedTo(target, named);
  }

  #assignedTo(target: Expression, named: Named): void {
    const binding = target.kind === 'name' ? named.at.module.scopes.bindingOf(target) : undefined;
    if (binding !== undefined) this.#references(binding, { ...named, isOwn: false });
    else if (target.kind === 'member') this.#store(target, named);
    else this.#lose(named);
  }

  /** `holder.options = …` */
  #store({ object, property }: MemberNode, named: Named): void {
    const { at } = named;
    const root = object.kind === 'member' ? object.object : object;
    // What a file exports by a name is found by that.
    const isExport = root.kind === 'name' && /^(?:module|exports)$/.test(root.name) && at.module.scopes.bindingOf(root) === undefined;
    if (isExport && named.node.kind === 'name') return;
    const binding = object.kind === 'name' ? at.module.scopes.bindingOf(object) : undefined;
    if (object.kind === 'this' && classAround(object) !== undefined) this.#field(classAround(object), property, named);
    else if (binding === undefined) this.#lose(named);
    else
      this.#heldBy(
        binding.references.map((node) => ({ node, at, isOwn: false })),
        property,
        named,
      );
  }

  /** A field of a class: its own methods are followed, and what others read is not. */
  #field(of: ClassNode | undefined, name: string | undefined, named: Named): void {
    const { module } = named.at;
    if (of === undefined || name?.startsWith('#') !== true) this.#lose(named);
    if (of === undefined || name === undefined) return;
    for (const { places } of placesOfField(of, module, name))
      for (const node of places) this.#other(node, { ...named, at: { module, frame: undefined } });
  }

  /** An object or list that holds it. */
  #held(holder: Node, property: string | undefined, named: Named): void {
    this.#heldBy([{ node: holder, at: named.at, isOwn: false }], property, named);
  }

  /** @param property undefined where it may be any */
  #heldBy(holders: readonly Named[], property: string | undefined, { isCopy = false, at, node }: Named): void {
    const [first] = holders;
    if (first === undefined) return;
    const before = this.#holders.get(first.node);
    if (before === undefined && this.#holders.has(first.node)) return;
    if (before === undefined) this.#holders.set(first.node, undefined);
    const names = before ?? found(this.#ev, holders, this.#holders);
    this.#holders.set(first.node, names);
    const { all, isCut, lost, lostWithin } = names;
    this.#isCut ||= isCut;
    if ((lost ?? lostWithin) !== undefined) this.#lose({ node, at, isOwn: false, isCopy });
    for (const holder of all)
      for (const inner of innerOf(this.#ev, holder.node, holder.at))
        if (property === undefined || inner.property === undefined || inner.property === property)
          for (const place of inner.places) {
            if (isPattern(place.node) || isUsed(place.node)) this.add({ ...place, isOwn: false, isCopy });
          }
  }

  /** `{ ...it }`, `[...it]`, `f(...it)` */
  #spread(spread: SpreadNode, named: Named): void {
    const { parent: into } = spread;
    const copy = { ...named, isCopy: true };
    if (into?.kind === 'call') this.#givenUnfollowed(into, copy);
    else if (into !== undefined) this.#other(into, copy);
  }

  /** A method of it, where it is a list or a promise. */
  #asked(member: MemberNode, named: Named): void {
    const { property = '', parent: call } = member;
    if (call?.kind === 'assign' && call.target === member && call.value.kind === 'function' && !call.value.isArrow) this.#lose(named);
    if (call?.kind !== 'call' || call.callee !== member) return;
    const [fn] = call.args;
    const copy = { ...named, isCopy: true };
    if (property === 'catch' || property === 'finally') this.#other(call, named);
    else if (copyingMethods.has(property)) this.#other(call, copy);
    else if (foldingMethods.has(property) && (property === 'entries' || call.args.length > 0)) this.#lose(copy);
    else if (fn !== undefined && (property === 'then' || elementMethods.has(property))) {
      const functions = fn.kind === 'spread' ? [] : functionsOf(this.#ev, fn, named.at);
      if (functions.length === 0 && !isTrusted(this.#ev, fn, named.at.module)) this.#lose(property === 'then' ? named : copy);
      if (property !== 'then') return;
      for (const { node, module } of functions) {
        const target = node.kind === 'function' ? node.params[0]?.target : undefined;
        if (target !== undefined) this.#bind(target, { module, frame: module === named.at.module ? named.at.frame : undefined }, named);
      }
    }
  }

  /** A function that is given it, or a list that it is added to. */
  #given(call: CallNode, named: Named): void {
    const { at } = named;
    const index = call.args.findIndex((arg) => arg === named.node);
    const { callee } = call;
    const name = globalName(callee, at.module);
    if (keepingFunctions.has(name) && index === 0) return this.#other(call, named);
    if (name === 'Object.assign') return this.#copied(call, named);
    if (copyingFunctions.has(name) && index === 0) return this.#other(call, { ...named, isCopy: true });
    if (name === 'Object.entries') return this.#lose({ ...named, isCopy: true });
    if (index === 0 && lookingFunctions.test(name)) return;
    if (callee.kind === 'member' && addingMethods.has(callee.property ?? '')) {
      const list = callee.object.kind === 'name' ? at.module.scopes.bindingOf(callee.object) : undefined;
      if (list === undefined) return this.#lose(named);
      return this.#heldBy(
        list.references.map((node) => ({ node, at, isOwn: false })),
        undefined,
        named,
      );
    }
    if (depthOf(at.frame) >= maxDepth) this.#isCut = true;
    else if (call.args.slice(0, index).some(({ kind }) => kind === 'spread')) this.#givenUnfollowed(call, named);
    else this.#givenTo(call, index, named);
  }

  #givenTo(call: CallNode, index: number, named: Named): void {
    const { at, isOwn } = named;
    // `fn.call(self, …)`
    const isCall = call.callee.kind === 'member' && call.callee.property === 'call' && index > 0;
    const callees = functionsOf(this.#ev, isCall && call.callee.kind === 'member' ? call.callee.object : call.callee, at);
    if (callees.length === 0) return this.#givenUnfollowed(call, named);
    for (const { node: fn, module } of callees) {
      const called = fn.kind === 'class' ? constructorOf(fn) : fn;
      const last = called?.params.at(-1);
      const param = called?.params[isCall ? index - 1 : index] ?? (last?.isRest === true ? last : undefined);
      if (called === undefined ? fn.kind === 'class' && fn.superclass !== undefined : hasArguments(called)) this.#lose(named);
      if (called === undefined || param === undefined || isCalling(at.frame, called)) continue;
      const caller: Caller = {
        node: call,
        module: at.module,
        args: (evaluation, frame) => evaluation.args(call, { module: at.module, frame }),
      };
      const inside: At = { module, frame: isCall ? undefined : { owner: called, call: caller, outer: at.frame } };
      if (param.isRest)
        this.#heldBy(
          placesOf(param.target, inside).map((node) => ({ node, at: inside, isOwn: false })),
          undefined,
          named,
        );
      else this.#bind(param.target, inside, named, isOwn && !isCall && at.frame === undefined);
      if (param.isField && param.target.kind === 'patternName')
        this.#field(classAround(called), param.target.name, { ...named, at: inside });
    }
  }

  #givenUnfollowed(call: CallNode, named: Named): void {
    if (!isTrusted(this.#ev, call.callee, named.at.module)) this.#lose(named);
  }

  /** `Object.assign(target, it)` */
  #copied(call: CallNode, named: Named): void {
    const copy = { ...named, isCopy: true };
    this.#other(call, copy);
    const [target] = call.args;
    if (target?.kind === 'name' || target?.kind === 'member') this.#assignedTo(target, copy);
    else if (target?.kind !== 'object') this.#lose(copy);
  }

  /** What a function returns that did not make it: its calls. */
  #returned(fn: FunctionNode | undefined, named: Named): void {
    if (fn === undefined) return;
    const { module, frame } = named.at;
    if (frame?.owner === fn && frame.call !== undefined) {
      this.#other(frame.call.node, { ...named, at: { module: frame.call.module, frame: frame.outer } });
      return;
    }
    if (this.#first.every((each) => isWithin(fn, originOf(each)))) return;
    const name = nameOf(fn);
    const binding = name === undefined ? undefined : module.scopes.declaredBy(name);
    if (binding === undefined) return this.#lose(named);
    for (const reference of binding.references) this.#called(reference, module, named);
    for (const { binding: alias, module: other } of aliasesOf(this.#ev.world, binding))
      for (const reference of alias.references) this.#called(reference, other, named);
  }

  #called(reference: NameNode, module: SourceModule, named: Named): void {
    const { parent } = reference;
    if (parent?.kind === 'call' && parent.callee === reference) this.#other(parent, { ...named, at: { module, frame: undefined } });
    else if (parent?.kind !== 'export' && parent?.kind !== 'exportDeclaration') this.#lose(named);
  }
}
