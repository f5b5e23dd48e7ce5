/** How calls were answered, status by status, and who met most of each. */
import { STATUS_CODES } from 'node:http';
import type { Usage, WorkspaceRow } from '../model.ts';
import { count } from '../text/figures.ts';
import { none, shareOf } from './cells.ts';
import type { Context } from './context.ts';
import { type Content, type Html, html, named } from './escape.ts';
import { type Column, table } from './table.ts';

type Answers = Usage['statuses'][number];

export const statusLabel = (status: number): string => (status === 0 ? 'left' : String(status));

export function statusesSection({ report, most, view }: Context): Html {
  const { statuses, calls } = report.total;
  return html`<section id="statuses-section" aria-labelledby="statuses-title">
    <h2 id="statuses-title">Answers, by status</h2>
    <p>What v1 calls were answered with, and who got most of it.</p>
    ${table({
      id: 'statuses',
      caption: 'Answers to v1 calls by status',
      columns: columns(report.workspaces, calls),
      rows: statuses,
      most,
      view,
      noun: 'answer',
      marked: ({ status }) => status === 0 || status >= 500,
    })}
  </section>`;
}

const meaning = (status: number): string => (status === 0 ? 'The client left before it got one' : (STATUS_CODES[status] ?? ''));

const columns = (workspaces: readonly WorkspaceRow[], all: number): readonly Column<Answers>[] => [
  {
    id: 'status',
    title: 'Status',
    cell: ({ status }) => html`${statusLabel(status)} <small>${meaning(status)}</small>`,
    sort: ({ status }) => status,
  },
  { id: 'calls', title: 'Calls', cell: ({ calls }) => count(calls), sort: ({ calls }) => calls, figure: true },
  { id: 'share', title: 'Share', cell: ({ calls }) => shareOf(calls, all), figure: true },
  { id: 'most', title: 'Most of them', text: true, cell: ({ status }) => most(workspaces, status) },
];

function most(workspaces: readonly WorkspaceRow[], wanted: number): Content {
  let found: { readonly name: string; readonly calls: number } | undefined;
  for (const { name, usage } of workspaces) {
    const calls = usage.statuses.find(({ status }) => status === wanted)?.calls ?? 0;
    if (calls > (found?.calls ?? 0)) found = { name, calls };
  }
  return found === undefined ? none : html`${named(found.name)} <small>${count(found.calls)}</small>`;
}
