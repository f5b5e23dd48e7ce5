/** What the processes of one proxy do for each other: everything that passes between them, but for the uses of the journal. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Ending } from '../../../proxy/guards.ts';
import type { KeyTable } from '../../../proxy/keys/key-map.ts';
import type { ProxyServerOptions } from '../../../proxy/options.ts';
import type { WaitingEvent } from '../../../proxy/telemetry/telemetry.ts';
import type { LedgerAnswers, LedgerBatch } from '../../budget/ledger-store.ts';
import type { WorkspaceHour } from '../../budget/hours.ts';
import type { Settings } from '../../config/settings.ts';
import type { Rollout } from '../../rollout/rules.ts';
import type { Comparison, Skipped } from '../../usage/comparisons.ts';
import type { Step } from '../../usage/model.ts';

/** What the primary keeps for itself, and what a worker makes anew. */
export type Own =
  | 'logger'
  | 'now'
  | 'usage'
  | 'ledgerStore'
  | 'notes'
  | 'keyMap'
  | 'rollout'
  | 'telemetry'
  | 'pages'
  | 'guard'
  | 'ledger'
  | 'writes'
  | 'timers';

/** Options as they can be handed on. */
export type PlainOptions = Omit<ProxyServerOptions, Own>;

export interface Start extends Pick<Settings<'proxy'>, 'logLevel'> {
  readonly options: PlainOptions;
  readonly keys: KeyTable | undefined;
  readonly rollout: Rollout | undefined;
  /** Whether a collector of OpenTelemetry gets events. */
  readonly hasTelemetry: boolean;
  /** Whether it says in the log what is to be said once of all of them. */
  readonly warns: boolean;
}

/** Where it listens, or why it cannot. */
export type Started = { readonly url: string } | { readonly failed: string; readonly code: string | undefined };

/** How a worker stands. */
export interface WorkerState {
  readonly hours: readonly WorkspaceHour[];
  readonly isReady: boolean;
  /** Whether it has found v1 gone. */
  readonly isGone: boolean;
  readonly metrics: MetricObjectWithValues<MetricValue<string>>[];
}

/** What a worker does for the primary. A type and no interface: only of those is known that they have nothing else. */
export type WorkerDuties = {
  readonly state: (nothing: undefined) => Promise<WorkerState>;
  readonly keys: (table: KeyTable) => void;
  readonly rollout: (rollout: Rollout) => void;
  /** Somebody has noted a step; resolves once it holds. */
  readonly road: (nothing: undefined) => Promise<void>;
  /** A note of another worker or replica; undefined where some may have been missed. */
  readonly note: (text: string | undefined) => void;
  /** All notes come through, for as many milliseconds more. */
  readonly hears: (milliseconds: number) => void;
  /** So much of the journal has been read. */
  readonly read: (bytes: number) => void;
  /** Serves on for so long, and then ends its calls. */
  readonly drain: (delay: number) => Promise<void>;
  readonly exit: (nothing: undefined) => void;
};

/** What the primary does for a worker. */
export type PrimaryDuties = {
  /** Says how to serve; asked first, as what is sent to a worker that does not listen yet is lost. */
  readonly begin: (nothing: undefined) => Promise<Start>;
  readonly started: (started: Started) => void;
  readonly exchange: (batch: LedgerBatch) => Promise<LedgerAnswers>;
  readonly note: (step: Step) => Promise<void>;
  readonly steps: (nothing: undefined) => Promise<readonly Step[]>;
  readonly tell: (text: string) => void;
  readonly compared: (comparison: Comparison) => void;
  readonly skipped: (skipped: Skipped) => void;
  readonly ended: (ending: Ending) => void;
  readonly event: (event: WaitingEvent) => void;
};
