/** What a rule of the ledger is asked, and what it may answer. */
import type { Finding, FindingCode, LedgerEntry } from '../../../model.ts';
import type { Node } from '../../../syntax/tree.ts';
import type { Facts } from '../facts.ts';
import type { Suspicious } from '../suspicious.ts';

/** A suspicious literal, with what is known of it before any rule. */
export interface Case extends Suspicious {
  /** By the edit that is in it, or the call that it is of; `no-call` where there is neither. */
  readonly entry: LedgerEntry;
  /** What a server of the user's own defines and reads in its file. */
  readonly served: ReadonlySet<Node>;
}

/** What was told before a literal. */
export interface Before {
  /** Whether the rule held of another one of its file. */
  readonly isAgain: boolean;
  /** Whether something of the same call was told. */
  readonly isNamed: (node: Node) => boolean;
}

/** What a person has to decide. It is told where there is a detail: what is only listed is found beside what is told. */
interface Decision {
  readonly code: FindingCode;
  readonly detail?: Finding['detail'];
  /** It is given to something that nobody knows, which may be given the header, too. */
  readonly isGivenAddress?: boolean;
}

export type Outcome =
  /** The entry stays as it is; or it waits, until it is known whether something unseen is given an address of ours. */
  | 'as it is'
  | 'waits'
  /** It is of somebody else. */
  | { readonly reason: 'other-host' | 'own-server' }
  | Decision;

/** @returns false where it is about other literals */
export type Rule = (at: Case, facts: Facts, before: Before) => Outcome | false;

/** In the order in which they are written: the first that holds decides. */
export type Rules = Readonly<Record<string, Rule>>;

export const listed = (code: FindingCode): Decision => ({ code });
export const told = (code: FindingCode, detail: Finding['detail'] = {}): Decision => ({ code, detail });
export const ofOthers: Outcome = { reason: 'other-host' };
export const ofOwnServer: Outcome = { reason: 'own-server' };
