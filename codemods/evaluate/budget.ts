/**
 * What finding out may cost. Work is counted in steps, never by a clock, so that the same code gets the same answers on any machine and with
 * any number of threads. A question that is too dear is cut, and says so; the others go on.
 */
import type { Cost } from '../model.ts';
import type { Node } from '../syntax/tree.ts';
import { workingOn } from '../working-on.ts';
import type { SourceModule } from './module.ts';

/** Steps for one question; real code takes some dozens. */
const maxPerQuestion = 8_000;
/** And for what lies too deep to be one: the questions that it is made of together. */
const maxInPieces = 3 * maxPerQuestion;
/**
 * Steps for all questions of a component, and for each character of its files: about what it takes to parse them once more. Real code that is
 * asked about with care takes a fifth of it.
 */
const maxAtLeast = 100_000;
const maxPerCharacter = 0.01;
/** Steps for a question when all of these are used up, until as many again are. */
const maxWhenSpent = 100;
/** How many options, entries or items are looked at or copied for one step. */
const thingsPerStep = 64;
/** Of how many steps one is asked where it is, for the place where most was spent. */
const sampled = 16;
const mostExpensive = 10;

export interface Place {
  readonly node: Node;
  readonly module: SourceModule;
}

export interface Answer<T> {
  readonly value: T;
  /** Whether something that the value hangs on was not followed to its end, so that it may be anything else as well. */
  readonly isCut: boolean;
  /** Where most was spent, for a question that was cut. */
  readonly place: Place | undefined;
}

interface Question extends Place {
  readonly begin: number;
  readonly end: number;
  readonly samples: Map<Node, { readonly module: SourceModule; count: number }>;
  /** Where most was spent when what is cut was followed as far as it goes. */
  before: Place | undefined;
}

export class Budget {
  readonly #portion: number;
  #max: number;
  #spent = 0;
  #cuts = 0;
  /** What is charged and makes no whole step yet. */
  #things = 0;
  #question: Question | undefined;
  #expensive: { readonly place: Place; readonly steps: number }[] = [];
  readonly #byFile = new Map<string, number>();

  /**
   * @param characters how long the files of the component are together
   * @param share of what it may cost, as a fraction
   */
  constructor(characters: number, share = 1) {
    this.#portion = (maxAtLeast + characters * maxPerCharacter) * share;
    this.#max = this.#portion;
  }

  /** All steps so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Whether only what is simple is still asked for. */
  get isSpent(): boolean {
    return this.#spent > this.#max;
  }

  /** What comes now may cost as much again, whatever was spent on what came before: requests, when it is known who calls whom. */
  renew(): void {
    this.#max = this.#spent + this.#portion;
  }

  /** How many answers were cut so far: an answer between two equal numbers is whole. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Whether a question is being asked. */
  get isAsked(): boolean {
    return this.#question !== undefined;
  }

  /**
   * Something was not followed to its end.
   * @param place where most was spent, if that was another time
   */
  cut(place?: Place): void {
    this.#cuts++;
    if (this.#question !== undefined) this.#question.before ??= place;
  }

  /** What was cut since there were so many was followed to its end after all. */
  restore(cuts: number): void {
    this.#cuts = cuts;
  }

  /** @returns whether the question may go on */
  step(node: Node, module: SourceModule): boolean {
    const question = this.#question;
    if (++this.#spent % sampled === 0 && question !== undefined) {
      const sample = question.samples.get(node);
      if (sample === undefined) question.samples.set(node, { module, count: 1 });
      else sample.count++;
    }
    return question === undefined || this.#spent <= question.end;
  }

  /** Work within a step: alternatives looked at, properties copied, each thing a small part of a step. */
  charge(things: number): void {
    this.#things += things;
    this.#spent += Math.trunc(this.#things / thingsPerStep);
    this.#things %= thingsPerStep;
  }

  /** The steps that the question may still take. */
  get left(): number {
    return this.#question === undefined ? Infinity : this.#question.end - this.#spent;
  }

  /** Whether what began when there were so many steps left for the question took most of it. */
  tookMost(left: number): boolean {
    return this.#question !== undefined && 2 * left > this.#question.end - this.#question.begin;
  }

  /** Where most of the question was spent. */
  get mostExpensive(): Place | undefined {
    return this.#question && mostOf(this.#question);
  }

  /** Whether there is nothing left for the question. */
  get isExhausted(): boolean {
    return this.#question !== undefined && this.#spent > this.#question.end;
  }

  /**
   * Asks one question, which may be made of several and is cut when it costs too much. Within another it takes from that one's, too.
   * @param place what is asked about, as messages name it
   * @param limit the steps that it may take
   */
  question<T>({ node, module }: Place, ask: () => T, limit = maxPerQuestion): Answer<T> {
    const outer = this.#question;
    if (outer === undefined) workingOn(module.file);
    const begin = this.#spent;
    const own = begin + Math.min(limit, this.#left());
    const question: Question = {
      node,
      module,
      begin,
      end: outer === undefined ? own : Math.min(own, outer.end),
      samples: outer?.samples ?? new Map(),
      before: undefined,
    };
    const cutsBefore = this.#cuts;
    this.#question = question;
    try {
      const value = ask();
      const isCut = this.#cuts > cutsBefore;
      return { value, isCut, place: isCut ? mostOf(question) : undefined };
    } finally {
      this.#question = outer;
      if (outer === undefined) this.#record(question, this.#spent - begin);
      else outer.before ??= question.before;
    }
  }

  /** Asks what may take several questions, one after the other. */
  inPieces<T>(place: Place, ask: () => T): Answer<T> {
    return this.question(place, ask, maxInPieces);
  }

  /** What one question may take of what is left for all. */
  #left(): number {
    if (!this.isSpent) return Infinity;
    return this.#spent > this.#max + this.#portion ? 0 : maxWhenSpent;
  }

  #record(place: Place, steps: number): void {
    const { file } = place.module;
    this.#byFile.set(file, (this.#byFile.get(file) ?? 0) + steps);
    const least = this.#expensive.at(-1)?.steps ?? 0;
    if (this.#expensive.length === mostExpensive && steps <= least) return;
    const rest = this.#expensive.filter(({ place: { node } }) => node !== place.node);
    const before = this.#expensive.find(({ place: { node } }) => node === place.node)?.steps ?? 0;
    const { node, module } = place;
    this.#expensive = [...rest, { place: { node, module }, steps: Math.max(steps, before) }]
      .toSorted((a, b) => b.steps - a.steps)
      .slice(0, mostExpensive);
  }

  /** The questions that took most steps, and the files that most was asked in; the most expensive first. */
  costs(): { readonly questions: readonly Cost[]; readonly files: readonly Cost[] } {
    const files = [...this.#byFile].map(([file, steps]): Cost => ({ file, line: undefined, steps })).toSorted((a, b) => b.steps - a.steps);
    const questions = this.#expensive.map(({ place: { node, module }, steps }): Cost => {
      return { file: module.file, line: module.position(node.start).line, steps };
    });
    return { questions, files: files.slice(0, mostExpensive) };
  }
}

function mostOf({ node, module, samples, before }: Question): Place {
  let most: Place & { readonly count: number } = { ...(before ?? { node, module }), count: 0 };
  for (const [at, { module: of, count }] of samples) if (count > most.count) most = { node: at, module: of, count };
  return { node: most.node, module: most.module };
}
