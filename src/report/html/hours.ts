/** The hour of each workspace on v2 that is under way, as the proxy whose page it is knows it. */
import type { WorkspaceHour } from '../../budget/hours.ts';
import { count } from '../text/figures.ts';
import { none, time } from './cells.ts';
import { meter } from './chart.ts';
import { type Content, type Html, html, named } from './escape.ts';
import { type Column, table } from './table.ts';
import type { View } from './view.ts';

/** @returns nothing where no workspace of the configuration has called within the hour */
export function hoursSection(hours: readonly WorkspaceHour[], most: number, view: View | undefined): Html {
  const rows = hours.filter(({ used, refused }) => used > 0 || refused > 0).toSorted((a, b) => shareOf(b) - shareOf(a) || b.used - a.used);
  return html`<section id="hours-section" aria-labelledby="hours-title">
    <h2 id="hours-title">This hour on v2</h2>
    <p>
      What v2 was sent for each workspace, calls to v2 that pass among them, and what is left. Reads stop where the rest is kept for writes.
    </p>
    ${table({
      id: 'hours',
      caption: 'Calls of this hour beside the limits of v2',
      columns,
      rows,
      most,
      view,
      noun: 'workspace with calls in this hour',
    })}
  </section>`;
}

const shareOf = ({ used, limit }: WorkspaceHour): number => (limit === undefined ? 0 : used / limit);
const left = ({ used, limit }: WorkspaceHour): number | undefined =>
  limit === undefined ? undefined : Math.max(0, Math.floor(limit - used));

const columns: readonly Column<WorkspaceHour>[] = [
  { id: 'name', title: 'Workspace', cell: ({ workspace }) => named(workspace), sort: ({ workspace }) => workspace },
  { id: 'used', title: 'Sent to v2', cell: (row) => used(row), sort: ({ used }) => used, figure: true },
  { id: 'load', title: 'Of its limit', cell: ({ used, limit }) => (limit === undefined ? none : meter(used, limit)), wide: true },
  {
    id: 'limit',
    title: 'Limit',
    cell: ({ limit }) => (limit === undefined ? html`<span class="none">not known</span>` : count(limit)),
    sort: ({ limit }) => limit,
    figure: true,
  },
  { id: 'left', title: 'Left', cell: (row) => leftOf(row), sort: left, figure: true },
  {
    id: 'refused',
    title: 'Refused here',
    cell: ({ refused }) => (refused === 0 ? none : count(refused)),
    sort: ({ refused }) => refused,
    figure: true,
  },
  { id: 'until', title: 'More from', cell: (row) => until(row), sort: ({ until }) => until },
];

const used = ({ used, others }: WorkspaceHour): Html =>
  html`${count(Math.ceil(used))}${others > 0 && html` <small>and ${count(others)} by others</small>`}`;

function leftOf(row: WorkspaceHour): Content {
  const calls = left(row);
  if (calls === undefined) return none;
  return row.kept > 0 ? html`${count(calls)} <small>${count(row.kept)} kept for writes</small>` : count(calls);
}

const until = ({ until, blockedUntil }: WorkspaceHour): Html =>
  blockedUntil === undefined
    ? time(new Date(until).toISOString())
    : html`${time(new Date(blockedUntil).toISOString())} <small>v2 has said so</small>`;
