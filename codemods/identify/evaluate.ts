/**
 * What an expression can be: an abstract run of the program that follows constants, parameters, objects, classes and modules
 * as far as they decide a request. It never guesses: what it does not know is `unknown`, and says so.
 */
import type { ClientRule } from '../clients/rule.ts';
import type { Binding } from '../syntax/scopes.ts';
import type { CallNode, ConcatNode, ConditionalNode, Expression, LogicalNode, Node, UnaryNode } from '../syntax/tree.ts';
import { applyFunction, instanceOf } from './apply.ts';
import { bindingValue, globalValue } from './bindings.ts';
import { builtinCall, builtinMember, mapped, taggedText } from './builtins.ts';
import { evaluateClass, instanceMember, isFunction, selfOf } from './classes.ts';
import { Effort } from './effort.ts';
import type { At, Evaluation } from './evaluation.ts';
import { exportedValue, importedValue } from './exports.ts';
import { handedMethod, type Known } from './handed.ts';
import type { SourceModule } from './module.ts';
import { evaluateArray, evaluateObject, objectMember } from './objects.ts';
import {
  after,
  choiceOf,
  concatenated,
  type ExternalValue,
  type Frame,
  type HttpValue,
  literalText,
  maxAlternatives,
  type MethodValue,
  optionsOf,
  plainText,
  through,
  unknown,
  type Value,
} from './values.ts';
import type { World } from './world.ts';

/** Each level takes a dozen calls of ours: far from the end of the stack. */
const deepest = 150;

/** @param rules the clients that are known; the first that knows a call decides */
export function createEvaluation(world: World, rules: readonly ClientRule[]): Evaluation {
  return new Evaluator(world, rules);
}

/** By node; 'asked' while it is being found out, as what hangs on itself asks again. */
type Answers = Map<Node, Value | 'asked'>;

class Evaluator implements Evaluation {
  readonly world: World;
  readonly rules: readonly ClientRule[];
  readonly effort: Effort;
  readonly #known: Answers = new Map();
  readonly #knownIn = new WeakMap<Frame, Answers>();
  readonly #bySource = new Map<string, ClientRule>();
  readonly #byName = new Map<string, ClientRule>();
  #depth = 0;
  /** Answers that came to no end. */
  #cuts = 0;

  constructor(world: World, rules: readonly ClientRule[]) {
    this.world = world;
    this.rules = rules;
    this.effort = new Effort(world.modules.size);
    for (const rule of rules) {
      this.#byName.set(rule.name, rule);
      for (const source of rule.modules ?? []) this.#bySource.set(source, rule);
      for (const name of rule.globals ?? []) this.#bySource.set(`global ${name}`, rule);
    }
  }

  evaluate(node: Node, at: At): Value {
    const knownHere = this.#knownAt(at.frame);
    const known = knownHere.get(node);
    if (known !== undefined) return known === 'asked' ? unknown(node, at.module, 'cycle') : known;
    if (this.#depth === 0) this.effort.begin();
    if (this.#depth > deepest) return unknown(node, at.module, 'depth');
    if (!this.effort.step()) {
      this.#cuts++;
      return unknown(node, at.module, 'too many');
    }
    const cutsBefore = this.#cuts;
    let value: Value | undefined;
    knownHere.set(node, 'asked');
    this.#depth++;
    try {
      value = this.#of(node, at);
      return value;
    } finally {
      this.#depth--;
      // What came to no end here may do so elsewhere, where the question begins with it.
      if (value !== undefined && this.#cuts === cutsBefore) knownHere.set(node, value);
      else knownHere.delete(node);
    }
  }

  /** What is known already; within a call that is followed, for as long as it is followed. */
  #knownAt(frame: Frame | undefined): Answers {
    if (frame === undefined) return this.#known;
    const known = this.#knownIn.get(frame) ?? new Map<Node, Value>();
    this.#knownIn.set(frame, known);
    return known;
  }

  #of(node: Node, at: At): Value {
    const { module } = at;
    switch (node.kind) {
      case 'string':
        return literalText(node, module);
      case 'template':
        return concatenated(
          node.texts.flatMap((text, index) => {
            const expression = node.expressions[index];
            const own = literalPart(text, node, module);
            return expression === undefined ? [own] : [own, this.evaluate(expression, at)];
          }),
        );
      case 'concat':
        return concatenated(operands(node).map((operand) => this.evaluate(operand, at)));
      case 'literal':
        return typeof node.value === 'object' && node.value !== null ? unknown(node, module) : { type: 'literal', value: node.value };
      case 'name': {
        const binding = module.scopes.bindingOf(node);
        const value = binding === undefined ? globalValue(node.name) : bindingValue(this, binding, at);
        return through(value, node, module);
      }
      case 'member':
        return this.#member(node, at);
      case 'call':
        return this.#call(node, at);
      case 'object':
        return evaluateObject(this, node, at);
      case 'array':
        return evaluateArray(this, node, at);
      case 'conditional':
        return this.#conditional(node, at);
      case 'logical':
        return this.#logical(node, at);
      case 'await':
        return this.evaluate(node.argument, at);
      case 'unary':
        return negated(node, this.evaluate(node.argument, at)) ?? unknown(node, module);
      case 'assign':
        return node.operator === '+=' ? unknown(node, module) : this.evaluate(node.value, at);
      case 'function': {
        const asClass = module.prototypes.get(node);
        return asClass === undefined ? { type: 'function', node, module, frame: at.frame } : evaluateClass(asClass, at);
      }
      case 'class':
        return evaluateClass(node, at);
      case 'tagged':
        return taggedText(this, node, at);
      case 'this':
        return through(selfOf(this, node, at), node, module);
      default:
        return unknown(node, module, 'syntax');
    }
  }

  #member(node: Extract<Node, { kind: 'member' }>, at: At): Value {
    const object = this.evaluate(node.object, at);
    if (node.property !== undefined) return this.member(object, node.property, node, at);
    if (node.computed === undefined) return unknown(node, at.module);
    const keys = optionsOf(this.evaluate(node.computed, at));
    // Which property it is, the caller decides.
    const open = keys.find(({ type }) => type === 'param');
    if (open !== undefined) return through(open, node, at.module);
    const names = keys.map(plainText);
    // An unknown index of a known table: any of its values.
    if (names.includes(undefined)) return anyMember(object, node, at);
    return choiceOf(names.map((name) => this.member(object, name ?? '', node, at)));
  }

  #conditional({ test, whenTrue, whenFalse }: ConditionalNode, at: At): Value {
    const asked = this.evaluate(test, at);
    const holds = this.#typeTest(test, at) ?? truth(asked);
    if (holds !== undefined) return this.evaluate(holds ? whenTrue : whenFalse, at);
    // What the caller decides has to be asked of the caller.
    const open = optionsOf(asked).filter(({ type }) => type === 'param');
    return choiceOf([this.evaluate(whenTrue, at), this.evaluate(whenFalse, at), ...open.slice(0, 1)]);
  }

  /** `typeof x === 'function'`, where it is known what x is. */
  #typeTest(test: Expression, at: At): boolean | undefined {
    if (test.kind !== 'binary' || !/^===?$/.test(test.operator) || test.left.kind !== 'unary' || test.left.operator !== 'typeof')
      return undefined;
    const asked = plainText(this.evaluate(test.right, at));
    const { type } = this.evaluate(test.left.argument, at);
    const known = typeNames[type];
    return asked === undefined || known === undefined ? undefined : asked === known;
  }

  #logical(node: LogicalNode, at: At): Value {
    const right = this.evaluate(node.right, at);
    const left = this.evaluate(node.left, at);
    // `a && b` is b wherever it matters; for `||` and `??` text that is there stands before what would replace it.
    if (node.operator === '&&') return right;
    const plain = plainText(left);
    if (plain !== undefined && plain !== '') return left;
    const isMissing = left.type === 'literal' && (left.value === undefined || left.value === null || left.value === false);
    return isMissing || plain === '' ? right : choiceOf([left, right]);
  }

  member(value: Value, name: string, node: Node, at: At): Value {
    const { module } = at;
    switch (value.type) {
      case 'choice':
        return choiceOf(optionsOf(value).map((option) => this.member(option, name, node, at)));
      case 'object':
        return through(after(objectMember(this, value, name, node, at), value.trail), node, module);
      case 'instance':
      case 'class':
        return through(after(instanceMember(this, value, name, node, at), value.trail), node, module);
      case 'namespace': {
        const found = this.exported(value.module, name);
        return through(after(found ?? unknown(node, module), value.trail), node, module);
      }
      case 'external':
        return through(builtinMember(value, name, node, at) ?? externalMember(value, name), node, module);
      case 'http':
        return through({ type: 'method', receiver: value, path: [name] } satisfies MethodValue, node, module);
      case 'method':
        return through(builtinMember(value, name, node, at) ?? { ...value, path: [...value.path, name] }, node, module);
      case 'param':
        return through(value, node, module);
      case 'function':
        // `fn.call`, `fn.bind` …: the function itself decides.
        return through({ type: 'method', receiver: value, path: [name] } satisfies MethodValue, node, module);
      case 'literal':
        // `options?.timeout` of options that were not given.
        if (value.value === undefined || value.value === null) return { type: 'literal', value: undefined };
        return unknown(node, module);
      default:
        return through(builtinMember(value, name, node, at) ?? unknown(node, module), node, module);
    }
  }

  #call(node: CallNode, at: At): Value {
    if (node.callee.kind === 'other' && node.callee.what === 'import') return this.#imported(node, at);
    const callee = this.evaluate(node.callee, at);
    return choiceOf(optionsOf(callee).map((option) => this.#callOf(option, node, at)));
  }

  /** `import('module')`: as everywhere, what it resolves to. */
  #imported(node: CallNode, at: At): Value {
    const specifier = plainText(this.args(node, at)[0] ?? unknown(node, at.module));
    const value = specifier === undefined ? undefined : importedValue(this, at.module, specifier, '*');
    return value === undefined ? unknown(node, at.module, 'call') : through(value, node, at.module);
  }

  #callOf(callee: Value, node: CallNode, at: At): Value {
    switch (callee.type) {
      case 'function':
        return this.apply(callee, this.args(node, at), node, at);
      case 'class':
        return node.isNew || isFunction(callee)
          ? after(instanceOf(callee, this.args(node, at)), callee.trail)
          : unknown(node, at.module, 'call');
      case 'external':
      case 'http':
      case 'method':
        return this.#libraryCall(callee, node, at);
      case 'param':
        return mapped(this, callee, node, at) ?? callee;
      default:
        return builtinCall(this, callee, node, at) ?? unknown(node, at.module, 'call');
    }
  }

  #libraryCall(callee: ExternalValue | HttpValue | MethodValue, node: CallNode, at: At): Value {
    const known = this.#ruleFor(callee);
    if (known !== undefined && callee.type !== 'http') {
      const itself = { ...callee, path: callee.path.slice(0, -1) };
      switch (callee.path.at(-1)) {
        case 'bind':
          return itself;
        case 'call':
          return this.#ask(itself, this.args(node, at).slice(1), node, at);
        case 'apply': {
          const list = this.args(node, at)[1];
          return list?.type === 'list' && !list.isOpen ? this.#ask(itself, list.items, node, at) : unknown(node, at.module, 'call');
        }
        default:
      }
    }
    return this.#ask(callee, this.args(node, at), node, at);
  }

  #ruleFor(callee: Value): Known | undefined {
    if (callee.type === 'method' && callee.receiver.type === 'unknown') return handedMethod(this.rules, callee);
    const on = callee.type === 'http' ? callee : callee.type === 'method' && callee.receiver.type === 'http' ? callee.receiver : undefined;
    const rule = on !== undefined ? this.#byName.get(on.client) : callee.type === 'external' ? this.#ruleOf(callee) : undefined;
    const names = callee.type === 'external' || callee.type === 'method' ? callee.path : [];
    return rule && { rule, on, path: callee.type === 'external' && callee.source === '' ? names.slice(1) : names };
  }

  #ask(callee: Value, args: readonly Value[], node: CallNode, at: At): Value {
    return this.ask(callee, args, node, at) ?? builtinCall(this, callee, node, at) ?? unknown(node, at.module, 'call');
  }

  ask(callee: Value, args: readonly Value[], node: CallNode, { module, frame }: At): Value | undefined {
    const known = this.#ruleFor(callee);
    const made = known?.rule.call({ node, module, frame, path: known.path, on: known.on, args, ev: this });
    // `request.set(…)` gives back the request itself.
    if (made !== undefined && made === known?.on) return after(made, callee.trail);
    if (made?.type !== 'http') return made && through(made, node, module);
    const from = known?.on?.origins ?? (callee.type === 'external' ? [originOf(callee)] : []);
    return after({ ...made, origins: [...new Set([...from, ...made.origins, node])] }, callee.trail);
  }

  #ruleOf(value: ExternalValue): ClientRule | undefined {
    return this.#bySource.get(originOf(value));
  }

  apply(fn: Extract<Value, { type: 'function' }>, args: readonly Value[], call: CallNode, at: At): Value {
    return through(applyFunction(this, fn, args, call, at), call, at.module);
  }

  args(call: CallNode, at: At): readonly Value[] {
    return call.args.flatMap((arg): readonly Value[] => {
      if (arg.kind !== 'spread') return [this.evaluate(arg, at)];
      const list = this.evaluate(arg.argument, at);
      if (list.type === 'list' && !list.isOpen) return list.items;
      return [list.type === 'param' ? list : unknown(arg, at.module)];
    });
  }

  binding(binding: Binding, at: At): Value {
    return bindingValue(this, binding, at);
  }

  exported(module: SourceModule, name: string, seen?: ReadonlySet<SourceModule>): Value | undefined {
    return exportedValue(this, module, name, seen);
  }
}

/** Whether a value counts as true; undefined where that is not known. */
function truth(value: Value): boolean | undefined {
  if (value.type === 'literal') return Boolean(value.value);
  if (['object', 'list', 'function', 'class', 'instance', 'http'].includes(value.type)) return true;
  const text = value.type === 'text' ? plainText(value) : undefined;
  return text === undefined ? undefined : text !== '';
}

function negated({ operator }: UnaryNode, value: Value): Value | undefined {
  return operator === '-' && value.type === 'literal' && typeof value.value === 'number'
    ? { type: 'literal', value: -value.value }
    : undefined;
}

const typeNames: Partial<Record<Value['type'], string>> = {
  text: 'string',
  function: 'function',
  class: 'function',
  object: 'object',
  list: 'object',
  instance: 'object',
};

/** The name that a package or global has among the origins of what it makes. */
export const originOf = ({ source, path }: ExternalValue): string => (source === '' ? `global ${path[0] ?? ''}` : source);

function literalPart(text: { readonly start: number; readonly value: string }, node: Node, module: SourceModule): Value {
  const isExact = module.text.startsWith(text.value, text.start);
  return { type: 'text', parts: text.value === '' ? [] : [{ text: text.value, source: { module, start: text.start, isExact, node } }] };
}

/** `a + b + c`, however long, from left to right. */
function operands(node: ConcatNode): Expression[] {
  const found: Expression[] = [];
  let at: Expression = node;
  while (at.kind === 'concat') {
    found.push(at.right);
    at = at.left;
  }
  found.push(at);
  return found.toReversed();
}

function anyMember(object: Value, node: Node, at: At): Value {
  const options = optionsOf(object).flatMap((option): readonly Value[] => {
    if (option.type === 'object' && option.unknown.length === 0 && option.entries.length <= maxAlternatives) {
      return option.entries.map((entry) => after(entry.value(), option.trail));
    }
    if (option.type === 'list' && !option.isOpen) return option.items.map((item) => after(item, option.trail));
    return option.type === 'param' ? [option] : [unknown(node, at.module)];
  });
  return options.length === 0 ? unknown(node, at.module) : through(choiceOf(options), node, at.module);
}

const externalMember = (value: ExternalValue, name: string): ExternalValue =>
  // The default export is the module itself, as import and require give it in turn.
  name === 'default' && value.source !== '' ? value : { ...value, path: [...value.path, name] };
