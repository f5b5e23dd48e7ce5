/** What access logs tell of v1 calls that went past the proxies, source by source. */
import { type LogClient, logClients, logsTitle, pastTitle } from '../formats/log-columns.ts';
import type { LogSourceRow } from '../logs/model.ts';
import { count } from '../text/figures.ts';
import { ago, none, time } from './cells.ts';
import { type Context, linked } from './context.ts';
import { type Html, html, named } from './escape.ts';
import { type Column, table } from './table.ts';

/** @returns nothing where no log was imported */
export function logsSection(context: Context): Html | undefined {
  const { report, fewer, view } = context;
  if (report.logs === undefined) return undefined;
  const clients = logClients(report);
  return html`<section id="logs-section" aria-labelledby="logs-title">
    <h2 id="logs-title">${logsTitle}</h2>
    <p>
      v1 calls that went past the proxies. They are in no other figure of this page but the verdicts; a log that ends before now says
      nothing of the time since.
    </p>
    ${table({
      id: 'logs',
      caption: 'Access logs, and how far they reach',
      columns: sourceColumns(report.made),
      rows: report.logs,
      most: fewer,
      view,
      noun: 'source',
      calls: ({ calls }) => calls,
      marked: ({ lastCall }) => lastCall !== null,
    })}
    ${
      clients.length > 0 &&
      html`<h3>${pastTitle}</h3>
        ${table({ id: 'past', caption: 'Clients in access logs', columns: clientColumns(context), rows: clients, most: fewer, view, noun: 'client', calls: ({ calls }) => calls })}`
    }
  </section>`;
}

const sourceColumns = (now: string): readonly Column<LogSourceRow>[] => [
  { id: 'name', title: 'Source', cell: ({ name }) => named(name), sort: ({ name }) => name },
  { id: 'format', title: 'Format', cell: ({ format }) => format, wide: true },
  { id: 'calls', title: 'v1 calls', cell: ({ calls }) => count(calls), sort: ({ calls }) => calls, figure: true },
  { id: 'refused', title: 'Refused', cell: ({ refused }) => count(refused), sort: ({ refused }) => refused, figure: true, wide: true },
  { id: 'clients', title: 'Clients', cell: ({ clients }) => count(clients), sort: ({ clients }) => clients, figure: true, wide: true },
  { id: 'served', title: 'Last served', cell: ({ lastCall }) => ago(lastCall, now), figure: true },
  { id: 'from', title: 'From', cell: ({ first }) => time(first), wide: true },
  { id: 'until', title: 'Reaches until', cell: ({ last }) => time(last) },
  { id: 'unread', title: 'Not read', cell: ({ unread }) => (unread === 0 ? none : count(unread)), figure: true, wide: true },
];

const clientColumns = (context: Context): readonly Column<LogClient>[] => [
  { id: 'product', title: 'Client', cell: ({ product }) => named(product), sort: ({ product }) => product },
  { id: 'source', title: 'Source', text: true, cell: ({ source }) => named(source.name), sort: ({ source }) => source.name, wide: true },
  { id: 'network', title: 'Network', cell: ({ network }) => (network === null ? none : named(network)), wide: true },
  {
    id: 'workspace',
    title: 'Workspace',
    text: true,
    cell: ({ workspace }) => (workspace === null ? html`<span class="none">no key</span>` : linked(workspace, context)),
    sort: ({ workspace }) => workspace ?? undefined,
  },
  { id: 'calls', title: 'Calls', cell: ({ calls }) => count(calls), sort: ({ calls }) => calls, figure: true },
  { id: 'refused', title: 'Refused', cell: ({ refused }) => count(refused), sort: ({ refused }) => refused, figure: true, wide: true },
  {
    id: 'last',
    title: 'Last call',
    cell: ({ last }) => ago(last, context.report.made),
    sort: ({ last }) => Date.parse(last),
    figure: true,
  },
];
