/**
 * What is found out is remembered, and what hangs on itself is its least fixpoint (Kleene): it begins as nothing, and is asked again with what it
 * was found to be until it stays the same. So an answer is the same whichever question was asked first, and a cycle costs a few rounds.
 *
 * Only the question that a whole cycle hangs on goes round; what else is on the cycle keeps, from one round to the next, what it was found to be.
 * What does not settle is widened: besides what it was found to be it then may be anything.
 */
import type { SourceModule } from './module.ts';
import { none } from '../syntax/lists.ts';
import type { Node } from '../syntax/tree.ts';
import type { Budget, Place } from './budget.ts';
import { isSame } from './values/same.ts';
import { choiceOf, nothing, unknown, type Value } from './values/values.ts';

/** Rounds before a cycle is widened; objects that spread themselves settle in the third. */
const maxRounds = 3;

/** By node, or by what else is asked about. */
export type Answers = Map<object, Value | Asked | Provisional | Assumed | Cut>;

/** It is being found out: what hangs on it gets what it was found to be so far. */
interface Asked {
  readonly type: 'asked';
  /** How many others are being asked around it. */
  readonly index: number;
  /** The outermost question that it was found to hang on. */
  low: number;
  isHit: boolean;
  assumed: Value;
}

/** Found out on what a question around it, the `low`th, is so far. */
interface Provisional {
  readonly type: 'provisional';
  readonly value: Value;
  readonly low: number;
  readonly assumed: Value | undefined;
}

/** What it was found to be in the round before. */
interface Assumed {
  readonly type: 'assumed';
  readonly value: Value;
}

/** It was not followed to its end, and is not again until the question is asked anew. */
interface Cut {
  readonly type: 'cut';
  readonly value: Value;
  /** Set where it took most of a question to find that out; 'final' where nothing is left that another question may follow further. */
  readonly tried: Tried | 'final' | undefined;
}

/**
 * What took most of a question is asked once more with as many steps, as what it hangs on may be known by then, and then only with more.
 * What was the question itself is asked again with more alone: who looks at a place asks for it several times.
 */
interface Tried {
  /** How many steps there were for it. */
  readonly steps: number;
  readonly times: number;
  /** In which question. */
  readonly question: number;
  readonly isWhole: boolean;
  readonly place: Place | undefined;
}
const maxTries = 2;

interface Subject {
  readonly node: Node;
  readonly module: SourceModule;
}

/** What is known for good; undefined where nothing is, or not yet. */
export function answerIn(answers: Answers | undefined, key: object): Value | undefined {
  const known = answers?.get(key);
  switch (known?.type) {
    case 'asked':
    case 'provisional':
    case 'assumed':
    case 'cut':
      return undefined;
    default:
      return known;
  }
}

export class Fixpoint {
  readonly #budget: Budget;
  readonly #stack: Asked[] = [];
  /** What was found on assumptions that may not hold. */
  readonly #provisional: { readonly answers: Answers; readonly key: object; readonly subject: Subject }[] = [];
  /** What was cut. */
  #cut: { readonly answers: Answers; readonly key: object }[] = [];
  /** How often an assumption was found not to hold. */
  #unsettled = 0;
  #isWidening = false;
  /** The number of the question that is being asked. */
  #question = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  get isIdle(): boolean {
    return this.#stack.length === 0;
  }

  /**
   * @param answers what is remembered where it is asked
   * @param subject what messages name for it
   * @param find finds it out, asking others
   */
  ask(answers: Answers, key: object, subject: Subject, find: () => Value): Value {
    const known = answers.get(key);
    if (known?.type === 'asked') {
      known.isHit = true;
      this.#hangOn(known.index);
      return known.assumed;
    }
    if (known?.type === 'provisional') {
      this.#hangOn(known.low);
      return known.value;
    }
    if (known?.type === 'cut' && !this.#isWorthAnother(known.tried)) {
      if (known.tried === 'final') this.#budget.cut(undefined, true);
      else this.#budget.cut(known.tried?.place);
      return known.value;
    }
    if (known !== undefined && known.type !== 'assumed' && known.type !== 'cut') return known;
    if (this.#budget.isExhausted) return this.#cutShort(answers, key, find);
    const assumed = known?.type === 'assumed' ? known.value : nothing;
    const asked: Asked = { type: 'asked', index: this.#stack.length, low: Infinity, isHit: false, assumed };
    const isWidening = this.#isWidening;
    const tried: Tried = {
      steps: this.#budget.left,
      times: timesOf(known) + 1,
      question: this.#question,
      isWhole: this.#stack.length === 0,
      place: undefined,
    };
    try {
      return this.#settle(answers, key, subject, asked, find, tried);
    } finally {
      this.#isWidening = isWidening;
    }
  }

  /** A new question begins: what was cut in another may be followed in it. */
  begin(): void {
    for (const { answers, key } of this.#cut) if (answers.get(key)?.type === 'cut') answers.delete(key);
    this.#cut = [];
    this.#question++;
  }

  /** What was cut is not followed again but with more steps: what it hangs on was asked by itself, and was cut, too. */
  leave(answers: Answers | undefined, key: object, steps: number): void {
    const known = answers?.get(key);
    if (known?.type !== 'cut' || known.tried !== undefined) return;
    const tried: Tried = { steps, times: maxTries, question: this.#question, isWhole: true, place: this.#budget.mostExpensive };
    answers?.set(key, { ...known, tried });
    this.#cut = this.#cut.filter((each) => each.key !== key || each.answers !== answers);
  }

  /** Whether what was cut may be followed further than before. */
  #isWorthAnother(tried: Cut['tried']): boolean {
    if (tried === undefined || tried === 'final' || tried.question === this.#question) return false;
    return this.#budget.left > tried.steps || (tried.times < maxTries && !tried.isWhole);
  }

  /** Nothing is followed any more: thousands may still be asked for on the way back. */
  #cutShort(answers: Answers, key: object, find: () => Value): Value {
    const value = find();
    answers.set(key, { type: 'cut', value, tried: undefined });
    this.#cut.push({ answers, key });
    return value;
  }

  #settle(answers: Answers, key: object, subject: Subject, asked: Asked, find: () => Value, tried: Tried): Value {
    const first = this.#provisional.length;
    for (let round = 1; ; round++) {
      const { cuts, openCuts } = this.#budget;
      const unsettled = this.#unsettled;
      const value = this.#found(answers, key, subject, asked, find);
      if (this.#budget.cuts > cuts) {
        this.#forget(first);
        if (asked.low < asked.index) this.#hangOn(asked.low);
        const whole = asked.isHit ? choiceOf([value, unknown(subject.node, subject.module, 'too many')]) : value;
        const tookMost = this.#budget.isExhausted && this.#budget.tookMost(tried.steps);
        const isFinal = this.#budget.openCuts === openCuts && asked.low >= asked.index;
        const again = tookMost ? { ...tried, place: this.#budget.mostExpensive } : undefined;
        answers.set(key, { type: 'cut', value: whole, tried: isFinal ? 'final' : again });
        if (!tookMost && !isFinal) this.#cut.push({ answers, key });
        return whole;
      }
      if (asked.isHit && !isSame(value, asked.assumed)) {
        this.#unsettled++;
        asked.assumed = value;
      }
      if (asked.low < asked.index) {
        answers.set(key, { type: 'provisional', value, low: asked.low, assumed: asked.isHit ? asked.assumed : undefined });
        this.#provisional.push({ answers, key, subject });
        this.#hangOn(asked.low);
        return value;
      }
      if (!asked.isHit || this.#unsettled === unsettled || this.#isWidening)
        return this.#conclude(answers, key, subject, { value, isCycle: asked.isHit }, first);
      this.#again(first);
      this.#isWidening = round === maxRounds;
    }
  }

  #found(answers: Answers, key: object, { node, module }: Subject, asked: Asked, find: () => Value): Value {
    asked.low = Infinity;
    asked.isHit = false;
    if (this.#isWidening) asked.assumed = choiceOf([asked.assumed, unknown(node, module, 'cycle')]);
    answers.set(key, asked);
    this.#stack.push(asked);
    let isFound = false;
    try {
      const value = find();
      isFound = true;
      return value;
    } finally {
      this.#stack.pop();
      if (!isFound) answers.delete(key);
    }
  }

  #hangOn(index: number): void {
    const last = this.#stack.at(-1);
    if (last !== undefined && index < last.low) last.low = index;
  }

  /** Everything holds that was found on the way. What nothing but itself says is not known. */
  #conclude(answers: Answers, key: object, subject: Subject, { value, isCycle }: { value: Value; isCycle: boolean }, first: number): Value {
    // Most of what is asked hangs on nothing.
    const provisional = this.#provisional.length > first ? this.#provisional.splice(first) : none;
    for (const each of provisional) {
      const found = each.answers.get(each.key);
      if (found?.type === 'provisional') each.answers.set(each.key, settled(found.value, each.subject));
    }
    const whole = isCycle ? settled(value, subject) : value;
    answers.set(key, whole);
    return whole;
  }

  /** Begins a round with what was found in the one before. */
  #again(first: number): void {
    for (const { answers, key } of this.#provisional.splice(first)) {
      const found = answers.get(key);
      if (found?.type !== 'provisional') continue;
      if (found.assumed === undefined) answers.delete(key);
      else answers.set(key, { type: 'assumed', value: found.assumed });
    }
  }

  #forget(first: number): void {
    for (const { answers, key } of this.#provisional.splice(first)) if (answers.get(key)?.type === 'provisional') answers.delete(key);
  }
}

const timesOf = (known: ReturnType<Answers['get']>): number =>
  known?.type === 'cut' && known.tried !== 'final' ? (known.tried?.times ?? 0) : 0;

const settled = (value: Value, { node, module }: Subject): Value =>
  value.type === 'choice' && value.options.length === 0 ? unknown(node, module, 'cycle') : value;
