/** What keeps the base of a request: the objects, classes, lists and clients that it stands in, and the names that it goes by there. */
import { globalObjects } from '../../../evaluate/language/builtins.ts';
import { functionAround } from '../../../evaluate/calls/callees.ts';
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import { combined } from '../../../evaluate/libraries/combined.ts';
import { originOf } from '../../../evaluate/libraries/library.ts';
import { superclassOf } from '../../../evaluate/classes/subclasses.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import { isRequire } from '../../../evaluate/names/specifiers.ts';
import type { SourceText } from '../../../evaluate/values/source-text.ts';
import { urlPartNames } from '../../../evaluate/values/text.ts';
import { nodesOf } from '../../../evaluate/values/provenance.ts';
import { isSame } from '../../../evaluate/values/same.ts';
import { type ClassValue, type InstanceValue, nothing, optionsOf, plainText, type Value } from '../../../evaluate/values/values.ts';
import { isWithin } from '../../../syntax/link.ts';
import type { FunctionNode, MemberNode, Node } from '../../../syntax/tree.ts';
import { push } from '../../../requests/mutations.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import { isCopying } from './copying.ts';

export interface BaseHolder {
  /** The names of properties that may be about this base, beside those that may be about any (`mayHoldAnyBase`). */
  readonly names: ReadonlySet<string>;
  /** Those that a copy of what keeps the base may have something else under: no library's own, none of what a single call is given, and none that is read of a constant alone. */
  readonly ownNames: ReadonlySet<string>;
  /** Whether a property of this name may be about the base; undefined is a name that is not known. */
  mayBeNamed(name: string | undefined): boolean;
  /** Whether it is by a method of this name that the request is made. */
  isMethod(name: string | undefined): boolean;
  /** Whether a method of this name gives the base. */
  isGiver(name: string | undefined): boolean;
  /** Whether all that reads the base by this name is known to have this instance, too: what is asked by it is a request of its own then. */
  isReadAs(instance: InstanceValue, name: string): boolean;
  /** Whether a value is what keeps the base, as far as is known. */
  isKept(value: Value, name: string | undefined): 'yes' | 'maybe' | 'no';
}

interface Place {
  readonly node: Node;
  readonly module: SourceText;
}

/** Where the host of an address comes from. */
function placesOfBase({ request: { url = [] } }: RequestSite): Place[] {
  const [first] = url;
  if (first === undefined) return [];
  const own = 'unknownPart' in first ? nodesOf(first.unknownPart.provenance) : first.source === undefined ? [] : [{ ...first.source }];
  return [...nodesOf(first.provenance), ...own];
}

/** Everything that the addresses of requests come through, as far as they were followed. */
export function reckonedIn(sites: readonly RequestSite[]): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (const { request, byDefault } of sites) {
    for (const part of [request, ...byDefault].flatMap(({ url = [] }) => url)) {
      for (const { node } of nodesOf(part.provenance)) found.add(node);
      if ('text' in part) {
        if (part.source !== undefined) found.add(part.source.node);
        continue;
      }
      for (const option of optionsOf(part.unknownPart)) {
        for (const { node } of nodesOf(option.provenance)) found.add(node);
        if ('node' in option && option.node !== undefined) found.add(option.node);
      }
    }
  }
  return found;
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

const partNames = new Set(['href', ...urlPartNames]);
/** Parts that no host hangs on. */
const besideHost = new Set(['search', 'path', 'pathname', 'port']);

export function baseHolderOf(ev: Evaluation, site: RequestSite): BaseHolder {
  const { call, origins } = site.request;
  const { isSetting } = combined(ev.rules);
  const places = placesOfBase(site);
  const names = new Set<string>();
  const uses = new Map<string, Use[]>();
  const readers = new Map<string, (() => Value)[]>();
  const givers = new Set<string>();
  const holders = new Set<Node>();
  const fields = new Fields();
  // An address that is written out in the call, or is a constant of the module, is kept by nothing around the call.
  const end = places.every(({ node }) => isConstant(node, call)) ? call : undefined;
  for (const { node, module } of places) {
    if (!isScript(module)) continue;
    const read = node.kind === 'member' && !isGlobalFetchOf(node, module) ? namesOf(ev, node, module) : [];
    const isAsked = node.parent?.kind === 'call' && node.parent.callee === node && origins.includes(node.parent);
    for (const name of read) {
      names.add(name);
      push(readers, name, () => ev.evaluate(node, { module, frame: undefined }));
      if (!isAsked) push(uses, name, rootOf(node, module));
    }
    const own = ownFields(node, read);
    if (node.kind !== 'member' || node.object.kind !== 'this') fields.readOfOthers([...read, ...takenOf(node, module)]);
    for (let at = node.parent; at !== undefined && at !== end; at = at.parent) {
      if (at.kind === 'object' || at.kind === 'array' || at.kind === 'call') holders.add(at);
      if (at.kind === 'class')
        for (const each of lineOf(ev, { type: 'class', node: at, module, frame: undefined })) {
          holders.add(each);
          fields.within(each, own);
        }
      const kept = (at.kind === 'property' || at.kind === 'classMember') && at.name !== undefined ? keptBy(at, node) : undefined;
      if (kept === undefined || !('name' in at) || typeof at.name !== 'string') continue;
      names.add(at.name);
      if (!isOption(at, origins)) push(uses, at.name, isOfCall(at, module) ? 'of a call' : 'kept');
      if (kept === 'method') givers.add(at.name);
    }
  }
  const isGlobalFetch = origins.includes('global fetch');
  const method = isGlobalFetch ? 'fetch' : call.kind === 'call' && call.callee.kind === 'member' ? call.callee.property : undefined;
  const isMethod = (name: string | undefined): boolean => name !== undefined && name === method;
  const texts = new Set(places.map(({ node }) => node));
  const isClient = (value: Value): boolean =>
    value.type === 'http'
      ? holders.has(value.node) || origins.includes(value.origins.at(-1) ?? value.node)
      : value.type === 'external' && value.source !== '' && origins.includes(originOf(value));
  const isKept: BaseHolder['isKept'] = (value, name) => {
    const isNamed = name === undefined || names.has(name);
    switch (value.type) {
      case 'object':
        return holders.has(value.node) && isNamed ? 'yes' : 'no';
      case 'class':
        return holders.has(value.node) && isNamed && fields.mayHold(value.node, name) ? 'yes' : 'no';
      case 'instance':
        return isNamed && [...lineOf(ev, value.of)].some((node) => holders.has(node) && fields.mayHold(node, name)) ? 'yes' : 'no';
      case 'list':
        return value.nodes.some((node) => node?.parent !== undefined && holders.has(node.parent)) ? 'yes' : 'no';
      case 'text':
        return (name === undefined || partNames.has(name)) &&
          !besideHost.has(name ?? '') &&
          value.parts.some((part) => 'text' in part && part.source !== undefined && texts.has(part.source.node))
          ? 'yes'
          : 'no';
      case 'external':
        if (value.source === '' && globalObjects.has(value.path.join('.')))
          return isGlobalFetch && (name ?? method) === method ? 'maybe' : 'no';
        return isClient(value) && (isNamed || isSetting(name) || isMethod(name)) ? 'yes' : 'no';
      case 'http':
        return isClient(value) && (isNamed || isSetting(name) || isMethod(name)) ? 'yes' : 'no';
      case 'method':
        if (value.receiver.type !== 'http' && value.receiver.type !== 'external') break;
        return isClient(value.receiver) && isSetting(value.path[0]) && (isNamed || isSetting(name)) ? 'yes' : 'no';
      case 'unknown':
      case 'param':
        break;
      default:
        return 'no';
    }
    return isNamed ? 'maybe' : 'no';
  };
  const own = method === undefined ? names : new Set(names).add(method);
  return {
    names: own,
    ownNames: new Set([...[...uses.keys()].filter((name) => isOfCopies(uses.get(name) ?? [])), ...(method === undefined ? [] : [method])]),
    mayBeNamed: (name) => name === undefined || own.has(name) || mayHoldAnyBase(ev, name),
    isMethod,
    isGiver: (name) => name !== undefined && givers.has(name),
    isReadAs: (instance, name) => {
      const reads = readers.get(name) ?? [];
      return reads.length > 0 && reads.every((read) => optionsOf(read()).some((option) => isMadeAs(option, instance)));
    },
    isKept,
  };
}

/** Whether both are made of one class with the same arguments; one that stands in a function may be another each time. */
const isMadeAs = (value: Value, { of, args = [] }: InstanceValue): boolean =>
  value.type === 'instance' &&
  value.of.node === of.node &&
  functionAround(of.node) === undefined &&
  value.args?.length === args.length &&
  args.every((each, index) => isSame(each, value.args?.[index] ?? nothing));

/** Whether a property of this name may be about the base of any request. */
export const mayHoldAnyBase = (ev: Evaluation, name: string): boolean =>
  combined(ev.rules).isSetting(name) || (partNames.has(name) && !besideHost.has(name));

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
const isOption = ({ parent: object }: Node, origins: RequestSite['request']['origins']): boolean =>
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
function* lineOf(ev: Evaluation, of: ClassValue): Generator<Node> {
  const seen = new Set<Node>();
  for (let at: Value | undefined = of; at?.type === 'class' && !seen.has(at.node);) {
    seen.add(at.node);
    yield at.node;
    at = superclassOf(ev, at);
  }
}
