/** Who still calls v1, day by day down to the sunset; who left, came back and is new; and whether all will have stopped in time. */
import type { ActiveDay, BurnDown } from '../burn-down/model.ts';
import { count, counted, dateOf, lengthOf, percent } from '../text/figures.ts';
import { burnCharts } from './burn-chart.ts';
import { type Context, linked } from './context.ts';
import { type Content, type Html, html, named } from './escape.ts';
import { type Column, table } from './table.ts';

const namesOfList = 8;

export function burnDownSection(context: Context): Html {
  const { report } = context;
  const { burnDown } = report;
  return html`<section id="burn-down-section" aria-labelledby="burn-down-title">
    <h2 id="burn-down-title">Who still calls, down to the sunset</h2>
    <p>Active on a day is who called v1 in the seven days that end with it.</p>
    ${
      burnDown.days.length === 0
        ? html`<p class="empty">Nothing was recorded yet.</p>`
        : html`${burnCharts(report)}
            <details id="burn-down-table">
              <summary>The same as a table</summary>
              ${table({ id: 'burn-down', caption: 'Active workspaces and clients, day by day', columns: dayColumns, rows: burnDown.days.toReversed(), most: Infinity, noun: 'day' })}
            </details>`
    }
    ${changes(context, burnDown)} ${burnDown.outlook.state === 'forecast' && html`<p class="rest">${howOftenRight}</p>`}
  </section>`;
}

/** As docs/reports.md has measured it. */
export const rightSixWeeksBefore = { fades: '88%', stops: '88%', rush: '2%' } as const;

const { fades, stops, rush } = rightSixWeeksBefore;
const howOftenRight = `How often is such an outlook right? Six weeks before the sunset, the last day was within the interval in ${fades} of simulated migrations in which calls fade, in ${stops} where workspaces stop one by one, and in ${rush} of those with a rush at the deadline: that is in no record before it happens.`;

const known = (value: number | null): string => (value === null ? 'not recorded' : count(value));

const dayColumns: readonly Column<ActiveDay>[] = [
  { id: 'day', title: 'Day', cell: ({ start }) => dateOf(start) },
  { id: 'workspaces', title: 'Active workspaces', cell: ({ workspaces }) => known(workspaces), figure: true },
  { id: 'clients', title: 'Active clients', cell: ({ clients }) => known(clients), figure: true },
  { id: 'recorded', title: 'Recorded', cell: ({ recorded }) => percent(recorded), figure: true },
];

/** A name, and what there is to say of it. */
type Entry = readonly [workspace: string, note: Content];

function changes(context: Context, { left, cameBack, new: newcomers, misses, resting }: BurnDown): Html {
  const list = (title: string, entries: readonly Entry[], empty: string): Content => {
    const more = entries.length - namesOfList;
    // Of one alone, what did not happen need not be told.
    if (entries.length === 0 && context.report.of?.length === 1) return '';
    return html`<div>
      <h3>${title}${entries.length > 0 && ` (${count(entries.length)})`}</h3>
      ${
        entries.length === 0
          ? html`<p class="muted">${empty}</p>`
          : html`<ul>
              ${entries.slice(0, namesOfList).map(([name, note]) => html`<li>${linked(name, context)} <small>${note}</small></li>`)}
              ${more > 0 && html`<li><span class="muted">and ${count(more)} more</span></li>`}
            </ul>`
      }
    </div>`;
  };
  return html`<div class="changes">
    ${list(
      'Likely to miss the date, each by itself',
      misses.map(({ workspace, reason }) => [workspace, missTexts[reason]]),
      'Nobody that the record could tell of.',
    )}
    ${list(
      'Left this week',
      left.map(({ workspace, last, probably }) => [
        workspace,
        probably.length > 0 ? `perhaps under another key now` : `last on ${dateOf(last)}`,
      ]),
      'Nobody.',
    )}
    ${list(
      'Came back',
      cameBack.map(({ workspace, quiet, wasSafe }) => [workspace, `after ${lengthOf(quiet)}${wasSafe ? ', and was SAFE' : ''}`]),
      'Nobody.',
    )}
    ${list(
      'New this week',
      newcomers.map(({ workspace, first, probably }) => [
        workspace,
        probably === null ? `since ${dateOf(first)}` : html`probably ${named(probably)}`,
      ]),
      'Nobody.',
    )}
    ${
      resting.length > 0 &&
      html`<p class="muted">
        ${counted(resting.length, 'workspace')} ${resting.length === 1 ? 'rests' : 'rest'}: quiet, but for no longer than before. They have
        not left.
      </p>`
    }
  </div>`;
}

const missTexts = {
  promise_overdue: 'promised, and overdue',
  promised_late: 'promised for after the sunset',
  growing: 'calls more and more',
  no_decline: 'calls as ever',
  slow: 'declines, but too slowly',
} as const;
