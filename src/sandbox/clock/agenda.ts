/** What a clock has to do. */

/** What is to be done at an instant. */
export interface Task {
  /** Milliseconds since the epoch. */
  readonly due: number;
  /** Of what is due at one instant, the lower ones come first; those with the same order, as they were set. */
  readonly order: number;
  /** Whose task it is, where he may drop all of his at once. */
  readonly owner: object | undefined;
  readonly run: () => void | Promise<void>;
}

/** Tasks to come, in the order in which they fall due, and those that are under way. */
export class Agenda {
  readonly #onError: (error: unknown) => void;
  #tasks: Task[] = [];
  readonly #underWay = new Set<Promise<void>>();

  /** @param onError is given what a task failed with */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** When the next task falls due. */
  get next(): number | undefined {
    return this.#tasks[0]?.due;
  }

  /** Whether a task is under way. */
  get busy(): boolean {
    return this.#underWay.size > 0;
  }

  add(task: Task): void {
    const before = ({ due, order }: Task): boolean => due < task.due || (due === task.due && order <= task.order);
    this.#tasks.splice(this.#tasks.findLastIndex(before) + 1, 0, task);
  }

  delete(task: Task): void {
    const index = this.#tasks.indexOf(task);
    if (index !== -1) this.#tasks.splice(index, 1);
  }

  /** Drops the tasks of one owner, or all, in one pass. */
  clear(owner?: object): void {
    this.#tasks = owner === undefined ? [] : this.#tasks.filter((task) => task.owner !== owner);
  }

  /** Takes the next task off where it is due by this instant. */
  takeDue(until: number): Task | undefined {
    const { next } = this;
    return next !== undefined && next <= until ? this.#tasks.shift() : undefined;
  }

  /** Begins a task. @returns resolves once it is over, even if it failed */
  start(task: Task): Promise<void> {
    const run = async (): Promise<void> => task.run();
    const done = run().catch(this.#onError);
    const underWay: Promise<void> = done.finally(() => this.#underWay.delete(underWay));
    this.#underWay.add(underWay);
    return underWay;
  }

  /** Resolves once no task is under way any more. */
  async idle(): Promise<void> {
    while (this.busy) await Promise.all(this.#underWay);
  }
}
