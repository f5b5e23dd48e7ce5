/** The tables of the road from v1 to v2, for the terminal and Markdown. */
import type { DifferenceRow } from '../rollout/model.ts';
import { count } from '../text/figures.ts';
import { adviceTexts, differenceText, errorsLabel, nextLabels, type OnRoad, stageText, workspacesText } from '../text/road-wording.ts';
import type { Column } from './columns.ts';

const isWarning: ReadonlySet<string> = new Set(['release', 'resume', 'mend', 'look_at_errors']);

export const roadColumns: readonly Column<OnRoad>[] = [
  { head: 'Workspace', text: ({ name }) => name, least: 12 },
  { head: 'Stage', text: ({ road }) => stageText(road), least: 9 },
  { head: 'Compared', text: ({ road: { compared } }) => (compared === null ? '' : count(compared.calls)), align: 'right' },
  {
    head: 'Left',
    text: ({ road: { compared } }) => (compared === null ? '' : count(compared.differences)),
    align: 'right',
    style: ({ road: { compared } }) => ((compared?.differences ?? 0) > 0 ? 'red' : undefined),
  },
  {
    head: 'Skipped',
    text: ({ road: { skipped } }) => (skipped.length === 0 ? '' : count(skipped.reduce((sum, { calls }) => sum + calls, 0))),
    align: 'right',
    drop: 2,
  },
  { head: 'Errors', text: ({ road }) => errorsLabel(road), align: 'right', drop: 1 },
  {
    head: 'Next',
    text: ({ road: { next } }) => (next === null ? '' : nextLabels[next.step]),
    style: ({ road: { next } }) => (next !== null && isWarning.has(next.step) ? 'yellow' : undefined),
  },
];

export const differenceColumns: readonly Column<DifferenceRow>[] = [
  { head: 'v1 endpoint', text: ({ endpoint }) => endpoint, least: 16 },
  { head: 'Where', text: ({ path }) => path || 'the answer', least: 12 },
  { head: 'What differs', text: differenceText, least: 14 },
  { head: 'Calls', text: ({ calls }) => count(calls), align: 'right' },
  { head: 'Compared', text: ({ compared }) => count(compared), align: 'right', drop: 3 },
  { head: 'Noise', text: ({ noise }) => count(noise), align: 'right', drop: 4 },
  { head: 'Workspaces', text: workspacesText, least: 10, drop: 2 },
  { head: 'To do', text: ({ advice }) => adviceTexts[advice], least: 14 },
];
