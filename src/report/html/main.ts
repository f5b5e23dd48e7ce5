/** The report as the body of a page: the same for a file and for the live page. */
import type { Report } from '../model.ts';
import { dateOf, timeOf } from '../text/figures.ts';
import { verdictTitles } from '../text/verdict-wording.ts';
import { type Html, html } from './escape.ts';
import { limitsSection } from './limits.ts';
import { plansText, recordSection } from './record.ts';
import { noRollout, rolloutSection } from './rollout.ts';
import type { View } from './table.ts';
import { clientsSection, endpointsSection, trendSection } from './traffic.ts';
import { verdictSection } from './verdict.ts';
import { workspacesSection } from './workspaces.ts';

export interface MainOptions {
  /** Rows of a table at most; how many more there are is told. */
  readonly rows?: number;
  /** What somebody looks at on the live page. */
  readonly view?: View | undefined;
}

/** A part of the page that can be replaced as a whole: its element has that id. */
export interface Section {
  readonly id: string;
  readonly html: Html;
}

/** What stays a file of 300 KB at 2,000 clients. */
const defaultRows = 60;

/** The sections, in order. */
export function mainSections(report: Report, { rows = defaultRows, view }: MainOptions): readonly Section[] {
  return [
    { id: 'heading', html: heading(report) },
    { id: 'verdict', html: verdictSection(report) },
    { id: 'workspaces-section', html: workspacesSection(report, rows, view) },
    ...rolloutPart(report, rows, view),
    { id: 'limits-section', html: limitsSection(report, rows, view) },
    { id: 'trend-section', html: trendSection(report) },
    { id: 'endpoints-section', html: endpointsSection(report, rows, view) },
    { id: 'clients-section', html: clientsSection(report, rows, view) },
    { id: 'record-section', html: recordSection(report) },
    { id: 'footer', html: footer(report) },
  ];
}

function rolloutPart(report: Report, rows: number, view: View | undefined): readonly Section[] {
  const id = 'rollout-section';
  if (report.rollout !== undefined) return [{ id, html: rolloutSection(report, report.rollout, rows, view) }];
  return view === undefined ? [] : [{ id, html: noRollout }];
}

const footer = ({ plans }: Report): Html => html`<footer id="footer">
  <p>${plansText(plans)}</p>
  <p>Instants are in UTC. Of keys only the first characters and a keyed hash are recorded.</p>
</footer>`;

function heading({ period, made }: Report): Html {
  return html`<header class="top" id="heading">
    <h1>v1 usage report</h1>
    <p>${periodText(period)}, by ${period.size} · made <time datetime="${made}">${timeOf(made)}</time></p>
  </header>`;
}

/** A last day is named by itself, and not by the midnight after it. */
const periodText = ({ since, until, size }: Report['period']): string =>
  size === 'hour' ? `${timeOf(since)} to ${timeOf(until)}` : `${dateOf(since)} to ${dateOf(new Date(Date.parse(until) - 1).toISOString())}`;

export const titleOf = ({ verdict, made }: Report): string => `${verdictTitles[verdict.state]} · v1 usage on ${dateOf(made)}`;
