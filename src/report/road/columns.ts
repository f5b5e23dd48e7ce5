/** The tables of a roll-out as data, for the terminal. */
import type { Column } from '../formats/columns.ts';
import { count, timeOf } from '../text/figures.ts';
import type { BrownoutView, RoadView, RuleView, StepView, Use } from './model.ts';
import { guardText, matchText, noRuleName, noRuleText, refusedText, stageText, stepText } from './wording.ts';

/** A rule, or what no rule matches. */
export interface RuleRow extends Pick<RuleView, 'inForce' | 'because' | 'use'> {
  readonly name: string;
  readonly stage: string;
  readonly whom: string;
  readonly guard: string;
}

/** The rules, and at last what none of them matches. */
export const ruleRows = ({ rules, unmatched }: RoadView): readonly RuleRow[] => [
  ...rules.map(({ name, stage, match, fallback, until, inForce, because, use }) => ({
    name,
    stage: until === null ? stage : `${stage} until ${timeOf(until)}`,
    whom: matchText(match),
    guard: fallback === null ? '' : guardText(fallback),
    inForce,
    because,
    use,
  })),
  { name: noRuleName, stage: '', whom: noRuleText, guard: '', ...unmatched },
];

const figure = (head: string, of: keyof Use): Column<RuleRow> => ({
  head,
  text: ({ use }) => (use === null ? '' : count(use[of])),
  align: 'right',
});

const styles = { stopped: 'yellow', tripped: 'red', sunset: 'yellow', over: 'dim' } as const;

export const ruleColumns: readonly Column<RuleRow>[] = [
  { head: 'Rule', text: ({ name }) => name, least: 12 },
  { head: 'Stage', text: ({ stage }) => stage, least: 9, drop: 3 },
  { head: 'In force', text: stageText, style: ({ because }) => (because === null ? undefined : styles[because]) },
  { head: 'For', text: ({ whom }) => whom, least: 16 },
  { head: 'Guard', text: ({ guard }) => guard, drop: 6, isExtra: true },
  figure('Calls', 'calls'),
  { ...figure('Clients', 'clients'), drop: 4 },
  { ...figure('Keys', 'keys'), drop: 5 },
  figure('Errors', 'errors'),
];

export const brownoutColumns: readonly Column<BrownoutView>[] = [
  { head: 'Brownout', text: ({ name }) => name, least: 12 },
  { head: 'For', text: refusedText, least: 16 },
  { head: 'Status', text: ({ status }) => String(status), align: 'right' },
];

export const stepColumns: readonly Column<StepView>[] = [
  { head: 'When', text: ({ at }) => timeOf(at) },
  { head: 'What', text: stepText, least: 10 },
  { head: 'Rule', text: ({ rule }) => rule, least: 8 },
  { head: 'By', text: ({ replica }) => replica, least: 8, drop: 1 },
  { head: 'Why', text: ({ detail }) => detail, least: 16 },
];
