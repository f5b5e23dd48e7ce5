/** How much work may be under way at once. */
export interface SlotBounds {
  /** Parties with work under way. Each has a slot that nobody else can take. */
  readonly parties: number;
  /** For one party: the others must have slots left where it is slow. */
  readonly each: number;
  /** For all together, besides the first one of each. */
  readonly shared: number;
}

interface Place {
  underWay: number;
  /** What waits for a slot, in the order in which it came. */
  readonly waiting: (() => void)[];
}

/** So much work at once and no more, and only a part of it for one party: whoever is slow keeps nobody waiting but itself. */
export class Slots {
  readonly #bounds: SlotBounds;
  #parties = 0;
  #shared = 0;
  /** Those with work, in the order in which they have come, or were last let in. */
  readonly #places = new Map<string, Place>();

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
  }

  /** Does a piece of work: at once where a slot is free for this party, otherwise after what it has waiting. @returns what it returns */
  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    const place = this.#places.get(party) ?? { underWay: 0, waiting: [] };
    this.#places.set(party, place);
    // Where a slot is free, nobody waits who may have it.
    if (this.#mayTake(place)) this.#take(place);
    else await new Promise<void>((resolve) => place.waiting.push(resolve));
    try {
      return await work();
    } finally {
      if (--place.underWay > 0) this.#shared--;
      else this.#parties--;
      if (place.underWay === 0 && place.waiting.length === 0) this.#places.delete(party);
      this.#letIn();
    }
  }

  #mayTake({ underWay }: Place): boolean {
    const { parties, each, shared } = this.#bounds;
    return underWay === 0 ? this.#parties < parties : this.#shared < shared && underWay < each;
  }

  #take(place: Place): void {
    if (place.underWay++ > 0) this.#shared++;
    else this.#parties++;
  }

  /** Gives the slot that was just freed to whoever has the fewest; of those with as many, to the one who has waited longest. */
  #letIn(): void {
    let fewest: readonly [string, Place] | undefined;
    for (const entry of this.#places) {
      const [, place] = entry;
      if (place.waiting.length > 0 && place.underWay < (fewest?.[1].underWay ?? Infinity) && this.#mayTake(place)) fewest = entry;
    }
    if (fewest === undefined) return;
    const [party, place] = fewest;
    this.#take(place);
    this.#places.delete(party);
    this.#places.set(party, place);
    place.waiting.shift()?.();
  }
}
