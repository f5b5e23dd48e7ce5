/** Who will run into v2's hourly limits, and what would help. */
import type { LimitFit, Polling, WorkspaceRow } from '../model.ts';
import { count, counted, timeOf } from '../text/figures.ts';
import { saversText } from '../text/savers-wording.ts';
import { limitText } from '../text/wording.ts';
import { workspaceId } from './chase.ts';
import { none } from './cells.ts';
import { meter } from './chart.ts';
import type { Context } from './context.ts';
import { type Content, type Html, html, named } from './escape.ts';
import { said } from './sentence.ts';
import { type Column, table } from './table.ts';

const risk = { exceeds: 0, depends: 1, unknown: 2, fits: 3 } as const satisfies Record<LimitFit['fit'], number>;
const labels = {
  exceeds: html`<span class="pill not_yet">exceeds</span>`,
  depends: html`<span class="pill unknown">depends</span>`,
  unknown: html`<span class="pill unknown">not known</span>`,
  fits: html`<span class="pill safe">fits</span>`,
} as const satisfies Record<LimitFit['fit'], Html>;

export function limitsSection(context: Context): Html {
  const { report, fewer: most, view } = context;
  const rows = report.workspaces
    .filter(({ limit }) => limit.sliding !== null || limit.older !== null || limit.savers !== null)
    .toSorted((a, b) => risk[a.limit.fit] - risk[b.limit.fit] || loadOf(b) - loadOf(a));
  return html`<section id="limits-section" aria-labelledby="limits-title">
    <h2 id="limits-title">Will they fit v2’s limits?</h2>
    <p>
      v2 counts requests by the hour. Whether by the clock or over any 60 minutes is not shown, so both are given, for the last 30 days;
      “depends” fits under one of them. A name unfolds what would help.
    </p>
    ${table({
      id: 'limits',
      caption: 'v2 calls of workspaces beside the limits of their plans',
      columns,
      rows,
      most,
      view,
      noun: 'workspace',
      under: (row) => {
        const id = workspaceId(row);
        const texts = textsOf(row.limit);
        return id !== undefined && texts.length > 0 && { id: `limit-of-${id}`, content: texts.map((text) => html`<p>${said(text)}</p>`) };
      },
    })}
    <p class="rest">
      Calls are recorded by the minute: any 60 minutes have at most what is told here. Those that clients make to v2 through the proxy
      themselves are among them. What savers – reuse and coalescing – leave is told of the worst clock hour, once all calls are translated.
    </p>
    ${pollingPart(context)}
  </section>`;
}

const textsOf = (limit: LimitFit): readonly string[] => {
  const saved = limit.savers === null ? undefined : saversText(limit.savers);
  return [limitText(limit), saved].filter((text) => text !== undefined);
};

const loadOf = ({ limit }: WorkspaceRow): number => limit.sliding?.v2Calls ?? 0;
const refusedOf = ({ limit }: WorkspaceRow): number | undefined =>
  limit.refused === null ? undefined : Math.max(limit.refused.clockHour, limit.refused.sliding);

/** A load, with when it was for whoever points at it. */
const peak = (load: LimitFit['sliding']): Html =>
  load === null ? none : html`<span title="${timeOf(load.since)}">${count(load.v2Calls)}</span>`;

const columns: readonly Column<WorkspaceRow>[] = [
  { id: 'name', title: 'Workspace', cell: ({ name }) => named(name), sort: ({ name }) => name },
  { id: 'fit', title: 'Fit', cell: ({ limit }) => labels[limit.fit], sort: ({ limit }) => risk[limit.fit] },
  { id: 'sliding', title: 'Any 60 min', cell: ({ limit }) => peak(limit.sliding), sort: loadOf, figure: true },
  {
    id: 'load',
    title: 'Of its limit',
    cell: ({ limit: { sliding, limit } }) => (sliding === null || limit?.perHour == null ? none : meter(sliding.v2Calls, limit.perHour)),
    wide: true,
  },
  {
    id: 'limit',
    title: 'Limit',
    cell: ({ limit: { limit } }) =>
      limit?.perHour == null ? html`<span class="none">${limit?.basis === 'custom' ? 'custom' : 'not known'}</span>` : count(limit.perHour),
    sort: ({ limit }) => limit.limit?.perHour ?? undefined,
    figure: true,
  },
  {
    id: 'clock',
    title: 'Clock hour',
    cell: ({ limit }) => peak(limit.clockHour),
    sort: ({ limit }) => limit.clockHour?.v2Calls,
    figure: true,
    wide: true,
  },
  { id: 'refused', title: 'Would be 429', cell: (row) => refused(row), sort: refusedOf, figure: true, wide: true },
  { id: 'plan', title: 'Plan', cell: ({ plan }) => plan ?? none, sort: ({ plan }) => plan ?? undefined, wide: true },
  { id: 'smallest', title: 'Plan that fits', cell: ({ limit }) => smallest(limit), wide: true },
];

function refused({ limit }: WorkspaceRow): Content {
  if (limit.refused === null) return none;
  const { clockHour, sliding } = limit.refused;
  const [low, high] = [Math.min(clockHour, sliding), Math.max(clockHour, sliding)];
  return low === high ? count(high) : `${count(low)} to ${count(high)}`;
}

function smallest({ limit, sliding, smallestPlan, notShown }: LimitFit): Html {
  if (sliding === null) return none;
  if (smallestPlan === null) return html`none known`;
  if (smallestPlan === limit?.plan || notShown.length === 0) return html`${smallestPlan}`;
  return html`<span title="The limit of ${notShown.join(' and ')} is not shown: ask">${smallestPlan}, or ask</span>`;
}

interface Polled extends Polling {
  readonly workspace: string;
}

function pollingPart({ report: { workspaces }, fewer: most, view }: Context): Html | false {
  const rows = workspaces.flatMap(({ name, polling }) => polling.map((row): Polled => ({ ...row, workspace: name })));
  if (rows.length === 0) return false;
  return html`<details id="polled">
    <summary>Asked again and again: ${counted(rows.length, 'endpoint')} that a cache, or being told instead of asking, would spare</summary>
    ${table({
      id: 'polling',
      caption: 'Endpoints that workspaces poll',
      columns: polled,
      rows: rows.toSorted((a, b) => b.calls - a.calls),
      most,
      view,
      noun: 'polled endpoint',
      calls: ({ calls }) => calls,
    })}
  </details>`;
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
    wide: true,
  },
  {
    id: 'webhook',
    title: 'Webhook saves',
    cell: ({ webhook }) => (webhook === null ? none : count(webhook.saves)),
    sort: ({ webhook }) => webhook?.saves,
    figure: true,
    wide: true,
  },
  {
    id: 'event',
    title: 'Webhook',
    cell: ({ webhook }) =>
      webhook === null
        ? none
        : webhook.event === null
          ? html`<span class="none">none with this news is shown</span>`
          : html`<code>${webhook.event}</code>`,
    wide: true,
  },
];
