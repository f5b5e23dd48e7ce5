/** What stands in a manifest, by its kind: as Kubernetes' own OpenAPI document has it. */
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { ConfigMap, Service } from 'kubernetes-types/core/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';

export interface Kinds {
  readonly ConfigMap: ConfigMap;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly Service: Service;
  readonly StatefulSet: StatefulSet;
}
