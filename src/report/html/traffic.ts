/** What is called, by which clients, how it was answered, and how it went over time. */
import { v1Auth, v2Auth } from '../../contract/auth.ts';
import type { Bucket, ClientRow, EndpointRow } from '../model.ts';
import { count, counted, dateOf, lengthOf, percent, timeOf } from '../text/figures.ts';
import { clientName } from '../text/wording.ts';
import { callsColumn, changeColumn, endpointList, errorsColumn, lastSeenColumn, none, shareOf } from './cells.ts';
import { trendChart } from './chart.ts';
import type { Context } from './context.ts';
import { type Content, type Html, html, named } from './escape.ts';
import { statusLabel } from './statuses.ts';
import { type Column, table } from './table.ts';

export function trendSection({ report }: Context): Html {
  const { trend, period } = report;
  const instant = period.size === 'hour' ? timeOf : dateOf;
  return html`<section id="trend-section" aria-labelledby="trend-title">
    <h2 id="trend-title">Calls over time</h2>
    <figure>
      <figcaption class="muted">v1 calls ${period.size} by ${period.size}, in UTC</figcaption>
      ${trendChart(report)}
      <details id="trend-table">
        <summary>The same as a table</summary>
        ${table({ id: 'trend', caption: `v1 calls ${period.size} by ${period.size}`, columns: trendColumns(instant, period.size), rows: trend, most: Infinity, noun: period.size })}
      </details>
    </figure>
  </section>`;
}

const trendColumns = (instant: (start: string) => string, size: string): readonly Column<Bucket>[] => [
  { id: 'start', title: size === 'hour' ? 'Hour' : 'Day', cell: ({ start }) => instant(start) },
  { id: 'calls', title: 'v1 calls', cell: ({ calls }) => (calls === null ? 'not recorded' : count(calls)), figure: true },
  { id: 'v2', title: 'v2 calls made for them', cell: ({ v2Calls }) => (v2Calls === null ? 'not recorded' : count(v2Calls)), figure: true },
  { id: 'recorded', title: 'Recorded', cell: ({ recorded }) => percent(recorded), figure: true },
];

export function endpointsSection({ report, most, view }: Context): Html {
  return html`<section id="endpoints-section" aria-labelledby="endpoints-title">
    <h2 id="endpoints-title">What they call, and what replaces it</h2>
    <p>
      Paths change from v1 to v2, and the header <code>${v1Auth.field}</code> becomes <code>${v2Auth.fieldName}: ${v2Auth.scheme}</code>.
    </p>
    ${table({
      id: 'endpoints',
      caption: 'v1 endpoints and the v2 calls that replace them',
      columns: endpointColumns(report.total.calls),
      rows: report.endpoints,
      most,
      view,
      by: 'endpoint',
      noun: 'endpoint',
      calls: ({ usage }) => usage.calls,
    })}
  </section>`;
}

const endpointColumns = (all: number): readonly Column<EndpointRow>[] => [
  { id: 'endpoint', title: 'v1 endpoint', cell: ({ endpoint }) => html`<code>${endpoint}</code>`, sort: ({ endpoint }) => endpoint },
  { id: 'successor', title: 'Becomes', cell: ({ successor }) => (successor === null ? none : html`<code>${successor}</code>`) },
  callsColumn,
  { id: 'share', title: 'Share', cell: ({ usage }) => (all === 0 ? none : shareOf(usage.calls, all)), figure: true, wide: true },
  changeColumn,
  errorsColumn,
  { id: 'clients', title: 'Clients', cell: ({ clients }) => count(clients), sort: ({ clients }) => clients, figure: true, wide: true },
];

export function clientsSection({ report, most, view }: Context): Html {
  const { unidentified } = report;
  return html`<section id="clients-section" aria-labelledby="clients-title">
    <h2 id="clients-title">Clients</h2>
    <p>
      ${unidentified !== null && unidentified.usage.calls > 0 ? `${counted(unidentified.usage.calls, 'call')} of ${counted(unidentified.clients, 'client')} came without a key: go by their product and network.` : 'Told apart by key and product.'}
    </p>
    ${table({
      id: 'clients',
      caption: 'Clients that call v1',
      columns: clientColumns(report.made),
      rows: report.clients,
      most,
      view,
      by: 'client',
      noun: 'client',
      calls: ({ usage }) => usage.calls,
      marked: ({ workspace }) => workspace === null,
      ...(view === undefined ? {} : { under: (row: ClientRow) => ({ id: `client-${row.id}`, content: clientDetails(row) }) }),
    })}
  </section>`;
}

const clientColumns = (now: string): readonly Column<ClientRow>[] => [
  { id: 'product', title: 'Client', cell: (row) => named(clientName(row)), sort: clientName },
  {
    id: 'workspace',
    title: 'Workspace',
    text: true,
    cell: ({ workspace }) => (workspace === null ? html`<span class="none">no key</span>` : named(workspace)),
    sort: ({ workspace }) => workspace ?? undefined,
  },
  {
    id: 'key',
    title: 'Key',
    cell: ({ keyPrefix, keyHash }) => (keyPrefix === null ? none : html`<code title="hash:${keyHash}">${keyPrefix}…</code>`),
    sort: ({ keyPrefix }) => keyPrefix ?? undefined,
    wide: true,
  },
  callsColumn,
  errorsColumn,
  lastSeenColumn(now),
  {
    id: 'quiet',
    title: 'Quiet for',
    cell: ({ quiet }) => `${lengthOf(quiet.duration)} of ${lengthOf(quiet.needed)}`,
    sort: ({ quiet }) => quiet.duration,
    figure: true,
    wide: true,
  },
  { id: 'networks', title: 'Networks', text: true, cell: networks, wide: true },
];

const networksOf = ({ sources }: ClientRow): string => sources.map(({ network }) => network).join(', ');

function networks(row: ClientRow): Content {
  const [first] = row.sources;
  if (first === undefined) return none;
  const more = row.sources.length - 1;
  return html`<span title="${networksOf(row)}">${first.network}${more > 0 && ` and ${count(more)} more`}</span>`;
}

const endpointsOfClient = 8;

const clientDetails = (row: ClientRow): Html =>
  html`<dl class="facts">
    <dt>Uses</dt>
    <dd>${row.endpoints.length === 0 ? none : endpointList(row.endpoints, endpointsOfClient)}</dd>
    <dt>Networks</dt>
    <dd>${row.sources.length === 0 ? none : networksOf(row)}</dd>
    <dt>Key</dt>
    <dd>${row.keyHash === null ? none : html`<code>hash:${row.keyHash}</code>`}</dd>
    <dt>Answers</dt>
    <dd>${row.usage.statuses.map(({ status, calls }, index) => `${index > 0 ? ', ' : ''}${statusLabel(status)}: ${count(calls)}`)}</dd>
  </dl>`;
