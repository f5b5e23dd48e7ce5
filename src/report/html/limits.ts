/** Who will run into v2's hourly limits, and what would help. */
import type { LimitFit, Polling, Report, WorkspaceRow } from '../model.ts';
import { count, percent } from '../text/figures.ts';
import { saversText } from '../text/savers-wording.ts';
import { none, time } from './cells.ts';
import { meter } from './chart.ts';
import { type Content, type Html, html, named } from './escape.ts';
import { type Column, table, type View } from './table.ts';

const risk = { exceeds: 0, depends: 1, unknown: 2, fits: 3 } as const satisfies Record<LimitFit['fit'], number>;
const labels = {
  exceeds: html`<span class="pill not_yet">exceeds</span>`,
  depends: html`<span class="pill unknown">depends</span>`,
  unknown: html`<span class="pill unknown">not known</span>`,
  fits: html`<span class="pill safe">fits</span>`,
} as const satisfies Record<LimitFit['fit'], Html>;

export function limitsSection(report: Report, most: number, view: View | undefined): Html {
  const rows = report.workspaces
    .filter(({ limit }) => limit.sliding !== null || limit.older !== null || limit.savers !== null)
    .toSorted((a, b) => risk[a.limit.fit] - risk[b.limit.fit] || loadOf(b) - loadOf(a));
  return html`<section id="limits-section" aria-labelledby="limits-title">
    <h2 id="limits-title">Will they fit v2’s limits?</h2>
    <p>
      v2 counts requests by the hour. Whether by the clock or over any 60 minutes is not shown, so both are given, for the last 30 days;
      “depends” fits under one of them. Calls are recorded by the minute: any 60 minutes have at most what is told here. Those that clients
      make to v2 through the proxy themselves are among them. With the savers tells what reuse and coalescing would leave of the worst clock
      hour, once all calls are translated.
    </p>
    ${table({
      id: 'limits',
      caption: 'v2 calls of workspaces beside the limits of their plans',
      columns,
      rows,
      most,
      view,
      texts: ({ name, owner, contact, plan }) => [name, owner, contact, plan],
      noun: 'workspace',
    })}
    ${pollingPart(report, most, view)}
  </section>`;
}

const loadOf = ({ limit }: WorkspaceRow): number => limit.sliding?.v2Calls ?? 0;
const refusedOf = ({ limit }: WorkspaceRow): number | undefined =>
  limit.refused === null ? undefined : Math.max(limit.refused.clockHour, limit.refused.sliding);

const columns: readonly Column<WorkspaceRow>[] = [
  { id: 'name', title: 'Workspace', cell: ({ name }) => named(name), sort: ({ name }) => name },
  { id: 'fit', title: 'Fit', cell: ({ limit }) => labels[limit.fit], sort: ({ limit }) => risk[limit.fit] },
  { id: 'sliding', title: 'Any 60 minutes', cell: ({ limit }) => peak(limit), sort: loadOf, figure: true },
  {
    id: 'clock',
    title: 'Worst clock hour',
    cell: ({ limit: { clockHour } }) =>
      clockHour === null ? none : html`${count(clockHour.v2Calls)}<small>${time(clockHour.since)}</small>`,
    sort: ({ limit }) => limit.clockHour?.v2Calls,
    figure: true,
    wide: true,
  },
  {
    id: 'limit',
    title: 'Plan and limit',
    cell: ({ limit: { limit } }) =>
      limit === null
        ? none
        : html`${limit.plan}<small
              >${limit.perHour === null ? (limit.basis === 'custom' ? 'custom, by contract' : 'not shown') : `${count(limit.perHour)} an hour`}</small
            >`,
    sort: ({ limit }) => limit.limit?.perHour ?? undefined,
  },
  { id: 'refused', title: 'Would be 429', cell: (row) => refused(row), sort: refusedOf, figure: true },
  { id: 'smallest', title: 'Plan that fits', cell: ({ limit }) => smallest(limit), wide: true },
  {
    id: 'tame',
    title: 'Tame first',
    cell: ({ limit: { tame } }) =>
      tame === null ? none : html`<code>${tame.endpoint}</code><small>${percent(tame.share)} of those for v1</small>`,
    wide: true,
  },
  { id: 'savers', title: 'With the savers', cell: ({ limit }) => saved(limit), wide: true },
];

function saved({ savers }: LimitFit): Html {
  const text = savers === null ? undefined : saversText(savers);
  return text === undefined ? none : html`<small>${text}</small>`;
}

function peak({ sliding, older, limit }: LimitFit): Html {
  const before = older !== null && html`<small>earlier ${count(older.v2Calls)}, ${time(older.since)}</small>`;
  if (sliding === null) return html`${none}${before}`;
  return html`${count(sliding.v2Calls)}<small>${time(sliding.since)}</small>${limit?.perHour != null && meter(sliding.v2Calls, limit.perHour)}${before}`;
}

function refused({ limit }: WorkspaceRow): Content {
  if (limit.refused === null) return none;
  const { clockHour, sliding } = limit.refused;
  const [low, high] = [Math.min(clockHour, sliding), Math.max(clockHour, sliding)];
  return low === high ? count(high) : `${count(low)} to ${count(high)}`;
}

function smallest({ limit, sliding, smallestPlan, notShown }: LimitFit): Html {
  if (sliding === null) return none;
  if (smallestPlan === null) return html`none with a known limit`;
  if (smallestPlan === limit?.plan)
    return html`${smallestPlan}<small>${limit.perHour === null ? 'its limit is custom' : 'as it is'}</small>`;
  return html`${smallestPlan}${notShown.length > 0 && html`<small>ask for ${notShown.join(' and ')}: limit not shown</small>`}`;
}

interface Polled extends Polling {
  readonly workspace: string;
}

function pollingPart({ workspaces }: Report, most: number, view: View | undefined): Html | false {
  const rows = workspaces.flatMap(({ name, polling }) => polling.map((row): Polled => ({ ...row, workspace: name })));
  if (rows.length === 0) return false;
  return html`<h3>Asked again and again</h3>
    <p>What a cache, or being told instead of asking, would save of each quota.</p>
    ${table({
      id: 'polling',
      caption: 'Endpoints that workspaces poll',
      columns: polled,
      rows: rows.toSorted((a, b) => b.calls - a.calls),
      most,
      view,
      texts: ({ workspace, endpoint }) => [workspace, endpoint],
      noun: 'polled endpoint',
      calls: ({ calls }) => calls,
    })}`;
}

const polled: readonly Column<Polled>[] = [
  { id: 'name', title: 'Workspace', cell: ({ workspace }) => named(workspace), sort: ({ workspace }) => workspace },
  { id: 'endpoint', title: 'Endpoint', cell: ({ endpoint }) => html`<code>${endpoint}</code>`, sort: ({ endpoint }) => endpoint },
  { id: 'calls', title: 'Calls', cell: ({ calls }) => count(calls), sort: ({ calls }) => calls, figure: true },
  {
    id: 'cache',
    title: 'Cache saves',
    cell: ({ cacheSaves }) => count(cacheSaves),
    sort: ({ cacheSaves }) => cacheSaves,
    figure: true,
  },
  {
    id: 'webhook',
    title: 'Webhook saves',
    cell: ({ webhook }) =>
      webhook === null
        ? none
        : html`${count(webhook.saves)}<small
              >${webhook.event === null ? 'none with this news is shown' : html`<code>${webhook.event}</code>`}</small
            >`,
    sort: ({ webhook }) => webhook?.saves,
    figure: true,
  },
];
