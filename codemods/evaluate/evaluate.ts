/**
 * What an expression can be: an abstract run of the program that follows constants, parameters, objects, classes and modules
 * as far as they decide a request. It never guesses: what it does not know is `unknown`, and says so.
 */
import type { ClientRule, Run } from './libraries/client-rule.ts';
import type { Binding } from '../syntax/scopes.ts';
import type { CallNode, Node, OtherNode } from '../syntax/tree.ts';
import { readsAnswer } from './calls/answers.ts';
import { applyFunction, instanceOf } from './calls/apply.ts';
import { isReckoning } from './names/assignments.ts';
import { bindingValue, globalValue } from './names/bindings.ts';
import { continuedValue } from './language/continued.ts';
import { suppliedValue } from './language/suppliers.ts';
import { builtinCall, taggedText } from './language/builtins.ts';
import { mapped } from './language/list-methods.ts';
import { evaluateClass, isFunction, newTarget, selfOf } from './classes/classes.ts';
import { type Answer, Budget, type Far, type Place } from './budget.ts';
import { combined } from './libraries/combined.ts';
import type { At, Evaluation } from './evaluation.ts';
import { exportedValue, importedValue, ownExports } from './names/exports.ts';
import { givenByAll } from './libraries/fakes.ts';
import { type Answers, answerIn, Fixpoint } from './fixpoint.ts';
import { Library } from './libraries/library.ts';
import { lookedUp, lookedUpAs } from './language/looked-up.ts';
import { memberOf, readMember } from './language/members.ts';
import type { SourceModule } from './module.ts';
import { isTaken, orProvided } from './libraries/provided.ts';
import { evaluateArray, evaluateObject } from './language/objects.ts';
import { missingTest } from './language/presence-checks.ts';
import { piecesOf } from './values/ended-texts.ts';
import { narrowed } from './language/narrowing.ts';
import { added, conditionalValue, logicalValue, negated, operands, multiplied } from './language/operators.ts';
import { isTooDeep, sizeOf } from './values/same.ts';
import { concatenated, literalPart, literalText } from './values/text.ts';
import { argumentsOf, asArguments, asOne, callerOf, laidOut } from './calls/callers.ts';
import type { Frame } from './calls/frame.ts';
import { after, choiceOf, optionsOf, plainText, through, unknown, type Value } from './values/values.ts';
import type { World } from './program.ts';

/** `/v${VERSION}/` where that is a number. */
const versionNumber = 1;

/** Each level takes a dozen calls of ours, of which each takes several times as much of the stack until it is compiled: far from its end even so. */
const deepest = 80;
/** In how many calls within each other something is asked by itself: functions that come back to themselves are in other calls each time. */
const maxCallsWithin = 2;
/** Fields within fields: an instance that makes its like of its own fields has fields without end, and no expression around them. Each counts twice: as it is asked for, and as it is found out. */
const deepestFields = 160;

/**
 * @param rules the clients that are known; the first that knows a call decides
 * @param far where nothing is edited, if that is known
 */
export function createEvaluation(world: World, rules: readonly ClientRule[], far?: Far): Evaluation {
  return new Evaluator(world, rules, far);
}

/** Whether what is asked in a call is asked within as many others as are followed. */
function isInTooMany(around: readonly At[], { frame }: At): boolean {
  const calls = new Set(around.map((each) => each.frame));
  calls.delete(undefined);
  return frame !== undefined && !calls.has(frame) && calls.size >= maxCallsWithin;
}

class Evaluator implements Evaluation {
  readonly world: World;
  readonly rules: readonly ClientRule[];
  readonly budget: Budget;
  /** What is known outside of all calls. */
  readonly #answers: Answers = new Map();
  readonly #fixpoint: Fixpoint;
  readonly #library: Library;
  #depth = 0;
  #fields = 0;
  /** What lay too deep for the question. */
  #tooDeep: (At & { readonly node: Node })[] = [];

  constructor(world: World, rules: readonly ClientRule[], far: Far | undefined) {
    this.world = world;
    this.rules = rules;
    const characters = [...world.modules.values()].reduce((sum, { text }) => sum + text.length, 0);
    this.budget = new Budget(far === undefined ? characters : characters - far.beside - far.characters, far);
    this.#fixpoint = new Fixpoint(this.budget);
    this.#library = new Library(this);
  }

  evaluate(node: Node, at: At): Value {
    const known = answerIn(this.#answersIn(at.frame), node);
    if (known !== undefined) return known;
    if (this.#depth > 0) return this.#evaluate(node, at);
    const ask = (): Value => this.#evaluateAll(node, at);
    return this.budget.isAsked ? ask() : this.budget.inPieces({ node, module: at.module }, ask).value;
  }

  /**
   * What lies too deep is asked by itself, and then is known: what all of it takes is bounded, too.
   * @param around where something is being asked so: functions that call each other go deeper without end
   */
  #evaluateAll(node: Node, at: At, around: readonly At[] = []): Value {
    const { cuts, left } = this.budget;
    const asked = new Set<Node>();
    const asking = [...around, at];
    for (;;) {
      this.#tooDeep = [];
      this.#fixpoint.begin();
      const { value, isExhausted } = this.budget.question({ node, module: at.module }, () => this.#evaluate(node, at));
      const deeper = this.#tooDeep.filter((each) => !asked.has(each.node) && !isInTooMany(asking, each));
      // What is too dear where it can be followed is not followed further down.
      if (deeper.length === 0 || isExhausted || this.budget.isExhausted) return value;
      this.budget.restore(cuts);
      for (const each of deeper) {
        asked.add(each.node);
        this.#evaluateAll(each.node, each, asking);
        if (this.budget.cuts === cuts) continue;
        // What hangs on it is cut as well, and is so for all who ask again.
        if (!this.budget.isExhausted) this.#fixpoint.leave(this.#answersIn(at.frame), node, left);
        return value;
      }
    }
  }

  #evaluate(node: Node, at: At): Value {
    return this.#remember(node, { node, module: at.module }, at.frame, () => {
      if (this.#depth > deepest) {
        this.#tooDeep.push({ ...at, node });
        return this.#cut(node, at.module, 'depth');
      }
      this.#depth++;
      try {
        return this.#of(node, at);
      } finally {
        this.#depth--;
      }
    });
  }

  isResolved(node: Node, { frame }: Pick<At, 'frame'>): boolean {
    return answerIn(this.#answersIn(frame), node) !== undefined;
  }

  get isIdle(): boolean {
    return this.#fixpoint.isIdle;
  }

  aside<T>(place: Place, ask: () => T, limit: number): Answer<T> {
    try {
      return this.budget.aside(place, ask, limit);
    } finally {
      // Others may have the steps for what this one was cut in, and when it is asked again, more may be known.
      this.#fixpoint.begin();
    }
  }

  #answersIn(frame: Frame | undefined): Answers | undefined {
    return frame === undefined ? this.#answers : frame.known;
  }

  remember(key: object, subject: Place, frame: Frame | undefined, find: () => Value): Value {
    return this.#remember(key, subject, frame, subject.node.kind === 'class' ? () => this.#counted(subject, find) : find);
  }

  /** What is asked of fields; what is remembered of an instance has its class as its subject. */
  #counted({ node, module }: Place, find: () => Value): Value {
    if (this.#fields > deepestFields) return this.#cut(node, module, 'depth');
    this.#fields++;
    try {
      return find();
    } finally {
      this.#fields--;
    }
  }

  #remember(key: object, subject: Place, frame: Frame | undefined, find: () => Value): Value {
    const answers = frame === undefined ? this.#answers : (frame.known ??= new Map());
    const known = answerIn(answers, key);
    if (known !== undefined) return known;
    if (this.#depth === 0 && !this.budget.isAsked) this.#fixpoint.begin();
    const ask = (): Value => this.#fixpoint.ask(answers, key, subject, () => this.#found(subject, find));
    return this.budget.isAsked ? ask() : this.budget.question(subject, ask).value;
  }

  /** Finds something out, unless that has become too dear. */
  #found({ node, module }: Place, find: () => Value): Value {
    if (!this.budget.step(node, module)) return this.#cut(node, module, 'too many');
    const value = find();
    if (making.has(node.kind)) this.budget.charge(sizeOf(value));
    return isTooDeep(value) ? this.#cut(node, module, 'depth') : value;
  }

  #cut(node: Node, module: SourceModule, why: 'depth' | 'too many'): Value {
    this.budget.cut();
    return unknown(node, module, why);
  }

  #of(node: Node, at: At): Value {
    const { module } = at;
    switch (node.kind) {
      case 'string':
        return literalText(node, module);
      case 'template':
        return concatenated(
          piecesOf(
            this,
            node.texts.flatMap((text, index) => [
              ...(text.value === '' ? [] : [literalPart(text, node, module)]),
              ...node.expressions.slice(index, index + 1),
            ]),
            at,
          ),
        );
      case 'concat':
        return added(piecesOf(this, operands(node), at), node, at);
      case 'literal':
        if (typeof node.value === 'object' && node.value !== null) return unknown(node, module);
        return { type: 'literal', value: node.value, ...(node.value === versionNumber && { at: { node, module } }) };
      case 'name': {
        const binding = module.scopes.bindingOf(node);
        const value =
          binding === undefined
            ? (ownExports(this, node, module) ?? orProvided(this, globalValue(node.name), node, undefined, at))
            : bindingValue(this, binding, at, node);
        return narrowed(this, node, through(value, node, module), at);
      }
      case 'member':
        return narrowed(this, node, ownExports(this, node, module) ?? readMember(this, node, at), at);
      case 'call':
        return this.#call(node, at);
      case 'object':
        return evaluateObject(this, node, at);
      case 'array':
        return evaluateArray(this, node, at);
      case 'conditional':
        return conditionalValue(this, node, at);
      case 'logical':
        return logicalValue(this, node, at);
      case 'await':
        return this.evaluate(node.argument, at);
      case 'unary':
        return negated(node, this.evaluate(node.argument, at)) ?? unknown(node, module);
      case 'binary':
        if (node.operator === ',') return this.evaluate(node.right, at);
        return multiplied(this, node, at) ?? missingTest(this, node, at) ?? unknown(node, module, 'syntax');
      case 'assign':
        return isReckoning(node) ? unknown(node, module) : this.evaluate(node.value, at);
      case 'function': {
        const asClass = module.prototypes.get(node);
        if (asClass !== undefined) return evaluateClass(asClass, at);
        const standIn = combined(this.rules).standIn(node, module);
        return standIn?.value ?? { type: 'function', node, module, frame: at.frame, provenance: undefined };
      }
      case 'class':
        return evaluateClass(node, at);
      case 'tagged':
        return taggedText(this, node, at);
      case 'this':
        return through(selfOf(this, node, at), node, module);
      case 'other':
        return node.what === 'NewTarget'
          ? newTarget(this, node, at)
          : orProvided(this, yieldedValue(this, node, at) ?? unknown(node, module, 'syntax'), node, undefined, at);
      default:
        return unknown(node, module, 'syntax');
    }
  }

  member(value: Value, name: string, node: Node, at: At): Value {
    const found = this.#counted({ node, module: at.module }, () => memberOf(this, value, name, node, at));
    const isRead = node.kind === 'member' ? node.property === name : node.kind === 'patternName' && isTaken(node, name);
    return isRead ? orProvided(this, found, node, name, at) : found;
  }

  #call(node: CallNode, at: At): Value {
    if (node.callee.kind === 'other' && node.callee.what === 'import') return this.#imported(node, at);
    if (readsAnswer(this, node, at)) return orProvided(this, unknown(node, at.module, 'call'), node, undefined, at);
    const continued = continuedValue(this, node, at);
    if (continued !== undefined) return continued;
    const callee = this.evaluate(node.callee, at);
    const found = callable(callee, node);
    // `build[name]?.(path)`, which not every name has.
    const mayLack = node.callee.kind === 'member' && node.callee.computed !== undefined && found.length < optionsOf(callee).length;
    const asCalled = (by: Value): Value => (mayLack ? lookedUp(this.#callOf(by, node, at)) : lookedUpAs(by, this.#callOf(by, node, at)));
    const answers = found.map((by) => ({ by, value: asCalled(by) }));
    return orProvided(this, choiceOf(givenByAll(answers, node, at)), node, undefined, at);
  }

  /** `import('module')`: as everywhere, what it resolves to. */
  #imported(node: CallNode, at: At): Value {
    const specifier = plainText(this.args(node, at)[0] ?? unknown(node, at.module));
    const value = specifier === undefined ? undefined : importedValue(this, at.module, specifier, '*');
    return value === undefined ? unknown(node, at.module, 'call') : through(value, node, at.module);
  }

  #callOf(callee: Value, node: CallNode, at: At): Value {
    const supplied = suppliedValue(callee, node, at);
    if (supplied !== undefined) return through(supplied, node, at.module);
    switch (callee.type) {
      case 'function':
        return through(applyFunction(this, callee, argumentsOf(this, callerOf(node, at.module), at.frame), node, at), node, at.module);
      case 'class':
        return node.isNew || isFunction(callee)
          ? after(instanceOf(callee, this.args(node, at)), callee.provenance)
          : unknown(node, at.module, 'call');
      case 'external':
      case 'http':
      case 'method':
        return this.#library.call(callee, node, at);
      case 'param':
        return mapped(this, callee, node, at) ?? callee;
      case 'literal':
        // `options.method?.toUpperCase()`, where no method is given.
        return callee.why === 'absent' ? callee : unknown(node, at.module, 'call');
      default:
        return builtinCall(this, callee, node, at) ?? unknown(node, at.module, 'call');
    }
  }

  ask(callee: Value, args: readonly Value[], node: CallNode, at: At): Value | undefined {
    return this.#library.ask(callee, args, node, at);
  }

  runs(callee: Value, node: CallNode, at: At): readonly Run[] {
    return this.#library.runs(callee, node, at);
  }

  apply(fn: Extract<Value, { type: 'function' }>, args: readonly Value[], call: CallNode, at: At): Value {
    return through(applyFunction(this, fn, asArguments(args), call, at), call, at.module);
  }

  args(call: CallNode, at: At): readonly Value[] {
    return call.args.flatMap((arg): readonly Value[] =>
      arg.kind === 'spread' ? laidOut(this.evaluate(arg.argument, at), arg, at.module) : [asOne(this.evaluate(arg, at))],
    );
  }

  binding(binding: Binding, at: At): Value {
    return bindingValue(this, binding, at);
  }

  exported(module: SourceModule, name: string, seen?: Set<SourceModule>): Value | undefined {
    return exportedValue(this, module, name, seen);
  }
}

/** `yield* settings`: where a library runs the generator, it says what that gives. */
function yieldedValue(ev: Evaluation, { what, children }: OtherNode, at: At): Value | undefined {
  const [of] = children;
  return what === 'YieldExpression' && of !== undefined ? combined(ev.rules).yields(ev, of, at) : undefined;
}

/** What makes values, where others hand on what is made. */
const making: ReadonlySet<Node['kind']> = new Set([
  'object',
  'array',
  'call',
  'template',
  'concat',
  'conditional',
  'logical',
  'patternName',
]);

/** What may be called: a method that one of several objects does not have throws there, so another of them is meant. */
function callable(callee: Value, { callee: { kind } }: CallNode): readonly Value[] {
  const options = optionsOf(callee);
  const there =
    kind === 'member' ? options.filter((each) => each.type !== 'literal' || each.value !== undefined || each.why === 'absent') : options;
  return there.length > 0 ? there : options;
}
