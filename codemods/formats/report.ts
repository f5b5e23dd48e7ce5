/** What is said of one file: edits, calls, findings and the ledger, from its groups of drafts and its literals. */
import type { Call, Edit, Finding, FindingCode, LedgerEntry } from '../model.ts';
import type { Draft } from './candidate-edit.ts';
import type { DraftGroup } from './groups.ts';
import type { Literal } from './literals.ts';
import { positionsOf } from '../syntax/position.ts';
import { type Place, overlap } from './text.ts';
import type { VariableUse } from '../uses.ts';

interface About {
  /** What examples set is nobody's environment. */
  readonly isExample: boolean;
  /** Whether the host of v2 is another one. */
  readonly hasOtherHost: boolean;
}

export class Report {
  readonly edits: Edit[] = [];
  readonly calls: Call[] = [];
  readonly findings: Finding[] = [];
  readonly ledger: LedgerEntry[] = [];
  readonly variables: VariableUse[] = [];
  readonly #file: string;
  readonly #about: About;
  readonly #position: ReturnType<typeof positionsOf>;
  readonly #covered: { place: Place; state: readonly [LedgerEntry['state'], string] }[] = [];

  constructor(file: string, source: string, about: About) {
    this.#file = file;
    this.#about = about;
    this.#position = positionsOf(source);
  }

  add({ drafts, problems, reason }: DraftGroup): void {
    const start = Math.min(...drafts.flatMap(({ start, edits }) => [start, ...edits.map((edit) => edit.start)]));
    const group = `${this.#file}:${start}`;
    const made = problems.length === 0;
    if (reason !== undefined) for (const { code, at, detail } of problems) this.find(code, at, detail, group);
    for (const draft of drafts) {
      if (made) this.#make(draft, group);
      this.#bind(draft, made ? group : undefined);
      for (const place of draft.literals) this.#covered.push({ place, state: stateOf(draft, made, reason) });
    }
  }

  /** A variable that is set without anything to change binds nobody. */
  #bind({ variable, sets, stance, edits, start, end }: Draft, group: string | undefined): void {
    const use = { file: this.#file, start, end, ...this.#position(start) };
    const mover = stance === 'bystander' ? undefined : group;
    if (variable !== undefined)
      this.variables.push({
        ...use,
        name: variable,
        group: mover,
        needsValue: this.#about.hasOtherHost || !edits.some(({ text }) => text === 'v2'),
      });
    if (sets !== undefined && stance === 'ours' && (group === undefined ? !this.#about.isExample : edits.length > 0))
      this.variables.push({ ...use, name: sets, group, needsValue: true });
  }

  #make({ edits, call, start, end }: Draft, group: string): void {
    for (const edit of edits) {
      const made = this.edits.some((other) => other.start === edit.start && other.end === edit.end);
      if (!made) this.edits.push({ file: this.#file, ...edit, group });
    }
    if (call === undefined) return;
    const { endpoint, client, proof } = call;
    this.calls.push({ file: this.#file, start, end, endpoint, client, group, proof: proof.map((step) => ({ file: this.#file, ...step })) });
  }

  find(code: FindingCode, { start, end }: Place, detail: Finding['detail'], group?: string): void {
    this.findings.push({ file: this.#file, start, end, code, ...this.#position(start), detail, ...(group !== undefined && { group }) });
  }

  enter({ start, end }: Place, state: LedgerEntry['state'], reason: string): void {
    this.ledger.push({ file: this.#file, start, end, ...this.#position(start), state, reason });
  }

  /** What the drafts say of a literal; ours before someone else's. */
  stateOf(literal: Place): readonly [LedgerEntry['state'], string] | undefined {
    const states = this.#covered.filter(({ place }) => overlap(place, literal)).map(({ state }) => state);
    return states.find(([state]) => state !== 'foreign') ?? states[0];
  }

  /** A literal that nothing explains: a person looks at our URLs, and at headers where only requests are written. */
  leftOver(literal: Literal, kind: string, isProse: boolean): void {
    const isData = kind === 'json' || kind === 'yaml' || kind === 'toml';
    const left = literal.kind === 'our url' || (literal.kind === 'header' && !isData && kind !== 'markdown');
    if (!left || isProse) return this.enter(literal, 'foreign', literal.host === undefined ? 'own-server' : 'other-host');
    this.find('unconsumed', literal, {});
    this.enter(literal, 'person', 'unconsumed');
  }
}

function stateOf({ stance, call, edits }: Draft, made: boolean, reason: FindingCode | undefined): readonly [LedgerEntry['state'], string] {
  if (stance !== 'ours') return ['foreign', stance === 'foreign' ? 'other-host' : 'own-server'];
  if (reason !== undefined) return ['person', reason];
  return made ? ['rewritten', call?.endpoint ?? edits[0]?.what ?? 'base'] : ['foreign', 'own-server'];
}
