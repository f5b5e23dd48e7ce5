/** What every call shares: built once per proxy, handed down the path of a request. */
import type { Assumptions } from '../src/contract/assumptions.ts';
import type { HourlyBudget } from './budget/budget.ts';
import type { PaidSender } from './budget/spending.ts';
import type { DeprecationFields } from './deprecation.ts';
import type { Mappings } from './mappings.ts';
import type { ProxyOptions } from './options.ts';
import type { Origins } from './origins.ts';
import type { CallRecorder, Recorder } from './record.ts';
import type { Reuse } from './reuse/reuse.ts';
import type { Stages } from './stages.ts';
import type { UnderWay } from './under-way.ts';
import type { Upstream } from './upstream.ts';
import type { V1Probe } from './v1-probe.ts';
import type { Comparer } from './witness.ts';

/** What calls need of a roll-out. */
export interface RollingOut {
  readonly stages: Stages;
  /** Connections to v1. */
  readonly v1: Upstream;
  readonly probe: V1Probe;
  readonly comparer: Comparer;
}

export interface Context {
  readonly options: ProxyOptions;
  readonly assumptions: Assumptions;
  /** Where requests to v2 go: they spend of its hour. */
  readonly upstream: PaidSender;
  readonly budget: HourlyBudget;
  /** What spares v2 calls; undefined where nothing does. */
  readonly reuse: Reuse | undefined;
  readonly origins: Origins;
  readonly mappings: Mappings;
  readonly recorder: CallRecorder;
  readonly deprecation: DeprecationFields;
  /** Without one, every call is translated. */
  readonly rollout: RollingOut | undefined;
  readonly underWay: UnderWay;
  /** True once no new call is taken. */
  draining: boolean;
}

/** That of the proxy's own calls; questions that compare have another. */
export interface OwnContext extends Context {
  /** The connections to v2 behind it. */
  readonly connections: Upstream;
  readonly recorder: Recorder;
}
