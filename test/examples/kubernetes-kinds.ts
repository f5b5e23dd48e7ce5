/** What stands in a manifest, by its kind: as Kubernetes' own OpenAPI document has it. */
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { CronJob } from 'kubernetes-types/batch/v1.js';
import type { ConfigMap, Service } from 'kubernetes-types/core/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';

export interface Kinds {
  readonly ConfigMap: ConfigMap;
  readonly CronJob: CronJob;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly Service: Service;
  readonly StatefulSet: StatefulSet;
}
