/** The names under which something is put into what holds it: only by these it is taken out again, until it is put somewhere by a name that is not known. */
export class NamesPut {
  /** undefined where it may be had by any name. */
  #names: Set<string | undefined> | undefined;
  readonly #waiting = new Map<string, (() => void)[]>();

  /** @param own what it has itself; undefined where names are not asked for */
  constructor(own: readonly (string | undefined)[] | undefined) {
    this.#names = own && new Set(own);
  }

  /** @param name undefined where it is not known */
  put(name: string | undefined): void {
    if (name !== undefined) this.#names?.add(name);
    else this.#names = undefined;
    const names = name === undefined ? [...this.#waiting.keys()] : [name];
    for (const each of names) {
      const then = this.#waiting.get(each) ?? [];
      this.#waiting.delete(each);
      for (const take of then) take();
    }
  }

  /** Goes on with what is taken by a name, as soon as something was put there. */
  take(name: string | undefined, then: () => void): void {
    if (name === undefined || this.#names === undefined || this.#names.has(name)) return then();
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.set(name, waiting);
    waiting.push(then);
  }
}
