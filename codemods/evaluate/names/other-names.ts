/**
 * The other expressions by which a program gets hold of the same object: where it is assigned, chosen, put into a list or a property, given to a
 * function or returned. They are found by the syntax alone, so that no question about what is written into an object goes in circles.
 */
import { isPattern, type Binding } from '../../syntax/scopes.ts';
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
} from '../../syntax/tree.ts';
import { aliasesOf } from './aliases.ts';
import { namedAs, type Read, readsOf, readsOfField } from '../calls/by-name.ts';
import { classAround, functionAround, functionsOf, hasArguments, nameOf } from '../calls/callees.ts';
import { constructorOf, placesOfField } from '../classes/class-index.ts';
import { calledIn } from '../calls/call-frames.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { placesOf, restsOf } from './inner-names.ts';
import {
  addingMethods,
  calleesOf,
  copyingMethods,
  foldingMethods,
  givenBackBy,
  takingIn,
  copyingFunctions,
  functionsCalled,
  lookingFunctions,
  globalName,
  isTrusted,
} from '../writes/keeping.ts';
import { FoundNames, type Names } from './found-names.ts';
import { type Holder, innerOfAll, knownIn, type Looked, lookedFrom } from '../writes/holders.ts';
import { isForeign } from '../writes/loose-writes.ts';
import { commonJsName, type SourceModule } from '../module.ts';
import { allOf } from '../calls/callers.ts';
import { depthOf, isCalling, isNameOfPart, isSecondName, isUsed, isWithin, type Named, originOf } from './named.ts';
import { selvesIn } from '../classes/selves.ts';
import { placesOfWhole } from './wholes.ts';
import { perItem } from '../../syntax/item-methods.ts';

/** Functions that hand it on to each other further than this are not looked at, beside those that lead to where it is made. */
const maxDepth = 8;

/**
 * @param first expressions that give the object, and all references to the names that it is declared by
 * @param isEnough whether one of its names is all that is asked for
 */
export const namesOf = (ev: Evaluation, first: readonly Named[], isEnough?: (named: Named) => boolean): Names =>
  new Search(ev, first, lookedFrom(depthOf(first[0]?.at.frame) + maxDepth, isEnough !== undefined)).run(isEnough);

/** Syntax that does nothing with a value. */
const idle = /Statement$|^CaseClause$/;
const handing = /^(?:Throw|Return)Statement$/;

class Search extends FoundNames {
  readonly #ev: Evaluation;
  readonly #first: readonly Named[];
  readonly #looked: Looked;

  constructor(ev: Evaluation, first: readonly Named[], looked: Looked) {
    super(first, ev.budget);
    this.#ev = ev;
    this.#first = first;
    this.#looked = looked;
  }

  run(isEnough: (named: Named) => boolean = () => false): Names {
    for (const named of this.all) {
      if (isEnough(named)) break;
      this.#follow(named);
    }
    return this;
  }

  #follow(named: Named): void {
    const { node, at } = named;
    const { parent } = node;
    if (isPattern(node)) return this.#restOf(node, named);
    if (node.kind === 'object' && named.isCopy !== true) for (const self of selvesIn(node)) this.#other(self, named);
    switch (parent?.kind) {
      case 'variable':
        if (parent.init === node && parent.each === undefined)
          this.#bind(parent.target, at, named, named.isOwn && (isSecondName(parent, at.module) || isNameOfPart(parent, at.module)));
        break;
      case 'param':
      case 'patternProperty':
        if (parent.default === node) this.#bind(parent.target, at, named);
        break;
      case 'arrayPattern':
        for (const element of parent.elements) if (element?.default === node) this.#bind(element.target, at, named);
        break;
      case 'assign':
        return this.#assigned(parent, named);
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
        return this.#other(parent, named);
      case 'return':
        return this.#returned(functionAround(parent), named);
      case 'function':
        if (parent.body === node) this.#returned(parent, named);
        break;
      case 'call':
        if (parent.callee !== node) this.#given(parent, named);
        break;
      case 'spread':
        return this.#spread(parent, named);
      case 'property':
        if (parent.value === node && parent.parent !== undefined) this.#held(parent.parent, parent.name, named);
        break;
      case 'array':
        return this.#held(parent, undefined, named);
      case 'classMember':
        if (parent.value === node) this.#field(classAround(parent), parent.name, named);
        break;
      case 'member':
        if (parent.object === node) this.#asked(parent, named);
        break;
      case 'template':
        if (parent.parent?.kind === 'tagged') this.lose(named);
        break;
      case 'exportDeclaration':
        // What is exported by a name is found by that.
        if (node.kind !== 'name') this.#exported(named);
        break;
      case 'other':
        if (handing.test(parent.what) || !idle.test(parent.what)) this.lose(named);
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
    else if (isPattern(target)) this.add({ node: target, at, isOwn, isCopy });
    else this.#assignedTo(target, { node: target, at, isOwn: false, isCopy });
  }

  #references(binding: Binding, { at, isOwn, isCopy = false }: Named): void {
    for (const node of this.referencesNew(binding, { at, isCopy })) if (isUsed(node)) this.add({ node, at, isOwn, isCopy });
    for (const { binding: alias, module } of aliasesOf(this.#ev.world, binding))
      for (const node of alias.references) if (isUsed(node)) this.add({ node, at: { module, frame: undefined }, isOwn: false, isCopy });
  }

  /** `{ a, ...rest }` and `[a, ...rest]` of it: another with what it holds. */
  #restOf(pattern: Pattern, named: Named): void {
    for (const rest of restsOf(pattern)) this.#bind(rest, named.at, { ...named, isCopy: true });
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
    else this.lose(named);
  }

  /** `holder.options = …` */
  #store(target: MemberNode, named: Named): void {
    const { object, property } = target;
    const { at } = named;
    const root = object.kind === 'member' ? object.object : object;
    // What a file exports by a name is found by that.
    const isExport = root.kind === 'name' && /^(?:module|exports)$/.test(root.name) && at.module.scopes.bindingOf(root) === undefined;
    if (isExport && named.node.kind === 'name') return;
    if (isExport && commonJsName(target) === '*') return this.#exported(named);
    const binding = object.kind === 'name' ? at.module.scopes.bindingOf(object) : undefined;
    if (object.kind === 'this' && classAround(object) !== undefined) this.#field(classAround(object), property, named);
    else if (binding === undefined) this.lose(named);
    else
      this.#heldBy(
        binding.references.map((node) => ({ node, at, isOwn: false })),
        property,
        named,
      );
  }

  /** All that a file exports. */
  #exported(named: Named): void {
    const places = placesOfWhole(this.#ev.world, named.at.module);
    if (places === undefined) return this.lose(named);
    for (const { node, module } of places) if (isUsed(node)) this.#other(node, { ...named, at: { module, frame: undefined } });
  }

  /** A field of a class: `this.name` in it and its heirs, of one instance in the function that puts it there, and whatever has the name elsewhere. */
  #field(of: ClassNode | undefined, name: string | undefined, named: Named, by = functionAround(named.node)): void {
    const { module } = named.at;
    if (of === undefined || name === undefined) return this.lose(named);
    for (const { places } of placesOfField(of, module, name))
      for (const node of places) this.#other(node, functionAround(node) === by ? named : { ...named, at: { module, frame: undefined } });
    if (name.startsWith('#')) return;
    const reads = readsOfField(this.#ev.world, name, of);
    if (reads === undefined) this.lose(named);
    for (const read of reads ?? []) this.#read(read, named);
  }

  #read({ node, module }: Read, named: Named): void {
    const at: At = { module, frame: undefined };
    if (node.kind === 'patternProperty') this.#bind(node.target, at, named);
    else if (isUsed(node)) this.#other(node, { ...named, at });
  }

  /** An object or list that holds it. */
  #held(holder: Node, property: string | undefined, named: Named): void {
    this.#heldBy([{ node: holder, at: named.at, isOwn: false }], property, named);
  }

  /** @param property undefined where it may be any */
  #heldBy(holders: readonly Named[], property: string | undefined, { isCopy = false, at, node }: Named): void {
    const [first] = holders;
    if (first === undefined || !this.isNewIn(first.node, property, isCopy)) return;
    const holder = this.#lookInto(first, holders);
    if (holder === undefined) return;
    this.isCut ||= holder.isCut;
    if ((holder.lost ?? holder.lostWithin) !== undefined) this.lose({ node, at, isOwn: false, isCopy });
    this.#ev.budget.charge(holder.inner.length);
    for (const inner of holder.inner)
      if (property === undefined || inner.property === undefined || inner.property === property)
        for (const place of inner.places) this.add({ ...place, isOwn: false, isCopy });
  }

  #lookInto({ node, at: { frame } }: Named, holders: readonly Named[]): Holder | undefined {
    const looked = this.#looked;
    const whole = frame === undefined ? knownIn(this.#ev) : undefined;
    const before = whole?.get(node) ?? looked.holders.get(node);
    if (before?.isWhole === true) return before;
    if (before !== undefined || looked.holders.has(node)) {
      looked.circles++;
      return before;
    }
    looked.holders.set(node, undefined);
    const { circles } = looked;
    const { all, isCut, lost, lostWithin } = new Search(this.#ev, holders, looked).run();
    this.#ev.budget.charge(all.length);
    const holder: Holder = { inner: innerOfAll(this.#ev, all), isCut, lost, lostWithin, isWhole: looked.circles === circles };
    looked.holders.set(node, holder);
    if (holder.isWhole && !this.#ev.budget.isExhausted) whole?.set(node, holder);
    return holder;
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
    if (call?.kind === 'assign' && call.target === member && call.value.kind === 'function' && !call.value.isArrow) this.lose(named);
    if (call?.kind !== 'call' || call.callee !== member) return;
    const [fn] = call.args;
    const copy = { ...named, isCopy: true };
    if (property === 'catch' || property === 'finally') this.#other(call, named);
    else if (copyingMethods.has(property)) this.#other(call, copy);
    else if (foldingMethods.has(property) && (property === 'entries' || call.args.length > 0)) this.lose(copy);
    else if (fn !== undefined && (property === 'then' || perItem.has(property))) {
      const functions = fn.kind === 'spread' ? [] : functionsOf(this.#ev, fn, named.at);
      if (functions.length === 0 && !isTrusted(this.#ev, fn, named.at.module)) this.lose(property === 'then' ? named : copy);
      for (const { node, module } of property === 'then' ? functions : []) {
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
    const same = index === 0 ? givenBackBy(call, at.module) : undefined;
    if (same !== undefined) return this.#other(same, named);
    if (name === 'Object.assign') return this.#copied(call, named);
    if (copyingFunctions.has(name) && index === 0) return this.#other(call, { ...named, isCopy: true });
    if (name === 'Object.entries') return this.lose({ ...named, isCopy: true });
    if (index === 0 && lookingFunctions.test(name)) return;
    if (callee.kind === 'member' && addingMethods.has(callee.property ?? ''))
      return this.#heldBy(namedAs(this.#ev.world, callee.object, at), undefined, named);
    if (callee.kind === 'member' && takingIn.test(callee.property ?? '') && !isForeign(callee, at.module, this.#ev.world))
      return this.lose(named);
    if (depthOf(at.frame) >= this.#looked.maxDepth) this.isCut = true;
    else if (call.args.slice(0, index).some(({ kind }) => kind === 'spread')) this.#givenUnfollowed(call, named);
    else this.#givenTo(call, index, named);
  }

  #givenTo(call: CallNode, index: number, named: Named): void {
    const { at, isOwn } = named;
    // `fn.call(self, …)`
    const by = call.callee.kind === 'member' && call.callee.property === 'call' && index > 0 ? call.callee.object : undefined;
    const { functions, isKnown } = functionsCalled(this.#ev, by ?? call.callee, at, this.#looked.isOfAnyCall);
    if (!isKnown) this.lose(named);
    for (const { node: fn, module, frame } of functions) {
      const called = fn.kind === 'class' ? constructorOf(fn) : fn;
      const last = called?.params.at(-1);
      const param = called?.params[by === undefined ? index : index - 1] ?? (last?.isRest === true ? last : undefined);
      if (called === undefined ? fn.kind === 'class' && fn.superclass !== undefined : hasArguments(called)) this.lose(named);
      if (called === undefined || param === undefined || isCalling(at.frame, called)) continue;
      const inside: At = { module, frame: by ? undefined : calledIn(this.#ev, { node: call, at }, called, frame) };
      if (param.isRest)
        this.#heldBy(
          placesOf(param.target, inside).map((node) => ({ node, at: inside, isOwn: false })),
          undefined,
          named,
        );
      else this.#bind(param.target, inside, named, isOwn && by === undefined);
      if (param.isField && param.target.kind === 'patternName')
        this.#field(classAround(called), param.target.name, { ...named, at: inside }, called);
    }
  }

  #givenUnfollowed(call: CallNode, named: Named): void {
    const callees = calleesOf(this.#ev, call.callee, named.at);
    if (callees === undefined || callees.length > 0) this.lose(named);
  }

  /** `Object.assign(target, it)` */
  #copied(call: CallNode, named: Named): void {
    const copy = { ...named, isCopy: true };
    this.#other(call, copy);
    const [target] = call.args;
    if (target?.kind === 'name' || target?.kind === 'member') this.#assignedTo(target, copy);
    else if (target?.kind !== 'object') this.lose(copy);
  }

  /** What a function returns that did not make it: its calls. */
  #returned(fn: FunctionNode | undefined, named: Named): void {
    if (fn === undefined) return;
    const { module, frame } = named.at;
    const calls = frame?.owner === fn && frame.call !== undefined ? allOf(frame.call) : [];
    for (const call of calls) this.#other(call.node, { ...named, at: { module: call.module, frame: frame?.outer } });
    if (calls.length > 0 || this.#first.every((each) => isWithin(fn, originOf(each)))) return;
    const name = nameOf(fn);
    const binding = name === undefined ? undefined : module.scopes.declaredBy(name);
    if (binding === undefined) return this.#returnedBy(fn, named);
    for (const alias of [{ binding, module }, ...aliasesOf(this.#ev.world, binding)])
      for (const reference of alias.binding.references) this.#called(reference, alias.module, named);
  }

  /** What a method returns, or a function that is called where it stands or given to another. */
  #returnedBy(fn: FunctionNode, named: Named): void {
    const { parent } = fn;
    if (parent?.kind === 'call') return this.#returnedTo(parent, fn, named);
    const isMethod = parent?.kind === 'classMember' || parent?.kind === 'property';
    const isGetter = parent?.kind === 'classMember' ? parent.role === 'get' : parent?.kind === 'property' && parent.accessor === 'get';
    const reads = isMethod && parent.name !== undefined ? readsOf(this.#ev.world, parent.name) : undefined;
    if (reads === undefined) return this.lose(named);
    for (const read of reads) {
      const call = read.node.parent;
      if (isGetter) this.#read(read, named);
      else if (call?.kind === 'call' && call.callee === read.node)
        this.#other(call, { ...named, at: { module: read.module, frame: undefined } });
      else if (read.node.kind === 'patternProperty' || isUsed(read.node)) this.lose(named);
    }
  }

  #returnedTo(call: CallNode, fn: FunctionNode, named: Named): void {
    const { callee } = call;
    const method = callee.kind === 'member' ? (callee.property ?? '') : '';
    if (callee === fn || method === 'then' || isForeign(callee, named.at.module, this.#ev.world)) this.#other(call, named);
    else if (method === 'map' || method === 'flatMap') this.#held(call, undefined, named);
    else if (!perItem.has(method)) this.lose(named);
  }

  #called(reference: NameNode, module: SourceModule, named: Named): void {
    const { parent } = reference;
    if (parent?.kind === 'call' && parent.callee === reference) this.#other(parent, { ...named, at: { module, frame: undefined } });
    else if (parent?.kind !== 'export' && parent?.kind !== 'exportDeclaration') this.lose(named);
  }
}
