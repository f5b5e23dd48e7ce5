/** Follows edited literals through the bindings that they go through, to all that has them. */
import { combined } from '../evaluate/combined.ts';
import { optionsOf, type Value } from '../evaluate/values.ts';
import { type Binding, namesIn } from '../syntax/scopes.ts';
import { walk } from '../syntax/link.ts';
import type { CallNode, ClassNode, FunctionNode, MemberNode, Node, ObjectNode, PatternName } from '../syntax/tree.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import { isListing, isPassing } from './harmless-calls.ts';
import { type Field, fieldsOf } from './fields.ts';
import { isHarmlessComparison, isHarmlessGift, isHarmlessMember } from './harmless-uses.ts';
import type { Look } from './dataflow-query.ts';
import { isExported, type Place, type Readers } from './readers.ts';
import { givenToSetters } from './setters.ts';
import type { Change } from '../verdict/spans.ts';
import { isExports, isGivenByContext, takesHeader, type Use, useOf } from './uses.ts';

/** A place where somebody else has what is edited. */
export interface Leak extends Place {
  readonly change: Change;
  /** Where most was spent, if it was too much to find out who has it. */
  readonly expensive?: Place;
}

/** A value on its way out of an expression. */
interface Climb {
  /** Where it was named. */
  readonly from: Place;
  readonly module: SourceModule;
  /** What has it now. */
  node: Node;
  carried: readonly Change[];
  /** Whether it leads to a request. */
  isCovered: boolean;
  /** Whether it was made to something else than it was named as. */
  isMade: boolean;
}

export class Flow {
  readonly #look: Look;
  readonly #readers: Readers;
  readonly #waiting: Place[] = [];
  readonly #seen = new Set<Node | string | SourceModule | Binding>();
  readonly #leaks: Leak[] = [];
  /** What setters were given. */
  readonly #set = new Map<Node, readonly Change[]>();
  /** What is made for others, if nobody in these files takes it. */
  readonly #exported: { readonly climb: Climb; readonly places: readonly Place[] }[] = [];
  #fields: ReadonlyMap<string, readonly Field[]> | undefined;

  constructor(look: Look, readers: Readers) {
    this.#look = look;
    this.#readers = readers;
  }

  /** Follows an edited literal from where it stands: that is on the way to a request. */
  begin(node: Node, change: Change): void {
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    const { module } = change;
    if (!isScript(module)) return;
    this.#climb({ from: { node, module }, module, node, carried: [change], isCovered: true, isMade: false });
  }

  /** Follows whatever else has what is edited. */
  follow(place: Place): void {
    this.#waiting.push(place);
  }

  /** @returns the places where it leaves what is followed */
  end(): readonly Leak[] {
    for (let from = this.#waiting.pop(); from !== undefined; from = this.#waiting.pop()) {
      if (this.#seen.has(from.node)) continue;
      this.#seen.add(from.node);
      const before = this.#look.cut.length;
      const carried = this.#look.carried(from);
      if (this.#look.cut.length > before) this.#leakCut(from, this.#look.mayCarry(from));
      if (carried.length > 0) this.#climb({ from, ...from, carried, isCovered: false, isMade: false });
    }
    for (const { climb, places } of this.#exported) {
      const read = new Set(places.flatMap((place) => this.#readAt(place)));
      this.#leak(
        climb,
        climb.carried.filter((change) => !read.has(change)),
      );
    }
    return this.#leaks;
  }

  /** What is left of what a place names when its properties are taken. */
  #readAt({ node, module }: Place): readonly Change[] {
    let carried = this.#look.carried({ node, module });
    for (let at = node; at.parent?.kind === 'member' && at.parent.object === at && carried.length > 0; at = at.parent)
      carried = this.#look.carried({ node: at.parent, module });
    return carried;
  }

  #leak({ from, isCovered }: Climb, carried: readonly Change[]): void {
    if (!isCovered) this.#leaks.push(...carried.map((change) => ({ ...from, change })));
  }

  /** What was not followed to its end may be used by anything. */
  #leakCut(from: Place, carried: readonly Change[]): void {
    const expensive = this.#look.cut.at(-1) ?? from;
    this.#leaks.push(...carried.map((change) => ({ ...from, change, expensive })));
  }

  #climb(climb: Climb): void {
    const before = this.#look.cut.length;
    const { carried } = climb;
    this.#climbOut(climb);
    if (this.#look.cut.length > before) this.#leakCut(climb.from, [...new Set([...carried, ...climb.carried])]);
  }

  #climbOut(climb: Climb): void {
    for (let isGoing = true; isGoing;) {
      climb.isCovered ||= this.#look.isCovered(climb.node);
      const { parent } = climb.node;
      // Whatever else makes or expects a request has been understood.
      isGoing =
        !(parent !== undefined && parent.kind !== 'call' && this.#look.isOurs(parent) === true) && this.#step(climb, useOf(climb.node));
    }
  }

  /** @returns whether it goes on, with what has it now */
  #step(climb: Climb, use: Use): boolean {
    switch (use.kind) {
      case 'on':
        // A table in a table is made for somebody, too.
        climb.isMade ||= climb.node.kind === 'object' || ['concat', 'template', 'function'].includes(use.as.kind);
        climb.node = use.as;
        return true;
      case 'member':
        return this.#member(climb);
      case 'callee':
        return this.#goOn(climb, climb.node.parent);
      case 'argument':
        return this.#argument(climb);
      case 'use':
        if (!(isGivenByContext(climb.node) && this.#look.hasClientsOnly(climb))) this.#leak(climb, climb.carried);
        return false;
      case 'compared':
        if (!isHarmlessComparison(this.#look, climb)) this.#leak(climb, climb.carried);
        return false;
      case 'keys':
        this.#leak(
          climb,
          climb.carried.filter(({ what }) => what === 'header name'),
        );
        return false;
      case 'named':
        this.#named(climb, use.names);
        return false;
      case 'field':
        if (use.name !== undefined) this.#visitField(use.name);
        this.#visitClass(climb);
        return this.#goOut(climb);
      case 'exported':
        this.#export(climb, this.#readers.ofModule(climb.module));
        this.#visit(climb.module, this.#readers.ofModule(climb.module));
        return this.#goOut(climb);
      case 'written':
        this.#write(climb);
        return this.#goOut(climb);
      default:
        return false;
    }
  }

  /** An assignment has the value that it assigns. */
  #goOut(climb: Climb): boolean {
    const { parent } = climb.node;
    if (parent?.kind !== 'assign') return false;
    climb.node = parent;
    return true;
  }

  /** Goes on with what stands around it, where that still has it. */
  #goOn(climb: Climb, around: Node | undefined): boolean {
    if (around === undefined) return false;
    const place = { node: around, module: climb.module };
    const carried = this.#look.carried(place);
    if (carried.length === 0) return false;
    climb.node = around;
    climb.carried = carried;
    return true;
  }

  #member(climb: Climb): boolean {
    const { parent: member } = climb.node;
    if (member?.kind !== 'member') return false;
    const { parent } = member;
    if (parent?.kind === 'assign' && parent.target === member) return false;
    // `promise.then(register)`: a client's rule may say that it is the client again, but the function got it.
    if (member.property === 'then' && parent?.kind === 'call' && !this.#giveItems(climb, member)) this.#leak(climb, climb.carried);
    if (this.#goOn(climb, member)) return true;
    if (parent?.kind === 'call' && parent.callee === member && this.#goOn(climb, parent)) return true;
    if (this.#giveItems(climb, member)) return false;
    if (isGivenToEach(member) || !isHarmlessMember(this.#look, climb, member)) this.#leak(climb, climb.carried);
    return false;
  }

  #argument(climb: Climb): boolean {
    const { node, module } = climb;
    const arg = node.parent?.kind === 'spread' ? node.parent : node;
    const call = arg.parent;
    if (call?.kind !== 'call') return false;
    const callees = this.#look.values({ node: calledBy(call), module });
    const own = callees.filter((callee) => callee.type === 'function' || callee.type === 'class');
    for (const callee of own) this.#giveTo(climb, callee, arg);
    const into = filledBy(call, arg);
    if (into !== undefined) this.#writeTo(climb, into, '');
    if (call.args[0]?.kind === 'this' && arg.kind === 'object') for (const name of namesOf(arg)) this.#visitField(name);
    if (this.#goOn(climb, call)) return true;
    if (own.length > 0) return false;
    if (isListing(call) || (isPassing(call) && arg.kind === 'function')) {
      climb.node = call;
      return true;
    }
    const isOurs = this.#look.isOurs(call);
    const isHarmless = isOurs ?? isHarmlessGift(this.#look, { ...climb, node: arg }, call, callees);
    if (!isHarmless) this.#leak(climb, climb.carried);
    return false;
  }

  /** Follows an argument into what is called, where that is the project's own. */
  #giveTo(climb: Climb, { node, module }: Extract<Value, { type: 'function' | 'class' }>, arg: Node): void {
    const fn = node.kind === 'function' ? node : node.members.find(({ role }) => role === 'constructor')?.value;
    if (fn?.kind !== 'function') return;
    if (namesArguments(fn)) this.#leak(climb, climb.carried);
    this.#giveParams(climb, paramsFor(fn, arg), module);
  }

  /** `paths.map((path) => …)`: each item goes to the function. */
  #giveItems(climb: Climb, { property, parent }: MemberNode): boolean {
    const [each] = parent?.kind === 'call' ? parent.args : [];
    if (each === undefined || !perItem.has(property ?? '')) return false;
    const fns = this.#look.values({ node: each, module: climb.module });
    for (const fn of fns) if (fn.type === 'function') this.#giveParams(climb, fn.node.params.slice(0, 1), fn.module);
    return fns.every(({ type }) => type === 'function');
  }

  #giveParams(climb: Climb, params: FunctionNode['params'], module: SourceModule): void {
    for (const { target, isField } of params) {
      if (takesHeader(target)) this.#leak(climb, climb.carried);
      for (const name of namesIn(target)) {
        this.#visitName(name, module);
        if (isField) this.#visitField(name.name);
      }
    }
  }

  #named(climb: Climb, names: readonly PatternName[]): void {
    const { module } = climb;
    for (const name of names) {
      const binding = module.scopes.declaredBy(name);
      if (binding !== undefined && isExported(binding, module)) this.#export(climb, this.#readers.of(binding, module));
      this.#visitName(name, module);
    }
  }

  /** What is made of an edited constant for others, and these are not among the files. */
  #export(climb: Climb, places: readonly Place[]): void {
    const isObject = climb.node.kind === 'object' && !isCommonJs(climb.node);
    // A library's own client is for others by its nature, and moves with the calls that are seen.
    if (!climb.isCovered && (isObject || climb.isMade) && !this.#look.hasClientsOnly(climb))
      this.#exported.push({ climb: { ...climb }, places });
  }

  #visit(key: Binding | SourceModule, places: readonly Place[]): void {
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#waiting.push(...places);
  }

  /** Whoever has a class or an instance of it, or of what inherits from it, has its fields. */
  #visitClass({ node, module }: Place): void {
    const around = classAround(node);
    const binding = around?.name === undefined ? undefined : module.scopes.declaredBy(around.name);
    if (binding === undefined || this.#seen.has(binding)) return;
    const places = this.#readers.of(binding, module);
    this.#visit(binding, places);
    for (const place of places) {
      const { parent } = place.node;
      if (parent?.kind === 'call' && parent.callee === place.node) this.#waiting.push({ ...place, node: parent });
      if (parent?.kind === 'class') this.#visitClass(place);
    }
  }

  #visitName(name: PatternName, module: SourceModule): void {
    const binding = module.scopes.declaredBy(name);
    if (binding !== undefined) this.#visit(binding, this.#readers.of(binding, module));
  }

  /** Every place that takes a property of this name: what it takes, its value says. */
  #visitField(name: string): void {
    if (this.#seen.has(`.${name}`)) return;
    this.#seen.add(`.${name}`);
    this.#fields ??= fieldsOf(this.#look.ev);
    for (const { node, module } of this.#fields.get(name) ?? []) {
      if (node.kind === 'patternName') this.#visitName(node, module);
      else this.#waiting.push({ node, module });
    }
  }

  /** `name = value`, or `object.name = value`. */
  #write(climb: Climb): void {
    const { parent } = climb.node;
    if (parent?.kind !== 'assign') return;
    const { target } = parent;
    if (target.kind === 'member' && this.#isCarried(target) && this.#look.hasClientsOnly(climb)) return;
    this.#writeTo(climb, target, target.kind === 'member' ? target.property : undefined);
  }

  /** `app.config.globalProperties.$api`, `Vue.prototype.$api`: carried to components. */
  #isCarried({ object }: MemberNode): boolean {
    return object.kind === 'member' && combined(this.#look.ev.rules).carryingObjects.has(object.property ?? '');
  }

  /** What is put into objects of the project can be followed, into others not. */
  #writeTo(climb: Climb, target: Node, property?: string): void {
    const { module } = climb;
    let root = target;
    while (root.kind === 'member') root = root.object;
    const binding = root.kind === 'name' ? module.scopes.bindingOf(root) : undefined;
    if (binding === undefined) return this.#leak(climb, climb.carried);
    if (property !== undefined || target.kind === 'member') {
      const owners = optionsOf(this.#look.ev.evaluate(root, { module, frame: undefined }));
      if (owners.some(({ type }) => type === 'http')) return;
      if (owners.some(({ type }) => !known.has(type))) return this.#leak(climb, climb.carried);
      if (property !== undefined) {
        this.#visitField(property);
        for (const owner of owners) this.#giveSetters(climb, givenToSetters(this.#look.ev, owner, property));
      }
    }
    this.#visit(binding, this.#readers.of(binding, module));
  }

  #giveSetters({ carried }: Climb, places: readonly Place[]): void {
    for (const place of places) {
      const before = this.#set.get(place.node) ?? [];
      const fresh = carried.filter((change) => !before.includes(change));
      if (fresh.length === 0) continue;
      this.#set.set(place.node, [...before, ...fresh]);
      this.#climb({ from: place, ...place, carried: fresh, isCovered: false, isMade: false });
    }
  }
}

/** Methods of lists that call a function for each item, and give back nothing of it but what that does. */
const perItem: ReadonlySet<string> = new Set(['map', 'flatMap', 'forEach', 'some', 'every', 'then']);

/** `clients.forEach(register)`: the function gets each. */
const isGivenToEach = ({ property, parent }: MemberNode): boolean => parent?.kind === 'call' && perItem.has(property ?? '');

const namesOf = ({ properties }: ObjectNode): string[] =>
  properties.flatMap((property) => (property.kind === 'property' && property.name !== undefined ? [property.name] : []));

/** What an argument is put into: `Object.assign(config, more)`, `map.set(name, base)`. */
function filledBy({ callee, args }: CallNode, arg: Node): Node | undefined {
  if (callee.kind !== 'member') return undefined;
  const [target] = args;
  if (callee.property === 'assign') return target !== arg && (target?.kind === 'name' || target?.kind === 'member') ? target : undefined;
  return callee.property === 'set' && args[1] === arg && callee.object.kind === 'name' ? callee.object : undefined;
}

/** What the rules know all of: what is written into such is read from it again. */
const known: ReadonlySet<Value['type']> = new Set(['object', 'list', 'function', 'class', 'instance', 'namespace']);

/** What is called: of `super(…)` the superclass. */
function calledBy({ callee }: CallNode): Node {
  if (callee.kind !== 'super') return callee;
  return classAround(callee)?.superclass ?? callee;
}

function classAround({ parent }: Node): ClassNode | undefined {
  let at = parent;
  while (at !== undefined && at.kind !== 'class') at = at.parent;
  return at;
}

/** Whether a function takes what it is given as `arguments`, where no name of its own says which it is. */
function namesArguments(fn: FunctionNode): boolean {
  let isNamed = false;
  walk(fn, (node) => {
    if (node.kind === 'name' && node.name === 'arguments') isNamed = true;
    return node === fn || node.kind !== 'function' || node.isArrow;
  });
  return isNamed && !fn.isArrow;
}

/** The parameters that an argument goes to; after a spread it may be any of them. */
function paramsFor(fn: FunctionNode, arg: Node): FunctionNode['params'] {
  const call: CallNode | undefined = arg.parent?.kind === 'call' ? arg.parent : undefined;
  const index = call?.args.findIndex((each) => each === arg) ?? 0;
  return fn.params.filter((param, at) => at === index || (at > index && arg.kind === 'spread') || (at < index && param.isRest));
}

/** `module.exports = { base, headers }`: these are exports themselves. */
const isCommonJs = (object: Node): boolean => object.parent?.kind === 'assign' && isExports(object.parent.target);
