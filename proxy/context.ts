/** What every call shares: built once per proxy, handed down the path of a request. */
import type { Assumptions } from '../src/contract/assumptions.ts';
import type { DeprecationFields } from './deprecation.ts';
import type { Mappings } from './mappings.ts';
import type { ProxyOptions } from './options.ts';
import type { Origins } from './origins.ts';
import type { Recorder } from './record.ts';
import type { UnderWay } from './under-way.ts';
import type { Upstream } from './upstream.ts';

export interface Context {
  readonly options: ProxyOptions;
  readonly assumptions: Assumptions;
  readonly upstream: Upstream;
  readonly origins: Origins;
  readonly mappings: Mappings;
  readonly recorder: Recorder;
  readonly deprecation: DeprecationFields;
  readonly underWay: UnderWay;
  /** True once no new call is taken. */
  draining: boolean;
}
