/**
 * What members of something a search comes by, where that is for any method of it. A method of which no member tells gets the same calls as the others:
 * it is not searched for by itself, as a class of a thousand methods is called in thousands of places.
 */
import type { Value } from '../../../evaluate/values/values.ts';
import type { MemberNode, Node } from '../../../syntax/tree.ts';
import type { Has } from '../holding.ts';

export class MetMembers {
  /** Names and functions of which something is to be found out. */
  readonly #open = new Set<Node | string | undefined>();
  /** How often a name is called of what is known to be it, or something with it. */
  readonly #called = new Map<string, number>();
  /** By which names a function is called there, and how often. */
  readonly #known = new Map<Node, Map<string, number>>();

  /** @param called what it may be, where it is called */
  add(has: Has, { property }: MemberNode, called: readonly Value[] | undefined): void {
    const functions = new Set((called ?? []).flatMap((value) => (value.type === 'function' ? value.node : [])));
    // `Client.prototype.get.call(other, path)` is another's.
    if (called === undefined || has !== 'itself' || property === undefined || /^(?:call|apply)$/.test(property)) {
      this.#open.add(property);
      for (const fn of functions) this.#open.add(fn);
      return;
    }
    this.#called.set(property, (this.#called.get(property) ?? 0) + 1);
    for (const fn of functions) {
      const names = this.#known.get(fn) ?? new Map<string, number>();
      this.#known.set(fn, names);
      names.set(property, (names.get(property) ?? 0) + 1);
    }
  }

  /** Whether a method may get other calls than the rest: it is taken out, goes by another name, or something else may have its name. */
  tellsOf(fn: Node, name: string | undefined): boolean {
    const known = this.#known.get(fn);
    const own = name === undefined ? undefined : known?.get(name);
    const isOtherwiseCalled = (known?.size ?? 0) > (own === undefined ? 0 : 1);
    const isUnknown = name !== undefined && (this.#called.get(name) ?? 0) > (own ?? 0);
    return this.#open.has(fn) || this.#open.has(name) || isOtherwiseCalled || isUnknown;
  }
}
