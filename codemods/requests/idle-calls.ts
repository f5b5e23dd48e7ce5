/** Calls that can be no request, call no function of the project and do nothing to a client: what stands there says so, nothing is evaluated. */
import { packageFrom } from '../evaluate/names/exports.ts';
import { assignmentsOf } from '../evaluate/names/assignments.ts';
import { globalObjects } from '../evaluate/language/builtins.ts';
import { combined } from '../evaluate/libraries/combined.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { CallNode, FunctionNode, Node } from '../syntax/tree.ts';
import { nodesOfKind } from '../syntax/link.ts';
import { perItem } from '../syntax/item-methods.ts';

/** Methods that the language has for its own values. */
const platform: ReadonlySet<string> = new Set(
  [String, Array, Number, Date, RegExp, Map, Set].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
);
const containers: ReadonlySet<string> = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);
const containing: ReadonlySet<string> = new Set([Map, Set].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)));
/** Of these, what clients and mocks have as well, or what keeps what it is given. */
const shared = /^(?:constructor|toString|concat|includes|startsWith|endsWith|match|search|has|push|unshift|splice|fill)$/;
/** Of lists: they keep what they are given, and call nothing. */
const keeping: ReadonlySet<string> = new Set(['push', 'unshift', 'splice', 'fill', 'concat', 'includes']);
/** What a file takes of its own exports. */
const ofCommonJs: ReadonlySet<string> = new Set(['exports', 'module']);
/** They give a list. */
const listing: ReadonlySet<string> = new Set(['filter', 'flatMap', 'map']);
/** Of an answer: without arguments they only read. */
const reading: ReadonlySet<string> = new Set(['json', 'text', 'blob', 'arrayBuffer', 'formData']);
/** What calls the function that it is called on or given. */
const calling = /^(?:bind|call|apply|then)$/;

export class IdleCalls {
  readonly #ev: Evaluation;
  readonly #names: Names;

  constructor(ev: Evaluation) {
    this.#ev = ev;
    this.#names = namesIn(ev);
  }

  has({ callee, args }: CallNode, module: SourceModule): boolean {
    if (callee.kind === 'name') return this.#isForeign(callee, module);
    if (callee.kind !== 'member' || callee.property === undefined || calling.test(callee.property)) return false;
    const { property, object } = callee;
    if (property !== 'assign' && this.#isForeign(rootOf(callee), module) && !this.#isPutThere(object)) return true;
    if (!this.#names.written.has(property)) {
      if (containing.has(property) && this.#isContainer(object, module)) return true;
      if (keeping.has(property) && holdsOnly(object, module, (init) => this.#makesList(init))) return true;
    }
    if (this.#names.own.has(property) || this.#names.texts.has(property)) return false;
    return this.#isOfPlatform(property, module, args) || (reading.has(property) && args.length === 0);
  }

  /** `Vue.prototype.$api.get(…)`: what the project writes by a name, be it into something of a package. */
  #isPutThere(node: Node): boolean {
    for (let at = node; at.kind === 'member'; at = at.object) if (this.#names.written.has(at.property ?? '')) return true;
    return false;
  }

  /** Whether it calls what the language has, unless the project puts something under that name by a text: what is found out of it for little is enough. */
  isUnlikely({ callee, args }: CallNode, module: SourceModule): boolean {
    const property = callee.kind === 'member' ? callee.property : undefined;
    return property !== undefined && !this.#names.own.has(property) && this.#isOfPlatform(property, module, args);
  }

  /** Whether a method of such a name, and with these arguments, is one of the language's values, if it is none of the project's. */
  #isOfPlatform(property: string, module: SourceModule, args: CallNode['args']): boolean {
    const { mayAsk, commandsIn } = combined(this.#ev.rules);
    // Of patterns, and of what runs a command.
    if (property === 'exec' && commandsIn(module.text)) return false;
    if (shared.test(property) || mayAsk(property) || calling.test(property)) return false;
    // `items.filter(Boolean)`
    return perItem.has(property) ? args.every((arg) => this.#isForeign(arg, module)) : platform.has(property);
  }

  /** Whether it is a list of the language's, in which somebody looks for items or makes others of them. */
  #makesList(init: Node | undefined): boolean {
    if (init?.kind !== 'call' || init.callee.kind !== 'member') return init?.kind === 'array';
    const { property = '' } = init.callee;
    return listing.has(property) && !this.#names.own.has(property) && !this.#names.texts.has(property);
  }

  /** The function that a call gives to each item of something, where it is nothing but that: who calls it is asked for from within. */
  perItemFunction({ callee, args }: CallNode): FunctionNode | undefined {
    const [fn] = args;
    const isPerItem = callee.kind === 'member' && perItem.has(callee.property ?? '') && !this.#names.own.has(callee.property ?? '');
    return isPerItem && fn?.kind === 'function' && args.every((arg) => arg.kind !== 'spread') ? fn : undefined;
  }

  /** Whether a name is a package's that no rule knows, or a global that the project does not write itself. */
  #isForeign(node: Node, module: SourceModule): boolean {
    if (node.kind !== 'name') return false;
    const { globals, modules } = combined(this.#ev.rules);
    const binding = module.scopes.bindingOf(node);
    if (binding === undefined) {
      const { name } = node;
      return !globals.has(name) && !globalObjects.has(name) && !ofCommonJs.has(name) && !this.#names.written.has(name);
    }
    const { owner } = binding;
    if (owner.kind !== 'import' || binding.again.length > 0) return false;
    const specifier = owner.source.value;
    const { world } = this.#ev;
    return (
      !/^[./#]/.test(specifier) && !modules.has(packageFrom(world, module, specifier)) && world.resolve(module, specifier) === undefined
    );
  }

  /** Whether a variable, or a field by its name, holds a `new Map()` or the like and nothing else. */
  #isContainer(node: Node, module: SourceModule): boolean {
    if (node.kind === 'member') return node.object.kind === 'this' && this.#names.containers.has(node.property ?? '');
    return holdsOnly(node, module, (init) => makesContainer(init, module));
  }
}

/** Whether a name is that of a variable which holds what it is declared with, and nothing else. */
function holdsOnly(node: Node, { scopes }: SourceModule, isMeant: (init: Node | undefined) => boolean): boolean {
  const binding = node.kind === 'name' ? scopes.bindingOf(node) : undefined;
  if (binding?.owner.kind !== 'variable' || binding.again.length > 0 || binding.owner.target.kind !== 'patternName') return false;
  return binding.owner.each === undefined && isMeant(binding.owner.init) && assignmentsOf(binding).all.length === 0;
}

const makesContainer = (node: Node | undefined, { scopes }: SourceModule): boolean =>
  node?.kind === 'call' &&
  node.isNew &&
  node.callee.kind === 'name' &&
  containers.has(node.callee.name) &&
  scopes.bindingOf(node.callee) === undefined;

/** What `a.b.c` begins with; of a call within nothing is said. */
function rootOf(node: Node): Node {
  let at = node;
  while (at.kind === 'member') at = at.object;
  return at;
}

interface Names {
  /** Under which the project puts something into objects, classes and exports … */
  readonly own: ReadonlySet<string>;
  /** … and what may be one of these names, as it is computed. */
  readonly texts: ReadonlySet<string>;
  /** Of these, what is written into something. */
  readonly written: ReadonlySet<string>;
  /** Of fields that hold containers and nothing else. */
  readonly containers: ReadonlySet<string>;
}

function namesIn(ev: Evaluation): Names {
  const [own, texts, written] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [holding, others] = [new Set<string>(), new Set<string>()];
  let isOpen = false;
  for (const module of ev.world.modules.values()) {
    const { program } = module.tree;
    const add = (name: string | undefined, value: Node | undefined): void => {
      if (name === undefined) return;
      own.add(name);
      (makesContainer(value, module) ? holding : others).add(name);
    };
    for (const name of module.exports.keys()) own.add(name);
    for (const text of module.texts) if (text.kind === 'string') texts.add(text.value);
    for (const { name, value } of nodesOfKind(program, 'property')) add(name, value);
    for (const { name, value } of nodesOfKind(program, 'classMember')) add(name, value);
    for (const { target, isField } of nodesOfKind(program, 'param')) if (isField && target.kind === 'patternName') others.add(target.name);
    for (const { target, value } of module.writes) {
      if (target.kind !== 'member') continue;
      add(target.property, value);
      if (target.property !== undefined) written.add(target.property);
      // `this[name] = …` may be any field.
      isOpen ||= target.property === undefined && target.object.kind === 'this';
    }
  }
  return { own, texts, written, containers: new Set([...holding].filter((name) => !isOpen && !others.has(name))) };
}
