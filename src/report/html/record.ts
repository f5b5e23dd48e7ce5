/** How far the report can be relied upon: what was recorded, and what it leaves out. */
import type { GapRow, IgnoredRow, PlanLimit } from '../model.ts';
import { count, counted, lengthOf, percent } from '../text/figures.ts';
import { coverageText, gapReasons } from '../text/wording.ts';
import { time } from './cells.ts';
import type { Context } from './context.ts';
import { type Html, html, named } from './escape.ts';
import { said } from './sentence.ts';
import { type Column, table } from './table.ts';

export function recordSection({ report: { coverage, ignored } }: Context): Html {
  const { gaps, more } = coverage;
  return html`<section id="record-section" aria-labelledby="record-title">
    <h2 id="record-title">The record</h2>
    <p>${said(coverageText(coverage))} A verdict needs ${percent(coverage.needed)} of the time it speaks of.</p>
    ${
      gaps.length > 0 &&
      html`<h3>Gaps</h3>
        ${table({ id: 'gaps', caption: 'Times that were not recorded', columns: gapColumns, rows: gaps, most: Infinity, noun: 'gap', prose: true })}`
    }
    ${more.gaps > 0 && html`<p class="rest">${counted(more.gaps, 'shorter gap')} more, ${lengthOf(more.duration)} together.</p>`}
    ${
      ignored.length > 0 &&
      html`<h3>Ignored</h3>
        <p>Calls that the configuration leaves out: in no other figure but the limits, as they use up the quota of their keys.</p>
        ${table({ id: 'ignored', caption: 'Ignored calls', columns: ignoredColumns, rows: ignored, most: Infinity, noun: 'rule' })}`
    }
  </section>`;
}

const gapColumns: readonly Column<GapRow>[] = [
  { id: 'since', title: 'From', cell: ({ since }) => time(since) },
  { id: 'until', title: 'To', cell: ({ until }) => time(until) },
  { id: 'duration', title: 'Length', cell: ({ duration }) => lengthOf(duration), figure: true },
  { id: 'reason', title: 'Why', cell: ({ reason }) => gapReasons[reason], text: true },
  { id: 'calls', title: 'Missing calls', cell: ({ reason, calls }) => (reason === 'lost' ? count(calls) : 'not known'), figure: true },
];

const ignoredColumns: readonly Column<IgnoredRow>[] = [
  { id: 'reason', title: 'Reason', cell: ({ reason }) => named(reason) },
  { id: 'calls', title: 'Calls', cell: ({ calls }) => count(calls), figure: true },
  { id: 'clients', title: 'Clients', cell: ({ clients }) => count(clients), figure: true },
  { id: 'last', title: 'Last', cell: ({ last }) => time(last), figure: true },
];

/** The limits that the fit was judged by. */
export const plansText = (plans: readonly PlanLimit[]): string =>
  `v2 requests an hour: ${plans.map(({ plan, perHour, basis }) => `${plan} ${perHour === null ? (basis === 'custom' ? 'custom' : 'not shown') : `${count(perHour)}${basis === 'given' ? ' (given)' : ''}`}`).join(', ')}.`;
