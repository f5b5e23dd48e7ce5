import type { Api, OpenApiDocument } from '../../openapi/types.ts';
import type { VirtualClock } from '../clock/clock.ts';
import type { Dashboard } from '../dashboard/dashboard.ts';
import type { Faults } from '../faults/faults.ts';

/** What the control surface controls. Its parts are read anew for every request: a reset replaces some. */
export interface ControlTarget {
  readonly clock: VirtualClock;
  readonly dashboard: Dashboard;
  readonly faults: Faults;
  reset(): void | Promise<void>;
  /** Plain JSON. */
  snapshot(): object;
  /** @throws an error with a code where this is no snapshot */
  restore(snapshot: unknown): void | Promise<void>;
  /** The OpenAPI document of one version. */
  describe(api: Api): OpenApiDocument;
}
