/** What stands around the places that a base comes from: what it is kept in, by which names it goes there, and what reads it. */
import { globalObjects } from '../../../evaluate/language/builtins.ts';
import { functionAround } from '../../../evaluate/calls/callees.ts';
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import { superclassOf } from '../../../evaluate/classes/subclasses.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import { isRequire } from '../../../evaluate/names/specifiers.ts';
import type { SourceText } from '../../../evaluate/values/source-text.ts';
import { type ClassValue, optionsOf, plainText, type Value } from '../../../evaluate/values/values.ts';
import { isWithin } from '../../../syntax/link.ts';
import type { FunctionNode, MemberDeclaration, MemberNode, Node, PropertyNode } from '../../../syntax/tree.ts';
import { push } from '../../../requests/mutations.ts';
import type { Request } from '../../../requests/requests.ts';
import { isCopying } from './copying.ts';

export interface Place {
  readonly node: Node;
  readonly module: SourceText;
}

export class AroundBase {
  readonly names = new Set<string>();
  /** Names of what gives the base when it is called. */
  readonly givers = new Set<string>();
  /** What reads the base, by the name that it does so by. */
  readonly readers = new Map<string, (() => Value)[]>();
  /** Objects, lists, calls and classes, with those that these inherit from. */
  readonly holders = new Set<Node>();
  readonly fields = new Fields();
  readonly #uses = new Map<string, Use[]>();
  readonly #ev: Evaluation;
  readonly #origins: Request['origins'];

  constructor(ev: Evaluation, places: readonly Place[], { call, origins }: Request) {
    this.#ev = ev;
    this.#origins = origins;
    // An address that is written out in the call, or is a constant of the module, is kept by nothing around the call.
    const end = places.every(({ node }) => isConstant(node, call)) ? call : undefined;
    for (const { node, module } of places) if (isScript(module)) this.#addAround(node, module, end);
  }

  /** The names under which a copy of what keeps the base may have something else. */
  get ownNames(): string[] {
    return [...this.#uses].filter(([, uses]) => isOfCopies(uses)).map(([name]) => name);
  }

  #addAround(node: Node, module: SourceModule, end: Node | undefined): void {
    const read = node.kind === 'member' && !isGlobalFetchOf(node, module) ? namesOf(this.#ev, node, module) : [];
    for (const name of read) this.#addRead(name, node, module);
    const own = ownFields(node, read);
    if (node.kind !== 'member' || node.object.kind !== 'this') this.fields.readOfOthers([...read, ...takenOf(node, module)]);
    for (let at = node.parent; at !== undefined && at !== end; at = at.parent) {
      if (at.kind === 'object' || at.kind === 'array' || at.kind === 'call') this.holders.add(at);
      if (at.kind === 'property' || at.kind === 'classMember') this.#addProperty(at, node, module);
      if (at.kind !== 'class') continue;
      for (const each of lineOf(this.#ev, { type: 'class', node: at, module, frame: undefined })) {
        this.holders.add(each);
        this.fields.within(each, own);
      }
    }
  }

  #addRead(name: string, node: Node, module: SourceModule): void {
    this.names.add(name);
    push(this.readers, name, () => this.#ev.evaluate(node, { module, frame: undefined }));
    const isAsked = node.parent?.kind === 'call' && node.parent.callee === node && this.#origins.includes(node.parent);
    if (!isAsked) push(this.#uses, name, rootOf(node, module));
  }

  #addProperty(property: PropertyNode | MemberDeclaration, node: Node, module: SourceModule): void {
    const { name } = property;
    const kept = name === undefined ? undefined : keptBy(property, node);
    if (name === undefined || kept === undefined) return;
    this.names.add(name);
    if (!isOption(property, this.#origins)) push(this.#uses, name, isOfCall(property, module) ? 'of a call' : 'kept');
    if (kept === 'method') this.givers.add(name);
  }
}

/**
 * The names under which instances may keep the base. Of a class in which it is only read, `this.texts.find(id)`, these are the ones by which it is read there
 * or of anything else: what it calls `config` is another than the `config` that a module exports.
 */
class Fields {
  readonly #ofOthers = new Set<string>();
  /** Undefined where a class does more than to fill and to read fields of its own. */
  readonly #byClass = new Map<Node, Set<string> | undefined>();

  readOfOthers(names: readonly string[]): void {
    for (const name of names) this.#ofOthers.add(name);
  }

  /** @param own the fields by which a place in a class has the base; undefined for any other place */
  within(of: Node, own: readonly string[] | undefined): void {
    const before = this.#byClass.has(of) ? this.#byClass.get(of) : new Set<string>();
    this.#byClass.set(of, before === undefined || own === undefined ? undefined : new Set([...before, ...own]));
  }

  mayHold(of: Node, name: string | undefined): boolean {
    const own = this.#byClass.get(of);
    return own === undefined || name === undefined || own.has(name) || this.#ofOthers.has(name);
  }
}

/**
 * The fields by which a class has the base at a place in it: what is read of `this`, and what of `this` this place is put into. There are none where it only goes
 * through a call or a name of a function, `http.create({ baseURL: config.baseUrl })`; undefined where that cannot be said.
 */
function ownFields(node: Node, read: readonly string[]): readonly string[] | undefined {
  if (node.kind === 'this') return node.parent?.kind === 'member' ? [] : undefined;
  const isOwn = node.kind === 'member' && node.object.kind === 'this';
  if (isOwn ? read.length === 0 : !going.has(node.kind)) return undefined;
  const own = isOwn ? [...read] : [];
  let at = node;
  for (let { parent } = at; parent !== undefined && parent.kind !== 'class'; { parent } = at) {
    if (parent.kind === 'assign' && parent.value === at && parent.target.kind !== 'name') {
      const { target } = parent;
      if (target.kind !== 'member' || target.object.kind !== 'this' || target.property === undefined) return undefined;
      own.push(target.property);
    }
    if (parent.kind === 'call' && parent.args.some(({ kind }) => kind === 'this')) return undefined;
    if (parent.kind === 'classMember') {
      if (parent.name === undefined) return undefined;
      own.push(parent.name);
    }
    at = parent;
  }
  return own;
}

/** `const { base } = client`: what is taken of something that is no module. */
function takenOf({ kind, parent: property }: Node, module: SourceModule): readonly string[] {
  const taken = kind === 'patternName' && property?.kind === 'patternProperty' ? property : undefined;
  const variable = taken?.parent?.parent;
  if (taken?.name === undefined || (variable?.kind === 'variable' && variable.init?.kind === 'call' && isRequire(variable.init, module)))
    return [];
  return [taken.name];
}

const going = new Set<Node['kind']>(['name', 'member', 'call']);

/** `globalThis.fetch`: a field of that name in the project's own objects is another. */
const isGlobalFetchOf = ({ object, property }: MemberNode, { scopes }: SourceModule): boolean =>
  property === 'fetch' && object.kind === 'name' && globalObjects.has(object.name) && scopes.bindingOf(object) === undefined;

function namesOf(ev: Evaluation, { property, computed }: MemberNode, module: SourceModule): string[] {
  if (property !== undefined || computed === undefined) return property === undefined ? [] : [property];
  return optionsOf(ev.evaluate(computed, { module, frame: undefined })).flatMap((option) => plainText(option) ?? []);
}

/** How a name is used on the way from a base to a request: what it is read of, and what it stands in. */
type Use = 'this' | 'constant' | 'given' | 'kept' | 'of a call';

/** Whether a copy of what keeps a base may have something else under a name that is used so. */
function isOfCopies(uses: readonly Use[]): boolean {
  if (uses.includes('this')) return true;
  if (uses.includes('constant') && !uses.includes('given')) return false;
  return uses.includes('kept') || !uses.includes('of a call');
}

/** `axios.create({ baseURL })`: an option of the call that makes the client. */
const isOption = ({ parent: object }: Node, origins: Request['origins']): boolean =>
  object?.parent?.kind === 'call' && origins.includes(object.parent);

/**
 * `this.ask({ url: '…' })`, `const options = { url: '…' }; this.ask(options)`: what one call is given. What an instance is made with, or an object is filled with,
 * it keeps.
 */
function isOfCall({ parent: object }: Node, module: SourceModule): boolean {
  if (object?.kind !== 'object') return false;
  const isGiven = (at: Node): boolean => isGivenByThis(at, module);
  if (object.parent?.kind !== 'variable') return isGiven(object);
  const { target } = object.parent;
  const references = target.kind === 'patternName' ? (module.scopes.declaredBy(target)?.references ?? []) : [];
  return (
    references.length > 0 && references.every((each) => isGiven(each) || (each.parent?.kind === 'member' && each.parent.object === each))
  );
}

/** By a method of what a function is called on or given: a function of the project may keep it in what it makes. */
const isGivenByThis = (at: Node, module: SourceModule): boolean =>
  at.parent?.kind === 'call' &&
  !at.parent.isNew &&
  at.parent.callee.kind === 'member' &&
  at.parent.callee !== at &&
  !isCopying(at) &&
  functionAround(at) !== undefined &&
  rootOf(at.parent.callee, module) !== 'constant';

/** What something is read of in the end: `config` of `config.texts.url`, a constant; what a function is called on or given; `this.options` where a name stands for that. */
function rootOf(node: Node, { scopes }: SourceModule): Exclude<Use, 'kept' | 'of a call'> {
  const seen = new Set<Node>();
  let at: Node | undefined = node;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    if (at.kind === 'this') return 'this';
    if (at.kind === 'member') at = at.object;
    else if (at.kind === 'call' && !at.isNew) at = at.callee;
    else if (at.kind === 'name') {
      const owner: Node | undefined = scopes.bindingOf(at)?.owner;
      if (owner === undefined || owner.kind === 'import' || owner.kind === 'function' || owner.kind === 'class') return 'constant';
      if (owner.kind !== 'variable') return 'given';
      at = owner.init;
    } else return at.kind === 'object' ? 'constant' : 'given';
  }
  return 'given';
}

const holding = new Set<Node['kind']>(['object', 'array', 'call', 'class', 'function']);

/** Whether a place stands in a call itself, or in no object, class or function. */
function isConstant({ kind, parent }: Node, call: Node): boolean {
  if (kind !== 'string' && kind !== 'template' && kind !== 'name') return false;
  let at = parent;
  while (at !== undefined && at !== call && !holding.has(at.kind)) at = at.parent;
  return at === undefined || at === call;
}

/** Whether what stands in a property is its value, or what the function gives back that is: `host() { return 'https://…'; }`. */
function keptBy(property: Node, node: Node): 'value' | 'method' | undefined {
  let method: FunctionNode | undefined;
  for (let at = node.parent; at !== undefined && at !== property; at = at.parent) {
    if (at.kind !== 'function') continue;
    if (at.parent !== property || !returnsOf(at).some((each) => isWithin(each, node))) return undefined;
    method = at;
  }
  return method === undefined ? 'value' : 'method';
}

/** The classes that a class inherits from, itself first. */
export function* lineOf(ev: Evaluation, of: ClassValue): Generator<Node> {
  const seen = new Set<Node>();
  for (let at: Value | undefined = of; at?.type === 'class' && !seen.has(at.node);) {
    seen.add(at.node);
    yield at.node;
    at = superclassOf(ev, at);
  }
}
