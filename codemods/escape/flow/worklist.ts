/** The places that are still to be looked at while edits are followed, each with what is known to go there. */
import { classAround } from '../../evaluate/calls/callees.ts';
import type { Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { Node, PatternName } from '../../syntax/tree.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { propertyReads } from './property-reads.ts';
import type { Readers } from './readers.ts';

/** A place that something goes to, with the edits that this has. */
interface Reached extends Place {
  readonly given: readonly Change[];
}

export class Worklist {
  readonly #ev: Evaluation;
  readonly #readers: Readers;
  readonly #waiting: Reached[] = [];
  readonly #seen = new Set<Node | string | SourceModule | Binding>();
  readonly #given = new Map<Binding | SourceModule | Node, readonly Change[]>();

  constructor(ev: Evaluation, readers: Readers) {
    this.#ev = ev;
    this.#readers = readers;
  }

  /** @returns the next place, and whether it comes up for the first time */
  next(): { readonly place: Reached; readonly isNew: boolean } | undefined {
    const place = this.#waiting.pop();
    return place && { place, isNew: this.begin(place.node) };
  }

  /** @returns whether it comes up for the first time */
  begin(key: Node | string | SourceModule | Binding): boolean {
    const isNew = !this.#seen.has(key);
    this.#seen.add(key);
    return isNew;
  }

  follow(place: Place, given: readonly Change[] = []): void {
    this.#waiting.push({ ...place, given });
  }

  /** Remembers what goes somewhere. @returns what of it went there for the first time */
  give(key: Binding | SourceModule | Node, given: readonly Change[]): readonly Change[] {
    const before = this.#given.get(key) ?? [];
    const fresh = given.filter((change) => !before.includes(change));
    if (fresh.length > 0) this.#given.set(key, [...before, ...fresh]);
    return fresh;
  }

  visit(key: Binding | SourceModule, places: readonly Place[], all: readonly Change[] = []): void {
    const given = this.give(key, all);
    if (this.begin(key) || given.length > 0) for (const place of places) this.follow(place, given);
  }

  /** Whoever has a class or an instance of it, or of what inherits from it, has its fields. */
  visitClass({ node, module }: Place): void {
    const around = classAround(node);
    const binding = around?.name === undefined ? undefined : module.scopes.declaredBy(around.name);
    if (binding === undefined || this.#seen.has(binding)) return;
    const places = this.#readers.of(binding, module);
    this.visit(binding, places);
    for (const place of places) {
      const { parent } = place.node;
      if (parent?.kind === 'call' && parent.callee === place.node) this.follow({ ...place, node: parent });
      if (parent?.kind === 'class') this.visitClass(place);
    }
  }

  visitName(name: PatternName, module: SourceModule, given: readonly Change[] = []): void {
    const binding = module.scopes.declaredBy(name);
    if (binding === undefined) return;
    this.visit(binding, [...this.#readers.of(binding, module), ...this.#readers.ofItself(module, binding)], given);
  }

  /** Every place that takes a property of this name: what it takes, its value says. */
  visitField(name: string): void {
    if (!this.begin(`.${name}`)) return;
    for (const { node, module } of propertyReads(this.#ev).get(name) ?? []) {
      if (node.kind === 'patternName') this.visitName(node, module);
      else this.follow({ node, module });
    }
  }
}
