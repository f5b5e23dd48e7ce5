/** What the page is of, and where on it what stands. */
import type { Report } from '../model.ts';
import { counted, dateOf, timeOf } from '../text/figures.ts';
import { listed } from '../text/wording.ts';
import { time } from './cells.ts';
import type { Context } from './context.ts';
import { type Content, type Html, html, named } from './escape.ts';
import { addressOf } from './view.ts';

/** @param parts the sections, by their ids */
export function heading({ report, view }: Context, parts: readonly { readonly id: string }[]): Html {
  const { period, made, of } = report;
  const titled = parts.flatMap(({ id }) => (titles[id] === undefined ? [] : [{ id, title: titles[id] }]));
  return html`<header class="top" id="heading">
    <h1>v1 usage report${of?.length === 1 && html` of ${named(of[0] ?? '')}`}</h1>
    <p>${periodText(period)}, by ${period.size} · made ${time(made)}</p>
    <nav aria-label="On this page">${titled.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
    ${filtered({ report, view })}
  </header>`;
}

const titles: Readonly<Record<string, string>> = {
  verdict: 'Verdict',
  'burn-down-section': 'Burn-down',
  'start-section': 'Send the first call',
  'workspaces-section': 'Who to chase',
  'workspace-section': 'What to do',
  'code-section': 'Code',
  'logs-section': 'Access logs',
  'rollout-section': 'Road',
  'limits-section': 'Limits',
  'trend-section': 'Calls',
  'endpoints-section': 'Endpoints',
  'clients-section': 'Clients',
  'statuses-section': 'Answers',
  'record-section': 'Record',
};

/** Says that not everything is shown: nobody may take it for the whole. */
function filtered({ report: { of, search, clients, workspaces }, view }: Pick<Context, 'report' | 'view'>): Html | false {
  if (of === null || clients.length + workspaces.length === 0) return false;
  const all = view !== undefined && html` <a href="${addressOf(view, { q: '', workspace: '' })}">Show everything</a>`;
  const speaks = 'The verdict, all figures, charts and tables are of what is shown here, and say nothing of v1 as a whole.';
  const what: Content =
    search === undefined
      ? html`<strong>Of ${named(listed(of))} alone.</strong>`
      : html`<strong>Filtered by “${named(search)}”:</strong> ${counted(clients.length, 'client')} of
          ${counted(of.length, 'workspace')}${of.length > 0 && html` – ${named(listed(of))}`}.`;
  return html`<p class="filtered">${what} ${speaks}${all}</p>`;
}

/** A last day is named by itself, and not by the midnight after it. */
const periodText = ({ since, until, size }: Report['period']): string =>
  size === 'hour' ? `${timeOf(since)} to ${timeOf(until)}` : `${dateOf(since)} to ${dateOf(new Date(Date.parse(until) - 1).toISOString())}`;

/** What stands in place of everything where a search, or a name, finds nobody. */
export function nothingFound({ report: { search }, view }: Context): Html {
  const all = view !== undefined && html` <a href="${addressOf(view, { q: '', workspace: '' })}">Show everything</a>`;
  const what =
    search === undefined
      ? 'No workspace and no unknown key has this name.'
      : html`No workspace and no client has “${named(search)}” in it.`;
  const where = 'Looked for in names, owners, contacts, notes, plans, keys, products and networks; with a slash in endpoints, too.';
  return html`<section id="verdict"><p class="empty">${what} ${search !== undefined && where}${all}</p></section>`;
}
