/** How far a roll-out is, as this proxy sees it. */
import type { Stages } from '../stages.ts';
import type { Metrics } from './metrics.ts';

export function roadMetrics(metrics: Metrics, stages: Stages): void {
  const { road } = stages;
  metrics.gauge('migrate_v2_rollout_stopped', '1 while the roll-out is stopped, and v1 answers every call', () =>
    Number(road.state.stopped !== undefined),
  );
  metrics.gauge(
    'migrate_v2_rollout_rules_taken_back',
    'Rules that a guard took back, and nobody has released',
    () => road.state.tripped.size,
  );
  metrics.gauge('migrate_v2_rollout_changed_over', '1 once v1 was found gone, and its calls go to v2', () => Number(stages.isGone));
  metrics.gauge('migrate_v2_brownout', '1 while a brownout refuses calls', () => Number(stages.isBrownout));
}
