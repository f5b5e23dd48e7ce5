/** Who sees a call to v1 pass, to compare its answer: declared apart, so that calls need not know how. */
import type { KeptBody } from './kept-body.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { ResponseHead } from './response-head.ts';

/** Sees an answer of v1 as it passes. It must not keep it waiting. */
export interface Witness {
  onHead(status: number, head: ResponseHead): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
}

export interface WitnessedCall extends RecordedCall {
  /** The body of its request, as far as it has been read. */
  readonly kept: KeptBody | undefined;
}

export interface Comparer {
  /** @returns undefined where this call is not to be compared */
  witness(call: WitnessedCall): Witness | undefined;
  /** Resolves once no question is under way. */
  close(): Promise<void>;
}
