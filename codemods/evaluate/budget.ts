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
/** Steps for all questions of a component, and for each character of its files. */
const maxAtLeast = 100_000;
const maxPerCharacter = 0.01;
/** Of what stands beside that: to look at all calls there takes a little less. */
const maxPerCharacterBeside = 0.02;
/** Of the rest, what those take together of whose answers nothing but words of a report hangs. */
const shareOfFar = 1 / 8;
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
  /** Whether it took all steps that there were. */
  readonly isExhausted: boolean;
  /** Where most was spent, for a question that was cut. */
  readonly place: Place | undefined;
}

/** What lies far from every base: nothing there is edited, and only findings hang on how far it is followed. */
export interface Far {
  /** How long what stands beside something near is, in its files: whoever looks for calls there comes by all of it. */
  readonly beside: number;
  /** How long the rest is. */
  readonly characters: number;
  has(place: Place): boolean;
  /** Files whose questions are for what is edited, however much the rest takes that a base may flow into; a file is of the first that has it. */
  readonly closest: readonly Files[];
}

/** Some files, and how long they are together. */
export interface Files {
  readonly characters: number;
  has(file: string): boolean;
}

/** Steps for some of the questions of a component together. */
interface Purse {
  readonly portion: number;
  max: number;
  spent: number;
}

interface Question extends Place {
  readonly begin: number;
  readonly end: number;
  readonly samples: Map<Node, { readonly module: SourceModule; count: number }>;
  /** Where most was spent when what is cut was followed as far as it goes. */
  before: Place | undefined;
}

export class Budget {
  readonly #closest: readonly { readonly purse: Purse; readonly has: Files['has'] }[];
  readonly #near: Purse;
  readonly #far: Purse;
  readonly #isFar: Far['has'];
  /** Who pays for the question that is being asked. */
  #purse: Purse;
  #spent = 0;
  /** Steps that were no question's: see `aside`. */
  #aside = 0;
  #cuts = 0;
  /** Those of them that another question may follow further. */
  #openCuts = 0;
  /** What is charged and makes no whole step yet. */
  #things = 0;
  /** What is counted and takes nothing from anybody. */
  #counted = 0;
  #question: Question | undefined;
  #expensive: { readonly place: Place; readonly steps: number }[] = [];
  readonly #byFile = new Map<string, number>();

  /**
   * @param characters how long what may be edited is
   * @param far what is not: it takes nothing from the rest
   */
  constructor(characters: number, far?: Far) {
    const { beside, characters: others } = far ?? { beside: 0, characters: 0 };
    this.#closest = (far?.closest ?? []).map((files) => ({
      purse: purseOf(maxAtLeast + files.characters * maxPerCharacter),
      has: (file) => files.has(file),
    }));
    this.#near = purseOf(maxAtLeast + characters * maxPerCharacter);
    this.#far = purseOf(shareOfFar * (maxAtLeast + others * maxPerCharacter) + beside * maxPerCharacterBeside);
    this.#isFar = (place) => far?.has(place) === true;
    this.#purse = this.#near;
  }

  /** All steps so far. */
  get spent(): number {
    return this.#spent + this.#aside;
  }

  /** These, and the work beside them. */
  get work(): number {
    return this.spent + Math.trunc(this.#counted / thingsPerStep);
  }

  /** Whether only what is simple is still asked for at a place. */
  isSpent(place: Place): boolean {
    const { spent, max } = this.#purseFor(place);
    return spent > max;
  }

  /** Whether nothing is asked for any more at a place: all of it would be cut at once. */
  isUsedUp(place: Place): boolean {
    return leftIn(this.#purseFor(place)) === 0;
  }

  /** Whether nothing is edited at a place. */
  isFar(place: Place): boolean {
    return this.#isFar(place);
  }

  /** What comes now may cost as much again, whatever was spent on what came before: requests, when it is known who calls whom. */
  renew(): void {
    for (const purse of [...this.#closest.map((each) => each.purse), this.#near, this.#far]) purse.max = purse.spent + purse.portion;
  }

  /** How many answers were cut so far: an answer between two equal numbers is whole. */
  get cuts(): number {
    return this.#cuts;
  }

  /** How many of these another question may follow further: what was cut between two equal numbers is as well known as it will ever be. */
  get openCuts(): number {
    return this.#openCuts;
  }

  /** Whether a question is being asked. */
  get isAsked(): boolean {
    return this.#question !== undefined;
  }

  /**
   * Something was not followed to its end.
   * @param place where most was spent, if that was another time
   * @param isFinal whether no question will follow it further
   */
  cut(place?: Place, isFinal = false): void {
    this.#cuts++;
    if (!isFinal) this.#openCuts++;
    if (this.#question !== undefined) this.#question.before ??= place;
  }

  /** What was cut since there were so many was followed to its end after all. */
  restore(cuts: number): void {
    this.#cuts = cuts;
  }

  /** @returns whether the question may go on */
  step(node: Node, module: SourceModule): boolean {
    const question = this.#question;
    this.#purse.spent++;
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
    const steps = Math.trunc(this.#things / thingsPerStep);
    this.#spent += steps;
    this.#purse.spent += steps;
    this.#things %= thingsPerStep;
  }

  /** Work that is no question's, as a search through the program: only counted, so that it is seen how it grows. */
  count(things: number): void {
    this.#counted += things;
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
    if (outer === undefined) {
      workingOn(module.file, 'ask');
      this.#purse = this.#purseFor({ node, module });
    }
    const begin = this.#spent;
    const own = begin + Math.min(limit, leftIn(this.#purse));
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
      return { value, isCut, isExhausted: this.#spent > question.end, place: isCut ? mostOf(question) : undefined };
    } finally {
      this.#question = outer;
      if (outer === undefined) this.#record(question, this.#spent - begin);
      else outer.before ??= question.before;
    }
  }

  /** See `Evaluation.aside`. */
  aside<T>(place: Place, ask: () => T, limit: number): Answer<T> {
    const [question, purse, spent, cuts] = [this.#question, this.#purse, this.#spent, this.#cuts];
    this.#question = undefined;
    try {
      return this.question(place, ask, limit);
    } finally {
      this.#question = question;
      this.#purse = purse;
      this.#aside += this.#spent - spent;
      this.#spent = spent;
      this.#cuts = cuts;
    }
  }

  /** Asks what may take several questions, one after the other. */
  inPieces<T>(place: Place, ask: () => T): Answer<T> {
    return this.question(place, ask, maxInPieces);
  }

  #purseFor(place: Place): Purse {
    if (this.#isFar(place)) return this.#far;
    return this.#closest.find(({ has }) => has(place.module.file))?.purse ?? this.#near;
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

const purseOf = (portion: number): Purse => ({ portion, max: portion, spent: 0 });

/** What one question may take of what is left for all. */
function leftIn({ spent, max, portion }: Purse): number {
  if (spent <= max) return Infinity;
  return spent > max + portion ? 0 : maxWhenSpent;
}

function mostOf({ node, module, samples, before }: Question): Place {
  let most: Place & { readonly count: number } = { ...(before ?? { node, module }), count: 0 };
  for (const [at, { module: of, count }] of samples) if (count > most.count) most = { node: at, module: of, count };
  return { node: most.node, module: most.module };
}
