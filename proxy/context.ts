/** What every call shares: built once per proxy, handed down the path of a request. */
import type { ServerResponse } from 'node:http';
import type { Assumptions } from '../src/contract/assumptions.ts';
import type { Call } from './call.ts';
import type { Mappings } from './mappings.ts';
import type { ProxyOptions } from './options.ts';
import type { Recorder } from './record.ts';
import type { Upstream } from './upstream.ts';

export interface Context {
  readonly options: ProxyOptions;
  readonly assumptions: Assumptions;
  readonly upstream: Upstream;
  readonly mappings: Mappings;
  readonly recorder: Recorder;
  /** The deprecation fields for the successor's path. */
  readonly deprecation: (successor: string | undefined) => string[];
  /** The call that a response answers. */
  readonly calls: WeakMap<ServerResponse, Call>;
  /** True once no new call is taken. */
  draining: boolean;
}
