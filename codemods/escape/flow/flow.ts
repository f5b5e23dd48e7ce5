/** Follows edited literals through the bindings that they go through, to all that has them. */
import { lastName } from '../../clients/names.ts';
import { combined } from '../../evaluate/libraries/combined.ts';
import { settledBy } from '../../evaluate/calls/promise-executors.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { takersOf } from '../../evaluate/writes/takers.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { FunctionNode, MemberNode, Node, PatternName } from '../../syntax/tree.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { calledBy, filledBy, takesArguments, paramsFor } from './functions/arguments.ts';
import { isHarmlessUse, waysAside } from './aside.ts';
import { copyOf, isListing, isPassing } from './harmless-calls.ts';
import { hidesPaths } from '../headers/hiding/hiding.ts';
import { isReadByName, readAt } from './property-reads.ts';
import { isExpected, isHarmlessComparison, isHarmlessGift, isHarmlessMember, asksOurs, isPutBack, isStub } from './harmless-uses.ts';
import { isYielded, yieldsGiven } from './functions/generators.ts';
import { isGivenToEach, isGoneThrough, givingEach } from './functions/each-item.ts';
import type { DataflowQuery } from './dataflow-query.ts';
import { givesBack, isAnotherForm, isCause, oncePerLine, readsOf } from './functions/lost-values.ts';
import type { Propagation } from './propagation.ts';
import { isExported, type Readers } from './readers.ts';
import type { Place } from '../../evaluate/budget.ts';
import type { EscapedPlace } from './escaped-place.ts';
import { readsOfAnswers, readsOfCaught } from './addresses/reads-elsewhere.ts';
import { handedOn, namesGivenBy, prefixGiven, receiversOf } from './functions/run-functions.ts';
import { givenToSetters, isMadeUrl, isReadAgain } from './functions/setters.ts';
import type { EscapeWay } from '../../model.ts';
import { type Change, isNameChange } from '../../verdict/changes/spans.ts';
import { addressesGiven } from './addresses/sentences.ts';
import { Worklist } from './worklist.ts';
import { isOfName, isCommonJs, namesOf, takesHeader, type Use, useOf } from './uses.ts';

export class Flow {
  readonly #query: DataflowQuery;
  readonly #readers: Readers;
  readonly #work: Worklist;
  readonly #escaped: EscapedPlace[] = [];
  /** What may have left where nobody knows what it is. */
  readonly #lost: EscapedPlace[] = [];
  /** Exported values that no file of the component imports. */
  readonly #exported: { readonly flow: Propagation; readonly places: readonly Place[] }[] = [];

  constructor(query: DataflowQuery, readers: Readers) {
    this.#query = query;
    this.#readers = readers;
    this.#work = new Worklist(query.ev, readers);
  }

  /** Follows an edited literal from where it stands: that is on the way to a request. */
  begin(node: Node, change: Change): void {
    const { module } = change;
    if (!this.#work.begin(node) || !isScript(module)) return;
    this.#propagate({ from: { node, module }, module, node, carried: [change], isCovered: true, isMade: false, isLost: false });
  }

  /** Follows whatever else has what is edited. */
  readonly follow = (place: Place): void => this.#work.follow(place);

  /** @returns the places where it leaves what is followed */
  end(): readonly EscapedPlace[] {
    for (let next = this.#work.next(); next !== undefined; next = this.#work.next()) {
      const { given, ...from } = next.place;
      this.#followLost(from, given);
      if (!next.isNew) continue;
      const before = this.#query.cut.length;
      const carried = this.#query.carried(from);
      if (this.#query.cut.length > before) this.#escapeCut(from, this.#query.mayCarry(from));
      if (carried.length > 0) this.#propagate({ from, ...from, carried, isCovered: false, isMade: false, isLost: false });
    }
    for (const { flow, places } of this.#exported) {
      const read = new Set(places.flatMap((place) => readAt(this.#query, place)));
      const isUnread = (change: Change): boolean => !read.has(change);
      this.#escape(flow, flow.carried.filter(isUnread), 'exported');
    }
    return [...this.#escaped, ...oncePerLine(this.#lost)];
  }

  /** Goes on with what a place was given where the evaluation does not know what that is. */
  #followLost(from: Place, given: readonly Change[]): void {
    // What a function gives back is asked where it is called.
    const isCalled = from.node.parent?.kind === 'call' && from.node.parent.callee === from.node;
    if (given.length === 0 || !(isCalled || this.#query.isLost(from))) return;
    const known = new Set(this.#query.carried(from));
    const isFresh = (change: Change): boolean => !known.has(change);
    this.#give([from], given.filter(isFresh), true);
  }

  #escape({ from, isCovered, isLost, node, module }: Propagation, carried: readonly Change[], way: EscapeWay): void {
    const leaving = isCovered ? [] : way === 'given' ? addressesGiven(this.#query, from, carried) : carried;
    (isLost ? this.#lost : this.#escaped).push(...leaving.map((change) => ({ ...from, change, way, out: { node, module } })));
  }

  /** What a client of somebody else's sends goes there whoever calls it, in files that were not read as well. */
  #escapeStrangers(place: Place, carried: readonly Change[]): void {
    const stranger = this.#query.strangerAt(place);
    const sent = stranger === undefined ? [] : carried.filter(isNameChange);
    this.#escaped.push(...sent.map((change) => ({ ...place, change, ...stranger })));
  }

  /** What was not followed to its end may be used by anything. */
  #escapeCut(from: Place, carried: readonly Change[]): void {
    const about = { ...from, expensive: this.#query.cut.at(-1) ?? from };
    this.#escaped.push(...this.#query.unsealed(from, carried).map((change) => ({ ...about, change })));
  }

  #propagate(flow: Propagation): void {
    const before = this.#query.cut.length;
    const { carried } = flow;
    this.#propagateOut(flow);
    if (this.#query.cut.length > before) this.#escapeCut(flow.from, [...new Set([...carried, ...flow.carried])]);
  }

  #propagateOut(flow: Propagation): void {
    for (let isGoing = true; isGoing;) {
      flow.isCovered ||= this.#query.isCovered(flow, flow.carried, flow.isLost);
      const { parent } = flow.node;
      // Whatever else makes or expects a request has been understood.
      isGoing =
        !(parent !== undefined && parent.kind !== 'call' && this.#query.isOurs(parent) === true) && this.#step(flow, useOf(flow.node));
    }
  }

  /** @returns whether it goes on, with what has it now */
  #step(flow: Propagation, use: Use): boolean {
    if (this.#provide(flow)) return this.#goOut(flow);
    for (const way of waysAside(this.#query, flow)) this.#escape({ ...flow, isCovered: false }, flow.carried, way);
    switch (use.kind) {
      case 'on':
        // A table in a table is made for somebody, too.
        flow.isMade ||= flow.node.kind === 'object' || ['concat', 'template', 'function'].includes(use.as.kind);
        flow.node = use.as;
        // What a module keeps, others take: `export function take() { return kept; }`.
        if (use.as.kind === 'function' && use.as.name !== undefined && this.#query.isKept(flow)) this.#named(flow, [use.as.name]);
        return true;
      case 'member':
        return this.#member(flow);
      case 'callee':
        return this.#called(flow);
      case 'argument':
        return this.#argument(flow);
      case 'use':
        if (this.#giveRows(flow)) return false;
        // A tag may make a text of its template.
        if ((isYielded(flow.node) || flow.node.parent?.kind === 'tagged') && this.#goOn(flow, flow.node.parent)) return true;
        if (!isHarmlessUse(this.#query, flow)) this.#escape(flow, flow.carried, 'used');
        return false;
      case 'compared':
        if (!isHarmlessComparison(this.#query, flow)) this.#escape(flow, flow.carried, 'compared');
        return false;
      case 'thrown': {
        // Whoever catches it has the headers in it; of a text that is said nothing is left, and what an error of the program keeps is asked for by its names.
        const thrown = this.#query.values(flow);
        if (thrown.every(({ type }) => type !== 'instance')) this.#escape(flow, flow.carried.filter(isNameChange), 'given');
        for (const { place, carried } of readsOfCaught(this.#query, thrown)) this.#give([place], carried, true);
        return false;
      }
      case 'keys': {
        const copy = copyOf(this.#query, flow.node, flow);
        if (copy === undefined) this.#escape(flow, flow.carried.filter(isOfName), 'listed');
        else this.#writeTo(flow, copy, '');
        return false;
      }
      case 'named':
        this.#named(flow, use.names);
        return false;
      case 'field':
        if (use.name !== undefined) this.#work.visitField(use.name);
        this.#work.visitClass(flow);
        return this.#goOut(flow);
      case 'exported':
        this.#export(flow, this.#readers.ofModule(flow.module));
        this.#work.visit(flow.module, [...this.#readers.ofModule(flow.module), ...this.#readers.ofItself(flow.module)]);
        for (const place of this.#readers.loading(flow.module)) this.#work.follow(place, flow.carried);
        return this.#goOut(flow);
      case 'written':
        this.#write(flow);
        return this.#goOut(flow);
      default:
        return false;
    }
  }

  /** What is put under a name goes to all who ask for it by that. @returns whether it is */
  #provide(flow: Propagation): boolean {
    const takers = takersOf(this.#query.ev, flow.node);
    if (takers === undefined) return false;
    for (const { node, module } of takers.places) {
      if (node.kind === 'patternName') this.#work.visitName(node, module);
      else if (node.kind === 'param') this.#giveParams(flow, [node], module);
      else this.follow({ node, module });
    }
    if (takers.isOpen && !this.#query.hasClientsOnly(flow)) this.#escape({ ...flow, isCovered: false }, flow.carried, 'kept');
    return true;
  }

  /** An assignment has the value that it assigns. */
  #goOut(flow: Propagation): boolean {
    const { parent } = flow.node;
    if (parent?.kind !== 'assign') return false;
    flow.node = parent;
    return true;
  }

  /** Goes on with what stands around it, where that still has it, or may have it as nobody knows what it is. */
  #goOn(flow: Propagation, around: Node | undefined, mayHave = false): boolean {
    if (around === undefined) return false;
    const place = { node: around, module: flow.module };
    const carried = this.#query.carried(place);
    if (carried.length === 0) {
      if (!mayHave || !this.#query.isAllLost(place)) return false;
      flow.node = around;
      flow.isLost = true;
      return true;
    }
    this.#escapeStrangers(place, carried);
    flow.node = around;
    flow.carried = carried;
    return true;
  }

  /** What a call of it gives; of an object that is made there, each part says itself what it has. */
  #called(flow: Propagation): boolean {
    const { parent } = flow.node;
    const isKnown =
      parent !== undefined && this.#query.values({ node: parent, module: flow.module }).every(({ type }) => type === 'object');
    return !(flow.isLost && isKnown) && this.#goOn(flow, parent, true);
  }

  #member(flow: Propagation): boolean {
    const { parent: member } = flow.node;
    if (member?.kind !== 'member') return false;
    const { parent } = member;
    if (parent?.kind === 'assign' && parent.target === member) return false;
    if (isExpected(this.#query, flow, member)) return false;
    if (isGoneThrough(this.#query, flow, member)) this.#escape(flow, flow.carried.filter(isNameChange), 'listed');
    // `promise.then(register)`: a client's rule may say that it is the client again, but the function got it.
    if (member.property === 'then' && parent?.kind === 'call' && !this.#giveItems(flow, member)) this.#escape(flow, flow.carried, 'given');
    const isCalled = parent?.kind === 'call' && parent.callee === member;
    if (this.#goOn(flow, member, flow.isLost && !isCalled)) return true;
    const isHarmless = isHarmlessMember(this.#query, flow, member);
    if (isCalled && this.#goOn(flow, parent, isHarmless && givesBack(parent) && !isReadByName(this.#query, flow, parent))) return true;
    if (this.#giveItems(flow, member)) return false;
    if (isGivenToEach(member)) this.#escape(flow, flow.carried, 'given');
    else if (!isHarmless)
      this.#escape(flow, member.property === undefined ? flow.carried : this.#query.unsealed(flow, flow.carried), 'read');
    return false;
  }

  #argument(flow: Propagation): boolean {
    const { node, module } = flow;
    const arg = node.parent?.kind === 'spread' ? node.parent : node;
    const call = arg.parent;
    if (call?.kind !== 'call') return false;
    const callees = this.#query.values({ node: calledBy(call), module });
    const own = callees.filter((callee) => callee.type === 'function' || callee.type === 'class');
    for (const callee of own) if (!hidesPaths(call, callee, flow.carried)) this.#giveTo(flow, callee, arg);
    const copy = isListing(call) ? copyOf(this.#query, call, flow) : undefined;
    if (copy !== undefined) this.#writeTo(flow, copy, '');
    for (const place of yieldsGiven(this.#query.ev, call, flow)) this.#work.follow(place, flow.carried);
    if (copy !== undefined || this.#hand(flow, callees)) return false;
    if (this.#goOn(flow, settledBy(call, module))) return true;
    const into = filledBy(call, arg);
    if (into !== undefined) this.#writeTo(flow, into, '');
    if (call.args[0]?.kind === 'this' && arg.kind === 'object') for (const name of namesOf(arg)) this.#work.visitField(name);
    if (this.#goOn(flow, call)) return true;
    if (own.length > 0) return false;
    if (isListing(call) || (isPassing(call) && arg.kind === 'function') || (flow.isLost && isAnotherForm(call))) {
      flow.node = call;
      return true;
    }
    const given = { ...flow, node: arg };
    // What a library only runs or plugs in gets it, and not the library.
    const { receivers, others } = receiversOf(this.#query, given, call, callees);
    for (const each of receivers) this.#giveParams(flow, each.params, each.module);
    const isHarmless = asksOurs(this.#query, call) ?? (others === undefined || isHarmlessGift(this.#query, given, call, others));
    if (isHarmless && isCause(call, arg)) this.#escape(flow, flow.carried.filter(isNameChange), 'given');
    if (isHarmless) this.#escape({ ...flow, isCovered: false }, prefixGiven(this.#query, call, given), 'given');
    else this.#escape(flow, flow.carried, 'given');
    return false;
  }

  /** Rows of a test in a template go to the function that is run with them. @returns whether they do */
  #giveRows(flow: Propagation): boolean {
    const receivers = flow.node.parent?.kind === 'tagged' ? handedOn(this.#query, flow) : undefined;
    for (const each of receivers ?? []) this.#giveParams(flow, each.params, each.module);
    return receivers !== undefined;
  }

  /** Goes on where the same comes out of another function, `useRuntimeConfig()` of what `defineNuxtConfig` is given, or of the file. */
  #hand(flow: Propagation, callees: readonly Value[]): boolean {
    const { rules, world } = this.#query.ev;
    const names = new Set(callees.flatMap((each) => (each.type === 'external' ? combined(rules).handedBy(each) : [])));
    if (names.size === 0) return false;
    for (const name of names) this.#work.visitField(name);
    for (const module of world.modules.values())
      for (const node of module.calls.filter(({ callee }) => names.has(lastName(callee)))) {
        this.follow({ node, module });
        for (const each of namesGivenBy(this.#query, { node, module })) this.#work.visitName(each.name, each.module);
      }
    this.#work.visit(flow.module, this.#readers.ofModule(flow.module));
    return true;
  }

  /** Follows an argument into what is called, where that is the project's own. */
  #giveTo(flow: Propagation, { node, module }: Extract<Value, { type: 'function' | 'class' }>, arg: Node): void {
    const fn = node.kind === 'function' ? node : node.members.find(({ role }) => role === 'constructor')?.value;
    if (fn?.kind !== 'function') return;
    if (takesArguments(fn)) this.#escape(flow, flow.carried, 'given');
    this.#giveParams(flow, paramsFor(fn, arg), module);
  }

  /** `paths.map((path) => …)`: each item goes to the function. */
  #giveItems(flow: Propagation, { property, parent }: MemberNode): boolean {
    const [each] = parent?.kind === 'call' ? parent.args : [];
    if (each === undefined || !givingEach.has(property ?? '')) return false;
    const fns = this.#query.values({ node: each, module: flow.module });
    for (const fn of fns) if (fn.type === 'function') this.#giveParams(flow, fn.node.params.slice(0, 1), fn.module);
    return fns.every(({ type }) => type === 'function');
  }

  #giveParams(flow: Propagation, params: FunctionNode['params'], module: SourceModule): void {
    for (const { target, isField } of params) {
      if (takesHeader(target)) this.#escape(flow, flow.carried, 'read');
      for (const name of namesIn(target)) {
        this.#work.visitName(name, module, this.#partOf(flow, target));
        if (isField) this.#work.visitField(name.name);
      }
    }
  }

  /** What the names of a pattern are given: of what is known, each part says itself what it has. */
  #partOf(flow: Propagation, target: Node): readonly Change[] {
    const isEach = target.parent?.kind === 'variable' && target.parent.each !== undefined;
    // Who goes through names and values of headers is told of these.
    if (!flow.isLost && flow.node.kind === 'call' && isListing(flow.node)) return [];
    return target.kind === 'patternName' || isEach || flow.isLost || this.#query.isLost(flow) ? flow.carried : [];
  }

  #named(flow: Propagation, names: readonly PatternName[]): void {
    const { module } = flow;
    const { parent } = flow.node;
    const target = parent !== undefined && 'target' in parent ? parent.target : undefined;
    const given = target === undefined ? flow.carried : this.#partOf(flow, target);
    for (const name of names) {
      const binding = module.scopes.declaredBy(name);
      if (binding !== undefined && isExported(binding, module)) this.#export(flow, this.#readers.of(binding, module));
      this.#work.visitName(name, module, given);
    }
  }

  /** What is made of an edited constant for others, and these are not among the files: a test that looks at it says nothing of who else does. */
  #export(flow: Propagation, places: readonly Place[]): void {
    const isObject = flow.node.kind === 'object' && !isCommonJs(flow.node, flow.module, this.#query.isLoaded && places.length === 0);
    // A library's own client is for others by its nature, and moves with the calls that are seen.
    if (!flow.isCovered && (isObject || flow.isMade) && !this.#query.hasClientsOnly(flow))
      this.#exported.push({ flow: { ...flow }, places: places.filter(({ module }) => !isTest(module) || isTest(flow.module)) });
  }

  /** `name = value`, or `object.name = value`. */
  #write(flow: Propagation): void {
    const target = flow.node.parent?.kind === 'assign' ? flow.node.parent.target : undefined;
    if (target !== undefined) this.#writeTo(flow, target, target.kind === 'member' ? target.property : undefined);
  }

  /** What is put into objects of the project can be followed, into others not. */
  #writeTo(flow: Propagation, target: Node, property?: string): void {
    const { module } = flow;
    let root = target;
    while (root.kind === 'member') root = root.object;
    const binding = root.kind === 'name' ? module.scopes.bindingOf(root) : undefined;
    if (binding === undefined) return isStub(this.#query, flow, target) ? undefined : this.#escape(flow, flow.carried, 'kept');
    const isUrl = property !== undefined && isMadeUrl(binding, module);
    if (property !== undefined || target.kind === 'member') {
      const owners = isUrl ? [] : optionsOf(this.#query.ev.evaluate(root, { module, frame: undefined }));
      if (isPutBack(this.#query, flow, root)) return;
      if (owners.some(({ type }) => type === 'http')) {
        this.#escapeStrangers({ node: root, module }, flow.carried);
        return this.#give(readsOfAnswers(this.#query.ev, property), flow.carried, true);
      }
      if (!owners.every(isReadAgain)) return isStub(this.#query, flow, target) ? undefined : this.#escape(flow, flow.carried, 'kept');
      if (property !== undefined) {
        this.#work.visitField(property);
        for (const owner of owners) this.#give(givenToSetters(this.#query.ev, owner, property), flow.carried, false);
      }
    }
    const places = this.#readers.of(binding, module);
    // A path that is put into a URL is a part of all that it says.
    if (target.kind === 'name' || isUrl) return this.#work.visit(binding, places, flow.carried);
    this.#work.visit(binding, places);
    for (const place of readsOf(places, property)) this.#work.follow(place, flow.carried);
  }

  #give(places: readonly Place[], carried: readonly Change[], isLost: boolean): void {
    for (const place of places) {
      const fresh = this.#work.give(place.node, carried);
      if (fresh.length > 0) this.#propagate({ from: place, ...place, carried: fresh, isCovered: false, isMade: false, isLost });
    }
  }
}
