/**
 * What a name holds that is reckoned with: `path += '/x'`, `count++`. Here it counts in which order the writes are run, and how often: they are followed
 * from the declaration to the place that reads the name, branch by branch. What loops and functions write any number of times is left open.
 */
import type { Binding } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { leftOpenIn } from './assigned-values.ts';
import { asAssigned } from '../writes/external-writes.ts';
import { truth } from '../language/looked-up.ts';
import { added } from '../language/operators.ts';
import {
  deferredIn,
  type Fork,
  forkOf,
  functionAround,
  hasWayAround,
  isCatch,
  isLeaving,
  isRunAfter,
  type Item,
  type Way,
  stepsIn,
  type WriteStep,
} from './order.ts';
import { heldWhere } from '../language/narrowing.ts';
import { isSame } from '../values/same.ts';
import { concatenated, flat } from '../values/text.ts';
import { choiceOf, optionsOf, unknown, type Value } from '../values/values.ts';

/** Whether a part of a condition is run where that holds. */
const isTakenIf = (node: Node, way: Node): boolean =>
  way === (node.kind === 'conditional' ? node.whenTrue : node.kind === 'other' ? node.children[1] : undefined);

const testOf = (node: Node): Node | undefined =>
  node.kind === 'conditional' ? node.test : node.kind === 'other' && node.what === 'IfStatement' ? node.children[0] : undefined;

/** Texts that conditions put together; beyond, what they put after one is left open. */
const maxTexts = 16;

export interface Reckoning {
  readonly items: readonly Item[];
  /** Whether something stands around the whole life of the name. */
  readonly isRoot: (node: Node) => boolean;
}

/** @param place that reads the name; undefined for what it holds in the end */
export function reckonedValue(
  ev: Evaluation,
  binding: Binding,
  { items, isRoot }: Reckoning,
  start: () => Value,
  at: At,
  place: Node | undefined,
): Value {
  return new Reckoner(ev, binding, at, items, isRoot).at(items, start, place);
}

const isGrowing = ({ node }: WriteStep): boolean => node.operator === '+=';
const begins = (option: Value, mark: string): boolean => option.type === 'text' && flat(option.parts).startsWith(mark);

const constantly = (value: Value) => (): Value => value;

class Reckoner {
  readonly #ev: Evaluation;
  readonly #binding: Binding;
  readonly #at: At;
  readonly #all: readonly Item[];
  readonly #deferred: readonly WriteStep[];
  readonly #isRoot: (node: Node) => boolean;

  constructor(ev: Evaluation, binding: Binding, at: At, all: readonly Item[], isRoot: (node: Node) => boolean) {
    this.#ev = ev;
    this.#binding = binding;
    this.#at = at;
    this.#all = all;
    this.#deferred = deferredIn(all);
    this.#isRoot = isRoot;
  }

  at(items: readonly Item[], start: () => Value, place: Node | undefined): Value {
    const fn = place === undefined ? undefined : functionAround(place, this.#isRoot);
    if (place === undefined || fn === undefined) return this.#run(items, () => this.#loosened(start()), place);
    const steps = stepsIn(items);
    const isAfter = this.#deferred.length === 0 && isRunAfter(fn, steps, this.#isRoot, this.#at.module.scopes);
    const held = isAfter ? this.#run(items, start) : this.#widened(start(), steps);
    return this.#run(forkOf(fn, items)?.items ?? [], () => held, place);
  }

  /** What is held after all that is run, or at a place among it. */
  #run(items: readonly Item[], start: () => Value, place?: Node): Value {
    const around = new Set<Node>();
    for (let at = place; at !== undefined; at = at.parent) around.add(at);
    let held = start;
    for (const item of items) {
      if (around.has(item.node)) return item.kind === 'step' ? held() : this.#within(item, held(), around, place);
      if (place !== undefined && item.node.start >= place.start) break;
      const before = held;
      const after = (): Value => this.#after(item, before());
      // Each asks for what was held before, so that it is known what hangs on what.
      held = items === this.#all ? () => this.#ev.remember(item.after, this.#subject, this.#at.frame, after) : constantly(after());
      held();
    }
    return held();
  }

  get #subject(): { node: Node; module: At['module'] } {
    return { node: this.#binding.declaration, module: this.#at.module };
  }

  /** What is held at a place within a part of something. */
  #within(fork: Fork, held: Value, around: ReadonlySet<Node>, place: Node | undefined): Value {
    const way = fork.ways.find(({ node }) => around.has(node));
    // What stands in a catch clause is run wherever the statements before it end.
    if (way === undefined) return fork.kind === 'try' ? this.#widened(held, stepsIn([fork])) : held;
    const before = fork.ways.slice(0, fork.ways.indexOf(way)).flatMap(({ items }) => items);
    const isOpen = fork.kind === 'loop' || fork.kind === 'function';
    const isAfterOthers = (fork.kind === 'switch' || fork.kind === 'try') && before.length > 0;
    const start = isOpen ? this.#widened(held, stepsIn(way.items)) : isAfterOthers ? this.#widened(held, stepsIn(before)) : held;
    return this.#run(way.items, () => start, place);
  }

  #after(item: Item, held: Value): Value {
    switch (item.kind) {
      case 'step':
        return this.#loosened(this.#written(item, held));
      case 'loop':
        return this.#widened(held, stepsIn([item]));
      case 'function':
        return held;
      case 'try':
        return this.#throughTry(item, held);
      default: {
        const holds = this.#holds(item);
        const isTaken = ({ node }: Way): boolean => holds === undefined || isTakenIf(item.node, node) === holds;
        const ways = item.kind === 'switch' ? item.ways : item.ways.filter((way) => !isLeaving(way.node) && isTaken(way));
        if (holds !== undefined) return ways.reduce((before, { items }) => this.#run(items, () => before), held);
        const results: Value[] = hasWayAround(item) ? [this.#heldWhere(item, false, held)] : [];
        let fallen: Value = held;
        for (const { node, items } of ways) {
          const before = item.kind === 'switch' ? choiceOf([held, fallen]) : this.#heldWhere(item, isTakenIf(item.node, node), held);
          const result = this.#run(items, () => before);
          results.push(result);
          fallen = result;
        }
        return this.#limited(choiceOf(results), held, item);
      }
    }
  }

  /** Whether a condition is known to hold, or not to. */
  #holds({ node }: Fork): boolean | undefined {
    const test = testOf(node);
    return test === undefined ? undefined : truth(this.#ev.evaluate(test, this.#at));
  }

  #heldWhere({ node }: Fork, answer: boolean, held: Value): Value {
    const test = testOf(node);
    return test === undefined ? held : heldWhere(test, answer, this.#binding, this.#at.module, held);
  }

  /** It may end at any point of its first part, and go on with its second; the third is run after either. */
  #throughTry({ node, ways }: Fork, held: Value): Value {
    const [body, ...rest] = node.kind === 'other' ? node.children : [];
    const itemsOf = (part: Node | undefined): readonly Item[] => ways.find((way) => way.node === part)?.items ?? [];
    const tried = this.#run(itemsOf(body), () => held);
    const broken = this.#widened(held, stepsIn(itemsOf(body)));
    const caught = rest.find(isCatch);
    const results = caught === undefined || isLeaving(caught) ? [tried] : [tried, this.#run(itemsOf(caught), () => broken)];
    return this.#run(itemsOf(rest.find((part) => !isCatch(part))), () => choiceOf(results));
  }

  /** So many texts are not told apart, nor those that differ behind the path alone. */
  #limited(joined: Value, held: Value, fork: Fork): Value {
    const steps = stepsIn([fork]);
    const isAppended = steps.every(({ node }) => node.operator === '+=');
    const isInQuery = optionsOf(held).every((option) => option.type === 'text' && /[?#]/.test(flat(option.parts)));
    if (!isAppended || (optionsOf(joined).length <= maxTexts && !isInQuery)) return joined;
    return this.#widened(held, steps);
  }

  #written({ node }: WriteStep, held: Value): Value {
    const { module } = this.#at;
    if (node.kind === 'unary') return unknown(node, module, 'assigned');
    const { operator, target, value } = node;
    if (target.kind !== 'name') return unknown(value, module, 'assigned');
    const given = this.#ev.evaluate(value, this.#at);
    if (operator === '+=') return this.#appended(held, given, node);
    const before = leftOpenIn(held);
    const put = choiceOf(optionsOf(given).map((each) => (before.some((other) => isSame(other, each)) ? each : asAssigned(each))));
    if (operator === '=') return put;
    return ['||=', '??=', '&&='].includes(operator) ? choiceOf([held, put]) : unknown(node, module, 'assigned');
  }

  /** What `url += (page ? '&' : '?') + …` says goes by what was put there before: after a query `&`, and `?` where there is none. */
  #appended(held: Value, given: Value, node: Node): Value {
    const options = optionsOf(given);
    const isEither = ['?', '&'].every((mark) => options.some((option) => begins(option, mark)));
    if (!isEither) return added([held, given], node, this.#at);
    return choiceOf(
      optionsOf(held).map((option) => {
        const other = option.type === 'text' && flat(option.parts).includes('?') ? '?' : '&';
        return added([option, choiceOf(options.filter((each) => !begins(each, other)))], node, this.#at);
      }),
    );
  }

  /** What is held where writes may have been run, in any order and any number of times. */
  #widened(held: Value, steps: readonly WriteStep[]): Value {
    if (steps.length === 0) return held;
    const values = steps.filter((step) => !isGrowing(step)).map((step) => this.#written(step, held));
    const whole = choiceOf([held, ...values]);
    const growing = steps.find(isGrowing);
    if (growing === undefined) return whole;
    const open = unknown(growing.node, this.#at.module, 'assigned');
    const isCounted = optionsOf(whole).every(({ type }) => type === 'literal' || type === 'unknown');
    return isCounted ? open : concatenated([whole, open]);
  }

  /** What functions write at any time may have been written by now. */
  #loosened = (held: Value): Value => this.#widened(held, this.#deferred);
}
