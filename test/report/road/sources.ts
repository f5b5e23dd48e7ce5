/** Roll-outs to look at, at the time of the stores of the tests. */
import { rollout } from '../../../src/config/types-rollout.ts';
import type { RoadSource } from '../../../src/report/road/view.ts';
import { sunsetAt } from '../../../src/contract/dates.ts';
import type { Step } from '../../../src/usage/model.ts';
import { hoursAgo, now } from '../../helpers/usage-store.ts';

export const workspaces = [
  { name: 'Acme', keys: ['ak_acme'] },
  { name: 'Bolt', keys: ['ak_bolt'] },
];

/** What is to be seen with these rules, as a configuration has them. */
export const sourceWith = (given: unknown, more: Partial<RoadSource> = {}): RoadSource => ({
  rollout: rollout.parse(given),
  steps: [],
  sunset: Date.parse(sunsetAt),
  now,
  ...more,
});

/** A step of an hour ago. */
export const step = (kind: Step['kind'], rule = '', detail = 'as a test says'): Step => ({
  id: `${kind} ${rule} ${crypto.randomUUID()}`,
  at: hoursAgo(1),
  replica: 'one',
  kind,
  rule,
  detail,
});
