/** A call as the record sees it. The record reads it and changes nothing of it, and so needs to know neither `Call` nor what that is made of. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Rule } from '../src/rollout/rules.ts';
import type { Outcome } from '../src/usage/deprecated-use.ts';
import type { KeyFingerprint } from '../src/usage/key-fingerprint.ts';
import type { RequestHead } from './head.ts';

export interface RecordedCall {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly head: RequestHead;
  /** Whether it is a call to v2, which passes as it is, and no use of v1. */
  readonly untranslated: boolean;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** What the call is for; undefined where that is no endpoint. */
  readonly route: { readonly label: string } | undefined;
  readonly key: KeyOwner | undefined;
  readonly outcome: Outcome;
  /** Requests that v2 was sent for this call. */
  readonly v2Calls: number;
  /** The rule of a roll-out that it went by; undefined where none matched. */
  readonly rule: Rule | undefined;
  /** Of the failure that it was answered with. */
  readonly code: string | undefined;
}

/** A key as the record knows it, and the workspace that the configuration gives it. */
export interface KeyOwner {
  readonly fingerprint: KeyFingerprint;
  readonly workspace: string | null;
}
