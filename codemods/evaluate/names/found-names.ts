/** The names of an object, as they are found. */
import type { Binding } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';
import type { Budget } from '../budget.ts';
import type { Named } from './named.ts';
import type { Frame } from '../calls/frame.ts';

/** More than these are not looked at. */
const maxNames = 1000;
export interface Names {
  readonly all: readonly Named[];
  /** Whether there are more than were looked at. */
  readonly isCut: boolean;
  /** Where it goes a way that is not followed: what cannot be told from it may be it from there on. */
  readonly lost: Named | undefined;
  /** Where what it holds does. */
  readonly lostWithin: Named | undefined;
}

export class FoundNames implements Names {
  readonly all: Named[] = [];
  isCut = false;
  lost: Named | undefined;
  lostWithin: Named | undefined;
  /** In which calls they were seen. */
  readonly #seen = new Map<Node | Binding, (Frame | undefined)[]>();
  readonly #seenCopies = new Map<Node | Binding, (Frame | undefined)[]>();
  readonly #heldBefore = new Map<Node, Set<string>>();
  readonly #max: number;
  readonly #budget: Budget;

  constructor(first: readonly Named[], budget: Budget) {
    this.#max = first.length + maxNames;
    this.#budget = budget;
    for (const named of first) this.add(named);
  }

  /** Adds one that was not seen before, as long as the question that it is a part of has steps left: holders in holders lead to very many. */
  add(named: Named): void {
    if (!this.#isNew(named.node, named)) return;
    if (this.all.length >= this.#max || this.#budget.isExhausted) this.isCut = true;
    else this.all.push(named);
  }

  /** The references to a name, once for each call: a variable that is assigned again and again has the same. */
  referencesNew(binding: Binding, named: Pick<Named, 'at' | 'isCopy'>): Binding['references'] {
    return this.#isNew(binding, named) ? binding.references : [];
  }

  #isNew(what: Node | Binding, { at: { frame }, isCopy }: Pick<Named, 'at' | 'isCopy'>): boolean {
    const seen = isCopy === true ? this.#seenCopies : this.#seen;
    const frames = seen.get(what);
    if (frames === undefined) seen.set(what, [frame]);
    else if (frames.includes(frame)) return false;
    else frames.push(frame);
    return true;
  }

  /** What else is put into the same holder is found in the same places. */
  isNewIn(holder: Node, property: string | undefined, isCopy: boolean): boolean {
    const known = this.#heldBefore.get(holder) ?? new Set<string>();
    this.#heldBefore.set(holder, known);
    return known.size < known.add(`${isCopy} ${property ?? ''} ${property === undefined}`).size;
  }

  /** It goes a way that is not followed. */
  lose(named: Named): void {
    if (named.isCopy === true) this.lostWithin ??= named;
    else this.lost ??= named;
  }
}
