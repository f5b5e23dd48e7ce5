/** The entries and findings of a ledger, while it is written. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { Finding, FindingCode, LedgerEntry } from '../../model.ts';
import type { Node } from '../../syntax/tree.ts';
import { besidePath, isGivenByName } from '../headers/hooks/given-headers.ts';
import { askedOfStatement } from '../statements.ts';
import type { Facts } from './facts.ts';
import { entryFor, messageDetail, placeIn } from './ledger-entry.ts';
import type { Case, Outcome } from './rules/rule.ts';
import type { Suspicious } from './suspicious.ts';

export class Book {
  readonly entries: LedgerEntry[] = [];
  readonly findings: Finding[] = [];
  /** What is told, and by what nobody is seen to ask. */
  readonly unconsumed: Suspicious[] = [];
  readonly #facts: Pick<Facts, 'chainAround' | 'moved'>;
  /** Path and header of one call are one place to look at. */
  readonly #named = new Set<Node>();
  readonly #waiting: Case[] = [];
  #isAskedUnseen = false;

  constructor(facts: Pick<Facts, 'chainAround' | 'moved'>) {
    this.#facts = facts;
  }

  /** Whether something of the same call was told. */
  readonly isNamed = (node: Node): boolean => this.#named.has(this.#facts.chainAround(node));

  /** Where an address of ours is given to something that nobody knows, so may the header be that waits. */
  askedUnseen(): void {
    this.#isAskedUnseen = true;
  }

  list(code: FindingCode, literal: Suspicious): void {
    this.entries.push(entryFor(literal, ['person', code]));
  }

  tell(code: FindingCode, literal: Suspicious, detail: Finding['detail'] = {}): void {
    const entry = entryFor(literal, ['person', code]);
    const { node, module } = literal;
    this.entries.push(entry);
    const said = this.#isBesideKey(node, module) ? detail : messageDetail(code, literal, detail);
    this.findings.push({ code, ...placeIn(entry, module, code), detail: said });
    this.#named.add(this.#facts.chainAround(node));
    if (code === 'unconsumed') this.unconsumed.push(literal);
  }

  settle(at: Case, outcome: Outcome): void {
    if (outcome === 'as it is') this.entries.push(at.entry);
    else if (outcome === 'waits') this.#waiting.push(at);
    else if ('reason' in outcome) this.entries.push({ ...at.entry, reason: outcome.reason });
    else if (outcome.detail === undefined) this.list(outcome.code, at);
    else {
      if (outcome.isGivenAddress === true) this.askedUnseen();
      this.tell(outcome.code, at, outcome.detail);
    }
  }

  /** What waited, once all else is known. */
  settleWaiting(): void {
    for (const at of this.#waiting) {
      const { node, entry } = at;
      if (!this.#isAskedUnseen) this.entries.push(isGivenByName(node) ? { ...entry, sentUnseen: besidePath(node) } : entry);
      else if (this.isNamed(node)) this.list('unconsumed', at);
      else this.tell('unconsumed', at);
    }
  }

  /** An expectation that names a key which stays would be half of v1 and half of v2. */
  readonly #isBesideKey = askedOfStatement(
    (text, { start, end }, module) =>
      text.toLowerCase().includes(v1Auth.field) &&
      !this.#facts.moved.at(module, start, end).some(({ what, start: at }) => what === 'header name' && start <= at && at < end),
  );
}
