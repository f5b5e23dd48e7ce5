/** The report as the body of a page: the same for a file and for the live page. */
import type { Report } from '../model.ts';
import { dateOf, timeOf } from '../text/figures.ts';
import { verdictTitles } from '../text/verdict-wording.ts';
import { burnDownSection } from './burn-down.ts';
import { time } from './cells.ts';
import { codeSection } from './code.ts';
import { type Context, contextOf } from './context.ts';
import { type Html, html } from './escape.ts';
import { foundIn } from './found.ts';
import { limitsSection } from './limits.ts';
import { plansText, recordSection } from './record.ts';
import { noRollout, rolloutSection } from './rollout.ts';
import { statusesSection } from './statuses.ts';
import { clientsSection, endpointsSection, trendSection } from './traffic.ts';
import { verdictSection } from './verdict.ts';
import type { View } from './view.ts';
import { workspacesSection } from './workspaces.ts';

export interface MainOptions {
  /** Rows of a table at most; how many more there are is told, or stands on its next page. */
  readonly rows?: number;
  /** What somebody looks at on the live page. */
  readonly view?: View | undefined;
}

/** A part of the page that can be replaced as a whole: its element has that id. */
export interface Section {
  readonly id: string;
  readonly html: Html;
}

/** What stays a file of 600 KB at 2,000 clients. */
const rowsOfFile = 200;
const rowsOfPage = 50;

/** The sections, in order. */
export function mainSections(
  report: Report,
  { view, rows = view === undefined ? rowsOfFile : rowsOfPage }: MainOptions,
): readonly Section[] {
  const context = contextOf(view === undefined || view.search === '' ? report : foundIn(report, view.search), rows, view);
  return [
    { id: 'heading', html: heading(context) },
    { id: 'verdict', html: verdictSection(context) },
    { id: 'burn-down-section', html: burnDownSection(context) },
    { id: 'workspaces-section', html: workspacesSection(context) },
    ...codePart(context),
    ...rolloutPart(context),
    { id: 'limits-section', html: limitsSection(context) },
    { id: 'trend-section', html: trendSection(context) },
    { id: 'endpoints-section', html: endpointsSection(context) },
    { id: 'clients-section', html: clientsSection(context) },
    { id: 'statuses-section', html: statusesSection(context) },
    { id: 'record-section', html: recordSection(context) },
    { id: 'footer', html: footer(context) },
  ];
}

function codePart(context: Context): readonly Section[] {
  const code = codeSection(context);
  return code === undefined ? [] : [{ id: 'code-section', html: code }];
}

function rolloutPart(context: Context): readonly Section[] {
  const id = 'rollout-section';
  const { rollout } = context.report;
  if (rollout !== undefined) return [{ id, html: rolloutSection(context, rollout) }];
  return context.view === undefined ? [] : [{ id, html: noRollout }];
}

const footer = ({ report: { plans } }: Context): Html => html`<footer id="footer">
  <p>${plansText(plans)}</p>
  <p>
    Instants are in UTC where nothing else is said, and days always are. Of keys only the first characters and a keyed hash are recorded.
  </p>
  <label class="paper"><input type="checkbox" id="print-all" /> Print all of it, not the first two pages alone</label>
</footer>`;

function heading({ report }: Context): Html {
  const { period, made } = report;
  return html`<header class="top" id="heading">
    <h1>v1 usage report</h1>
    <p>${periodText(period)}, by ${period.size} · made ${time(made)}</p>
    ${contents(report)}
  </header>`;
}

const parts = [
  ['verdict', 'Verdict'],
  ['burn-down-section', 'Burn-down'],
  ['workspaces-section', 'Who to chase'],
  ['code-section', 'Code'],
  ['rollout-section', 'Road'],
  ['limits-section', 'Limits'],
  ['trend-section', 'Calls'],
  ['endpoints-section', 'Endpoints'],
  ['clients-section', 'Clients'],
  ['statuses-section', 'Answers'],
  ['record-section', 'Record'],
] as const;

function contents({ rollout, code }: Report): Html {
  const isThere: Readonly<Record<string, boolean>> = { 'rollout-section': rollout !== undefined, 'code-section': code !== undefined };
  return html`<nav aria-label="On this page">
    ${parts.filter(([id]) => isThere[id] !== false).map(([id, title]) => html`<a href="#${id}">${title}</a> `)}
  </nav>`;
}

/** A last day is named by itself, and not by the midnight after it. */
const periodText = ({ since, until, size }: Report['period']): string =>
  size === 'hour' ? `${timeOf(since)} to ${timeOf(until)}` : `${dateOf(since)} to ${dateOf(new Date(Date.parse(until) - 1).toISOString())}`;

export const titleOf = ({ verdict, made }: Report): string => `${verdictTitles[verdict.state]} · v1 usage on ${dateOf(made)}`;
