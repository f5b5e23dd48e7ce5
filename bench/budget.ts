/**
 * What clients get of their hour on v2: a day of each behaviour, by the sandbox's clock, without the budget, with it, and with what one
 * would set for that behaviour. See README.md.
 *
 *   node bench/budget.ts [--only NAME,NAME] [--hours N]
 */
import { parseArgs } from 'node:util';
import { type Budget, usualBudget } from '../src/budget/policy.ts';
import { budget } from '../src/config/types-budget.ts';
import { minuteInMs } from '../src/contract/times.ts';
import type { Behaviour } from '../test/budget/behaviours/behaviour.ts';
import { behaviours } from '../test/budget/behaviours/behaviours.ts';
import { type Hour, oldestAnswers, type Outcome } from '../test/budget/behaviours/outcome.ts';
import { replay } from '../test/budget/behaviours/replay.ts';
import { markdown } from './report.ts';
import { tell } from './results.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, hours: { type: 'string', default: '24' } } });
const hours = Number(values.hours);
/** The day begins at noon, so that midnight comes after hours of which something is known. */
const first = 12;

const head = [
  'Behaviour',
  'Budget',
  'Sends',
  'refused',
  'needlessly',
  'longest wait',
  'Reads',
  'refused',
  'held back',
  'v2 calls',
  '429s of v2',
  'Oldest answer',
];

function row({ name }: Behaviour, how: string, outcome: Outcome): string[] {
  const sum = (pick: (hour: Hour) => number): number => outcome.hours.reduce((all, hour) => all + pick(hour), 0);
  const oldest = Math.max(0, ...Object.values(oldestAnswers(outcome)));
  const longestWait = Math.max(0, ...outcome.sends.map(({ taken }) => taken?.after ?? 0));
  return [
    name,
    how,
    String(outcome.sends.length),
    String(sum(({ sendsRefused }) => sendsRefused)),
    String(sum(({ needless }) => needless)),
    longestWait === 0 ? '–' : `${Math.ceil(longestWait / minuteInMs)} min`,
    String(sum(({ reads }) => reads)),
    String(sum(({ readsRefused }) => readsRefused)),
    String(sum(({ readsHeldBack }) => readsHeldBack)),
    String(sum(({ used }) => used)),
    String(sum(({ refusedByV2 }) => refusedByV2)),
    `${Math.round(oldest / 1_000)} s`,
  ];
}

const wanted = values.only?.split(',');
const rows: string[][] = [];
const refused = new Map<string, number>();
for (const behaviour of behaviours.filter(({ name }) => wanted?.includes(name) ?? true)) {
  const budgets: readonly (readonly [string, Budget])[] = [
    ['off', { ...usualBudget, enabled: false }],
    ['on', usualBudget],
    ['set for it', budget.parse(behaviour.settings)],
  ];
  for (const [how, policy] of budgets) {
    console.error(`${behaviour.name}, ${how}`);
    const outcome = await replay(behaviour, { budget: policy, first, hours });
    rows.push(row(behaviour, how, outcome));
    const calls = outcome.hours.reduce((sum, { sendsRefused, readsRefused }) => sum + sendsRefused + readsRefused, 0);
    refused.set(how, (refused.get(how) ?? 0) + calls);
  }
}
console.log(markdown(head, rows));
tell(
  ['on', 'set for it'].map((how) => ({
    name: `budget: calls refused, ${how} ÷ off`,
    ratio: (refused.get(how) ?? Number.NaN) / (refused.get('off') ?? Number.NaN),
  })),
);
