/** What clients get of their hour, held against what the best order of the same calls would have given them. */
import { describe, expect, it } from 'vitest';
import { type Budget, usualBudget } from '../../src/budget/policy.ts';
import { budget } from '../../src/config/types-budget.ts';
import { endpointIds, v1Endpoints } from '../../src/contract/endpoints.ts';
import { behaviours } from './behaviours/behaviours.ts';
import { oldestAnswers, type Outcome } from './behaviours/outcome.ts';
import { replay } from './behaviours/replay.ts';

/** The hours of the day in which a behaviour shows, from the first to the one after the last. */
const spans: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  'batch at midnight': [
    [17, 19],
    [23, 25],
  ],
  // Hours in which it comes late, after some in which it did not.
  'burst of sends': [
    [5, 7],
    [10, 12],
  ],
};
const cases = behaviours.flatMap((behaviour) =>
  (spans[behaviour.name] ?? [[0, 2]]).map(
    ([from, to]) => [`${behaviour.name}, ${from}:00 to ${to}:00`, behaviour, from, to - from] as const,
  ),
);

describe('where the budget is off', () => {
  const off = { ...usualBudget, enabled: false };

  it.each(cases.filter(([, , from]) => from !== 23))(
    '%s: reads take what sends need, and v2 itself refuses them',
    async (_, behaviour, first, hours) => {
      // What shows in any hour shows in the first.
      const isInAny = spans[behaviour.name] === undefined;
      const outcome = await replay(behaviour, { first, hours: isInAny ? 1 : hours, budget: off });
      expect(Math.max(...each(outcome, 'needless'))).toBeGreaterThan(0);
      expect(Math.max(...each(outcome, 'refusedByV2'))).toBeGreaterThan(0);
      expect(sum(each(outcome, 'refusedByV2'))).toEqual(sum([...each(outcome, 'sendsRefused'), ...each(outcome, 'readsRefused')]));
    },
  );
});

const each = ({ hours }: Outcome, figure: keyof Outcome['hours'][number]): number[] => hours.map((hour) => hour[figure]);
const sum = (figures: readonly number[]): number => figures.reduce((all, figure) => all + figure, 0);

describe('with the budget as it is without settings', () => {
  it.each(cases)('%s: no send is lost that a better order would have saved', async (_, behaviour, first, hours) => {
    const outcome = await replay(behaviour, { first, hours, budget: usualBudget });
    expect(figures(outcome, usualBudget)).toEqual(best(outcome));
  });
});

describe('with what one sets for such a client', () => {
  it.each(cases)('%s: nor is one lost, and no answer is older than it may be', async (_, behaviour, first, hours) => {
    const settings = budget.parse(behaviour.settings);
    const outcome = await replay(behaviour, { first, hours, budget: settings });
    expect(figures(outcome, settings)).toEqual(best(outcome));
  });
});

/** For how long at most the answers of a read may show what is no longer so, by method and path. */
const mayBeOld = ({ reuse }: Budget): ReadonlyMap<string, number> =>
  new Map(endpointIds(v1Endpoints).map((id) => [`${v1Endpoints[id].method} ${v1Endpoints[id].path}`, reuse[id] ?? 0]));

/** What is held of an outcome. */
const figures = (outcome: Outcome, settings: Budget) => ({
  shows: Math.min(sum(each(outcome, 'sendsTaken')), sum(each(outcome, 'reads'))) > 20,
  needless: each(outcome, 'needless'),
  refusedByV2: each(outcome, 'refusedByV2'),
  toldTooEarly: outcome.toldTooEarly,
  forgetful: outcome.forgetful,
  beyondTheLimit: each(outcome, 'used').filter((used) => used > outcome.limit),
  tooOld: Object.entries(oldestAnswers(outcome)).filter(([about, age]) => age > (mayBeOld(settings).get(about) ?? 0)),
});

/** That no order of the calls could have let more sends through, that v2 had nothing to refuse, and that no answer was older than it may be. */
const best = ({ hours }: Outcome) => ({
  shows: true,
  needless: hours.map(() => 0),
  refusedByV2: hours.map(() => 0),
  toldTooEarly: [],
  forgetful: [],
  beyondTheLimit: [],
  tooOld: [],
});
