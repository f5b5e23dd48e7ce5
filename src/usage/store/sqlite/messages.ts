/** What a writer and its thread say to each other. */
import type { LedgerAnswers, LedgerBatch } from '../../../budget/ledger-store.ts';
import type { Caller, Kind, Step } from '../../model.ts';
import type { StoreErrorCode } from '../error.ts';
import type { Retention, UsageBatch } from '../store.ts';

/** A batch with its rows as one block of numbers, which goes to the thread without being copied. */
export interface PackedBatch extends Omit<UsageBatch, 'rows'> {
  readonly callers: readonly Caller[];
  readonly kinds: readonly Kind[];
  /** For each row: minute, index of its caller and of its kind, and the counts in the order of `countNames`. */
  readonly rows: Float64Array<ArrayBuffer>;
}

export const countNames = ['calls', 'v2Calls', 'repeats', 'duration', 'longest', 'first', 'last'] as const;
export const rowWidth = 3 + countNames.length;

/** What the thread begins with. */
export interface WriterData {
  readonly path: string;
  /** Of the hashes in a store that is made. */
  readonly hashSecret: string;
}

export interface Maintain {
  readonly now: number;
  readonly retention: Retention;
}

export type Work =
  | { readonly write: PackedBatch }
  | { readonly maintain: Maintain }
  | { readonly note: Step }
  | { readonly steps: true }
  | { readonly exchange: LedgerBatch }
  | { readonly close: true };
export type Request = Work & { readonly id: number };

export interface Failed {
  readonly code: StoreErrorCode;
  readonly message: string;
}

export type Reply =
  | { readonly id: number; readonly failed?: Failed; readonly steps?: readonly Step[]; readonly answers?: LedgerAnswers }
  | { readonly opened: string }
  | { readonly notOpened: Failed };

/** Packs a batch: each caller and kind goes once. */
export function pack({ rows, ...batch }: UsageBatch): PackedBatch {
  const callers = new Map<number, number>();
  const kinds = new Map<Kind, number>();
  const listed: Caller[] = [];
  const packed = new Float64Array(rows.length * rowWidth);
  let at = 0;
  for (const { minute, caller, kind, counts } of rows) {
    let callerIndex = callers.get(caller.id);
    if (callerIndex === undefined) {
      callers.set(caller.id, (callerIndex = listed.length));
      listed.push(caller);
    }
    let kindIndex = kinds.get(kind);
    if (kindIndex === undefined) kinds.set(kind, (kindIndex = kinds.size));
    packed[at++] = minute;
    packed[at++] = callerIndex;
    packed[at++] = kindIndex;
    for (const name of countNames) packed[at++] = counts[name];
  }
  return { ...batch, callers: listed, kinds: [...kinds.keys()], rows: packed };
}
