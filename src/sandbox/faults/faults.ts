/** The faults that were ordered, and which call meets which. */
import crypto from 'node:crypto';
import { covers, type Fault, type FaultableCall, type FaultRule, readFaultRule } from './rule.ts';

/** A rule as it stands. */
export interface OrderedFault extends FaultRule {
  /** `flt_1`, `flt_2`, … in the order of their coming. */
  readonly id: string;
  /** How many calls it has befallen. */
  readonly fired: number;
}

interface Entry {
  readonly id: string;
  readonly rule: FaultRule;
  fired: number;
  /** How often its probability was asked. */
  draws: number;
}

/** Plain JSON. */
export interface FaultsState {
  readonly made: number;
  readonly entries: readonly Readonly<Entry>[];
}

/**
 * Rules in the order in which they were added. A call meets the first one that covers it and fires; one that has used up its `times`
 * stays and fires no more. The same seed, rules and calls give the same faults.
 */
export class Faults {
  readonly #seed: string;
  readonly #entries: Entry[];
  #made: number;
  readonly #over = new AbortController();

  /** @param seed what probability is drawn from; @param state of faults that go on */
  constructor(seed: string, state: FaultsState = { made: 0, entries: [] }) {
    this.#seed = seed;
    this.#made = state.made;
    this.#entries = state.entries.map((entry) => ({ ...entry }));
  }

  /**
   * Adds a rule after those that are there.
   * @throws FaultRuleError where it cannot be kept
   */
  add(rule: FaultRule): OrderedFault {
    const entry: Entry = { id: faultId(this.#made + 1), rule: readFaultRule(rule), fired: 0, draws: 0 };
    this.#made++;
    this.#entries.push(entry);
    return show(entry);
  }

  list(): readonly OrderedFault[] {
    return this.#entries.map(show);
  }

  /** @returns whether there was one with this id */
  remove(id: string): boolean {
    const index = this.#entries.findIndex((entry) => entry.id === id);
    if (index !== -1) this.#entries.splice(index, 1);
    return index !== -1;
  }

  /** Removes all; the answers that are being delayed go on as they were. */
  clear(): void {
    this.#entries.length = 0;
  }

  /** The fault that this call meets, counted as fired. */
  pick(call: FaultableCall): Fault | undefined {
    const entry = this.#entries.find((each) => covers(each.rule.route, call) && this.#fires(each));
    if (entry === undefined) return undefined;
    entry.fired++;
    return entry.rule.fault;
  }

  state(): FaultsState {
    return { made: this.#made, entries: this.#entries.map((entry) => ({ ...entry })) };
  }

  /** Aborted once nothing may be delayed any more. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Lets every answer that is being delayed go out at once, and delays none from now on. */
  stop(): void {
    this.#over.abort();
  }

  #fires(entry: Entry): boolean {
    const { times = Infinity, probability } = entry.rule;
    if (entry.fired >= times) return false;
    return probability === undefined || this.#draw(entry) < probability;
  }

  /** The next number of the rule's own sequence, at least 0 and less than 1. */
  #draw(entry: Entry): number {
    entry.draws++;
    const digits = crypto.hash('sha256', `${this.#seed}/${entry.id}/${entry.draws}`).slice(0, 12);
    return Number.parseInt(digits, 16) / 2 ** 48;
  }
}

const prefix = 'flt_';
const faultId = (number: number): string => prefix + String(number);

/** Which one an id stands for, from 1; undefined where it is the id of no fault. */
export function faultNumber(id: string): number | undefined {
  const number = Number(id.slice(prefix.length));
  return Number.isSafeInteger(number) && number > 0 && id === faultId(number) ? number : undefined;
}

function show({ id, rule, fired }: Entry): OrderedFault {
  return { id, ...rule, fired };
}
