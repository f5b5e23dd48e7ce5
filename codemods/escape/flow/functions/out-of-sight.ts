/**
 * Where clients of the project's own, and functions that send the key, come to calls of which the evaluation does not know that they are theirs: out of a set,
 * a store, a provider, an emitter. What a call is given may come back as what it gives, at what it is called on or given along with, and at functions that it
 * is given. That is more than is so: it changes nothing, and counts only where such a call asks somebody else.
 */
import type { Place } from '../../../evaluate/budget.ts';
import { functionAround, nameOf } from '../../../evaluate/calls/callees.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { meantByAlias } from '../../../evaluate/names/aliases.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { optionsOf, type Value } from '../../../evaluate/values/values.ts';
import type { CallGraph } from '../../../requests/call-graph.ts';
import { walk } from '../../../syntax/link.ts';
import { type Binding, isPattern, namesIn } from '../../../syntax/scopes.ts';
import type { CallNode, ClassNode, FunctionNode, MemberNode, Node } from '../../../syntax/tree.ts';
import { argumentsIn, calledBy } from './arguments.ts';
import { calledOutOfSight } from './called-functions.ts';
import { catchersIn } from './catchers.ts';
import { isCopying } from '../holders/copying.ts';
import {
  asking,
  declared,
  type CallOutOfSight,
  type Has,
  heldBy,
  heldIn,
  isEach,
  isItem,
  isMadeBy,
  isOfLanguage,
  isOfPackage,
  isOpen,
  type Noted,
  type Reached,
  type Searched,
  takenOf,
} from '../holding.ts';
import { yieldsGiven } from './generators.ts';
import { namesGiven, nameWithin } from '../holders/object-parts.ts';
import { MetMembers } from '../holders/met-members.ts';
import { NamesPut } from '../holders/names-put.ts';
import { callsTo } from './package-calls.ts';
import { propertyReads } from '../property-reads.ts';
import { exportedNames, type Readers, readersIn } from '../readers.ts';
import { Seen } from '../seen.ts';
import { useOf } from '../uses.ts';

const known = new WeakMap<CallGraph, OutOfSight>();

/** Asked for by several, and by most for nothing, as nothing is edited. */
export function outOfSight(ev: Evaluation, found: CallGraph): OutOfSight {
  const before = known.get(found) ?? new OutOfSight(ev, found, readersIn(ev));
  known.set(found, before);
  return before;
}

class OutOfSight {
  readonly #ev: Evaluation;
  readonly #callers: CallGraph['callers'];
  readonly #readers: Readers;
  /** The names under which it is called of something: of a method its own, of a function those under which it is kept. */
  #names = new Set<string | undefined>();
  #isMethod = false;
  /** Whether it is a client of a library's: what a test does with that holds no program. */
  #isLibrarys = false;
  #isIt: (value: Value) => boolean = () => false;
  #waiting: Reached[] = [];
  #seen = new Seen();
  #calls = new Map<CallNode, Noted>();
  #copied = new Set<'whole' | 'spread'>();
  #put = new NamesPut(undefined);
  readonly #found = new Map<FunctionNode, readonly CallOutOfSight[]>();
  /** What the method stands in. */
  #object: Node | undefined;
  #met = new MetMembers();
  /** By what methods stand in. */
  readonly #ofAny = new Map<Node, { readonly calls: readonly CallOutOfSight[]; readonly met: MetMembers }>();

  constructor(ev: Evaluation, { callers }: CallGraph, readers: Readers) {
    this.#ev = ev;
    this.#callers = callers;
    this.#readers = readers;
  }

  /** @returns the calls that a function may get, though nothing says so */
  callsOf(fn: FunctionNode, module: SourceModule): readonly CallOutOfSight[] {
    const before = this.#found.get(fn) ?? this.#callsOf(fn, module);
    this.#found.set(fn, before);
    return before;
  }

  #callsOf(fn: FunctionNode, module: SourceModule): readonly CallOutOfSight[] {
    const of = fn.parent?.kind === 'property' || fn.parent?.kind === 'classMember' ? fn.parent : undefined;
    const begin = { module, has: 'itself', isGiven: false } as const;
    const names = of === undefined ? [undefined, 'value', nameOf(fn)?.name] : [undefined];
    const search = (isIt: (value: Value) => boolean, own: readonly string[]): readonly CallOutOfSight[] =>
      this.#search(isIt, { isMethod: of !== undefined, names: [...own, ...names], object: of?.parent }, () => {
        if (of?.kind === 'classMember') this.#visitClass(of.parent, begin);
        else this.#follow({ ...begin, node: of?.parent ?? fn });
      });
    if (of?.parent === undefined) return search(isMadeBy(fn), []);
    const any = this.#ofAny.get(of.parent) ?? { calls: search(() => false, []), met: this.#met };
    this.#ofAny.set(of.parent, any);
    return any.met.tellsOf(fn, of.name) ? search(isMadeBy(fn), of.name === undefined ? [] : [of.name]) : any.calls;
  }

  /** @returns the calls that may ask by a client which a call of a library makes, though nothing says so */
  callsOfClient(node: CallNode, module: SourceModule): readonly CallOutOfSight[] {
    const isOf = (value: Value): boolean =>
      value.type === 'method' && value.receiver.type === 'http' && value.receiver.origins.includes(node);
    return this.#search(isOf, { isMethod: true, names: asking, isTakenByName: true }, () =>
      this.#follow({ node, module, has: 'itself', isGiven: false }),
    );
  }

  /** @returns the calls that may make an instance of a class, though nothing says so */
  makingOf(node: ClassNode, module: SourceModule): readonly CallOutOfSight[] {
    const calls = this.#search(isMadeBy(node), { isMethod: false, names: [undefined, 'value', nameOf(node)?.name] }, () =>
      this.#follow({ node, module, has: 'itself', isGiven: false }),
    );
    return calls.filter(({ call }) => call.isNew);
  }

  /** @param names those under which it is called of something: of what is taken by a name that is not known, or comes out of an iterator, none */
  #search(
    isIt: (value: Value) => boolean,
    { isMethod, names, object, isTakenByName = false }: Searched,
    begin: () => void,
  ): readonly CallOutOfSight[] {
    [this.#waiting, this.#seen, this.#calls, this.#copied] = [[], new Seen(), new Map(), new Set()];
    [this.#isMethod, this.#isLibrarys, this.#names, this.#object, this.#isIt] = [isMethod, isTakenByName, new Set(names), object, isIt];
    [this.#put, this.#met] = [new NamesPut(isTakenByName ? names : undefined), new MetMembers()];
    begin();
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#step(next);
    // A method that is taken for itself, `get.call({ ...client })`, may be called on what has none.
    const isOfSpread = this.#isMethod && this.#copied.has('spread');
    const isOfCopy = (this.#isMethod && this.#copied.has('whole')) || (isOfSpread && this.#names.has(''));
    return [...this.#calls.values()].flatMap((each) =>
      each.name === undefined || this.#names.has(each.name) ? { ...each, isOfCopy, isOfSpread } : [],
    );
  }

  #follow(place: Reached): void {
    if (!(this.#isLibrarys && isTest(place.module)) && this.#seen.isFirst(place.node, place, place.under && `under ${place.under}`))
      this.#waiting.push(place);
  }

  /** Instances of a class, and of those that inherit from it: where they are made, and `this`. */
  #visitClass(node: Node | undefined, at: Omit<Reached, 'node' | 'has'>): void {
    if (node?.kind !== 'class') return;
    walk(node, (each) => {
      if (each.kind === 'this') this.#follow({ ...at, node: each, has: 'itself' });
      return true;
    });
    this.#follow({ ...at, node, has: 'class' });
  }

  #step({ under, ...place }: Reached): void {
    this.#ev.budget.count(1);
    const { node } = place;
    const { parent } = node;
    const use = declared(node) ?? useOf(node);
    if (isCopying(node, place.has === 'itself')) this.#copied.add(parent?.kind === 'spread' ? 'spread' : 'whole');
    if (place.has === 'class' && this.#isClassUsed(place)) return;
    switch (use.kind) {
      case 'on':
        if (use.as.kind === 'property') this.#put.put(use.as.name);
        if (use.as.kind === 'property' && !this.#isMethod) this.#names.add(use.as.name);
        return this.#follow({ ...place, node: use.as, has: heldBy(use.as, place.has), under: nameWithin(node, use.as) });
      case 'named':
        for (const name of use.names) this.#visitPattern(name, place);
        return;
      case 'field':
        this.#visitField(use.name, place);
        return this.#goOut(place);
      case 'exported':
        if (parent?.kind === 'assign' && parent.target.kind === 'member') this.#put.put(parent.target.property);
        for (const each of this.#readers.ofModule(place.module)) this.#follow({ ...place, ...each, has: heldIn(place.has) });
        for (const each of this.#readers.ofWhole(place)) this.#follow({ ...place, ...each });
        return;
      case 'written':
        if (parent?.kind === 'assign') this.#write(place, parent.target);
        return;
      case 'member':
        return parent?.kind === 'member' ? this.#member(place, parent) : undefined;
      case 'callee':
        return parent?.kind === 'call' ? this.#called(place, parent) : undefined;
      case 'argument':
        return this.#argument(place, parent?.kind === 'spread' ? parent : node, under);
      case 'thrown':
        return this.#thrown(place);
      case 'use':
        return this.#used(place);
      default:
    }
  }

  /** An assignment has what it assigns: `return (this.made ??= make())`. */
  readonly #goOut = ({ node: { parent }, ...place }: Reached): void =>
    parent?.kind === 'assign' ? this.#follow({ ...place, node: parent }) : undefined;

  /** Where an instance is made of a class, or another inherits from it. */
  #isClassUsed({ node, module, isGiven }: Reached): boolean {
    const { parent } = node;
    if (parent?.kind === 'class' && parent.superclass === node) this.#visitClass(parent, { module, isGiven });
    else if (parent?.kind === 'call' && parent.callee === node) this.#follow({ node: parent, module, isGiven, has: 'itself' });
    else return false;
    return true;
  }

  /** Whoever takes a part of something has it, or the whole. */
  #visitPattern(name: Node, place: Reached): void {
    if (name.kind !== 'patternName') return;
    const isPart = name.parent?.kind === 'patternProperty' || name.parent?.kind === 'arrayPattern' || isEach(name.parent);
    const binding = place.module.scopes.declaredBy(name);
    if (binding === undefined) return;
    const taken = name.parent?.kind === 'patternProperty' ? name.parent.name : undefined;
    this.#put.take(taken, () => this.#visit(binding, { ...place, has: isPart ? takenOf(place.has) : place.has }));
  }

  #visit(binding: Binding, place: Reached): void {
    if (!this.#seen.isFirst(binding, place)) return;
    for (const name of exportedNames(binding, place.module)) this.#put.put(name);
    // Who takes the whole file has it within that.
    for (const each of this.#readers.of(binding, place.module))
      this.#follow({ ...place, ...each, has: each.node.kind === 'call' ? heldIn(place.has) : place.has });
  }

  #visitField(name: string | undefined, place: Reached): void {
    this.#put.put(name);
    if (!this.#seen.isFirst(`field ${name}`, place)) return;
    for (const { node, module } of propertyReads(this.#ev).get(name ?? '') ?? []) {
      if (node.kind === 'patternName') this.#visitPattern(node, { ...place, module });
      else this.#follow({ ...place, node, module });
    }
  }

  #write(place: Reached, target: Node): void {
    // `[first, second] = both`
    if (isPattern(target))
      return walk(target, (each) => {
        if (each.kind === 'name' || each.kind === 'member') this.#write({ ...place, has: takenOf(place.has) }, each);
        return each.kind !== 'member';
      });
    const binding = target.kind === 'name' ? place.module.scopes.bindingOf(target) : undefined;
    if (binding !== undefined) return this.#visit(binding, place);
    if (target.kind !== 'member') return;
    this.#visitField(target.property, place);
    // `copy[name] = client[name]`: the methods of a client, one by one.
    const isCopied = this.#isMethod && target.property === undefined;
    if (isCopied) this.#copied.add('whole');
    this.#fill(target, place, isCopied ? 'either' : 'within');
  }

  /** Whatever is put into something is had by all who name that. */
  #fill(target: Node, place: Reached, has: Has = 'within'): void {
    if (!this.#seen.isFirst(target, place, `filled ${has}`)) return;
    let root = target;
    while (root.kind === 'member' || root.kind === 'call') {
      if (root.kind === 'member' && root.object.kind === 'this') return this.#visitField(root.property, place);
      root = root.kind === 'member' ? root.object : root.callee;
    }
    const binding = root.kind === 'name' ? place.module.scopes.bindingOf(root) : undefined;
    if (binding === undefined) return;
    const meant = meantByAlias(this.#ev.world, binding) ?? { binding, module: place.module };
    this.#visit(meant.binding, { ...place, module: meant.module, has });
    const { owner } = binding;
    const fn = owner.kind === 'param' ? owner.parent : undefined;
    if (owner.kind !== 'param' || fn?.kind !== 'function' || !this.#seen.isFirst(owner, { ...place, has: 'within' }, 'filled by callers'))
      return;
    // Whoever calls the function has it, too.
    for (const { node, module } of this.#callers.get(fn) ?? []) {
      const given = node.args[fn.params.indexOf(owner)];
      if (given !== undefined) this.#fill(given, { ...place, module });
    }
  }

  #member(place: Reached, member: MemberNode): void {
    const { parent } = member;
    const call = parent?.kind === 'call' && parent.callee === member ? parent : undefined;
    const called = call === undefined ? undefined : this.#valuesOf({ node: member, module: place.module });
    this.#met.add(place.has, member, called);
    // What it asked for is no client any more.
    if (call !== undefined && called?.some(this.#isIt) === true) {
      const on = place.has === 'either' ? this.#valuesOf({ node: member.object, module: place.module }) : [];
      if (on.some((value) => value.type === 'object' && value.node !== this.#object)) this.#keep(place, call, member.property);
      return;
    }
    const isOfName = this.#isMethod && this.#names.has(member.property);
    if (call !== undefined && (!this.#isMethod || (isOfName && place.has !== 'within')))
      this.#note(place, call, this.#isMethod ? member.object : member, member.property);
    // `Client.prototype.get.call(other, path)`
    const isCalledOn = call !== undefined && this.#isMethod && /^(?:call|apply)$/.test(member.property ?? '');
    if (isCalledOn) this.#note(place, call, member.object, '');
    // `kept.add(client.get)`: from there on it is called by itself.
    if (call === undefined && isOfName && !isItem(member) && place.has !== 'within') this.#names.add('');
    // What other methods of the client itself give, is known.
    if (place.has === 'itself' && (call !== undefined || !isOfName)) return;
    const isGiven = place.isGiven || (call !== undefined && !isOfLanguage(this.#ev, call, place.module));
    const taken = { ...place, isGiven, has: 'either' } as const;
    if (call === undefined) return this.#put.take(member.property, () => this.#follow({ ...taken, node: member }));
    this.#follow({ ...taken, node: call });
    for (const arg of call.args) this.#giveTo(arg, taken);
  }

  #called(place: Reached, call: CallNode): void {
    this.#note(place, call, call.callee, this.#isMethod ? '' : undefined);
    if (place.has !== 'itself') this.#follow({ ...place, node: call, has: 'either' });
  }

  #argument(place: Reached, arg: Node, under: string | undefined): void {
    const call = arg.parent;
    if (call?.kind !== 'call') return;
    const callees = this.#valuesOf({ node: calledBy(call), module: place.module });
    const own = callees.filter((callee) => callee.type === 'function' || callee.type === 'class');
    for (const { node, module } of own) {
      const fn = node.kind === 'function' ? node : node.members.find(({ role }) => role === 'constructor')?.value;
      if (fn?.kind !== 'function') continue;
      for (const name of namesGiven(fn, arg, under)) this.#visitPattern(name, { ...place, module });
      for (const each of argumentsIn(fn)) this.#follow({ ...place, node: each, module, has: heldIn(place.has) });
    }
    if (callees.some(isOpen)) this.#giveOutOfSight(place, call, arg);
    if (own.length > 0 && own.length === callees.length) return;
    this.#put.put(undefined);
    const isGiven = place.isGiven || callees.some(isOfPackage) || !isOfLanguage(this.#ev, call, place.module);
    const held = { ...place, isGiven, has: heldIn(place.has) };
    this.#follow({ ...held, node: call, has: call.isNew && !isCopying(arg) ? held.has : 'either' });
    if (call.callee.kind === 'member') this.#fill(call.callee.object, held);
    for (const each of yieldsGiven(this.#ev, call, place)) this.#follow({ ...place, ...each });
    // A function has no name of its own, by which one that comes back would be known for it.
    for (const callee of this.#isMethod ? callees : []) if (isOfPackage(callee)) this.#giveBack(callee.source, held);
    for (const other of call.args) {
      if (other === arg) continue;
      this.#giveTo(other, { ...held, has: 'either' });
      this.#fill(other, held);
    }
  }

  #giveOutOfSight(place: Reached, call: CallNode, arg: Node): void {
    const called = calledOutOfSight(this.#ev, this.#callers, { node: calledBy(call), module: place.module });
    // Where nothing says which it is, they are the same for all calls.
    if (!this.#seen.isFirst(called, place, `${arg.kind === 'spread'} ${call.args.findIndex((each) => each === arg)}`)) return;
    for (const { node, module } of called) for (const name of namesGiven(node, arg)) this.#visitPattern(name, { ...place, module });
  }

  /** What a package was given, any of its functions may give back. */
  #giveBack(source: string, place: Reached): void {
    if (!this.#seen.isFirst(`package ${source}`, place)) return;
    for (const { node, module } of callsTo(this.#ev)(source)) this.#follow({ ...place, node, module, has: 'either' });
  }

  /** A function that is given to what has something may be called with it. */
  #giveTo(arg: Node, place: Reached): void {
    if (!this.#seen.isFirst(arg, place, 'given')) return;
    for (const value of this.#valuesOf({ node: arg, module: place.module }))
      if (value.type === 'function')
        for (const { target } of value.node.params)
          for (const name of namesIn(target)) this.#visitPattern(name, { ...place, module: value.module });
  }

  /** Whoever catches anything may have caught it. */
  #thrown(place: Reached): void {
    const { names, handlers } = catchersIn(this.#ev);
    for (const { node, module } of names) this.#visitPattern(node, { ...place, module, has: 'either' });
    for (const { node, module } of handlers) this.#giveTo(node, { ...place, module, has: 'either' });
  }

  /** `<Context.Provider value={client}>`, and what a generator gives to those who run it. */
  #used(place: Reached): void {
    const { parent } = place.node;
    const fn = parent?.kind === 'other' && parent.what === 'YieldExpression' ? functionAround(parent) : undefined;
    if (fn !== undefined) return this.#follow({ ...place, node: fn, has: heldIn(place.has) });
    // What a tag makes of a template, and of what stands in it.
    if (parent?.kind === 'tagged') this.#follow({ ...place, node: parent, has: 'either' });
    let at: Node | undefined = parent;
    while (at?.kind === 'other' && !/^Jsx\w*Element$/.test(at.what)) at = at.parent;
    const [tag] = at?.kind === 'other' ? at.children : [];
    if (tag === undefined) return;
    this.#fill(tag, { ...place, has: heldIn(place.has), isGiven: true });
  }

  /** A call whose callee, or what it is called on, is not known; or is a function that has it, of which nobody knows whether it or what it gives is meant. */
  #note({ module, isGiven, has }: Reached, call: CallNode, of: Node, name: string | undefined): void {
    const isHolding = (value: Value): boolean => has === 'either' && value.type === 'function' && this.#seen.holds(value.node);
    const isOpenAt = (node: Node): boolean => this.#valuesOf({ node, module }).some((value) => isOpen(value) || isHolding(value));
    if (isOpenAt(of) || (this.#copied.size > 0 && isOpenAt(call.callee))) this.#keep({ module, isGiven }, call, name);
  }

  #keep({ module, isGiven }: Pick<Reached, 'module' | 'isGiven'>, call: CallNode, name: string | undefined): void {
    const before = this.#calls.get(call);
    // What is called by the name of the method may be known as a function, too.
    const own = name === '' && before !== undefined ? before.name : name;
    this.#calls.set(call, { call, module, isGiven: isGiven && before?.isGiven !== false, name: own });
  }

  #valuesOf({ node, module }: Place): readonly Value[] {
    return optionsOf(this.#ev.evaluate(node, { module, frame: undefined }));
  }
}
