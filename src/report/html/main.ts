/** The report as the body of a page: the same for a file and for the live page. */
import type { Report, WorkspaceRow } from '../model.ts';
import { dateOf } from '../text/figures.ts';
import { verdictTitles } from '../text/verdict-wording.ts';
import { burnDownSection } from './burn-down.ts';
import { codeSection } from './code.ts';
import { type Context, contextOf } from './context.ts';
import { type Html, html } from './escape.ts';
import { heading, nothingFound } from './heading.ts';
import { limitsSection } from './limits.ts';
import { logsSection } from './logs.ts';
import { plansText, recordSection } from './record.ts';
import { rolloutSection } from './rollout.ts';
import { startSection } from './start.ts';
import { statusesSection } from './statuses.ts';
import { clientsSection, endpointsSection, trendSection } from './traffic.ts';
import { verdictSection } from './verdict.ts';
import type { View } from './view.ts';
import { workspaceSection } from './workspace.ts';
import { workspacesSection } from './workspaces.ts';

export interface MainOptions {
  /** Rows of a table at most; how many more there are is told, or stands on its next page. */
  readonly rows?: number;
  /** What somebody looks at on the live page. */
  readonly view?: View | undefined;
  /** Where the proxy listens that shows the live page. */
  readonly proxyUrl?: string | undefined;
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
  { view, rows = view === undefined ? rowsOfFile : rowsOfPage, proxyUrl }: MainOptions,
): readonly Section[] {
  const context = contextOf(report, rows, view);
  const sections = sectionsOf(context, proxyUrl).flatMap(({ id, html }) => (html === undefined ? [] : [{ id, html }]));
  return [{ id: 'heading', html: heading(context, sections) }, ...sections, { id: 'footer', html: footer(context) }];
}

type Part = { readonly id: string; readonly html: Html | undefined };

function sectionsOf(context: Context, proxyUrl: string | undefined): readonly Part[] {
  const { of, workspaces, clients, rollout, logs } = context.report;
  if (of !== null && workspaces.length === 0 && clients.length === 0) return [{ id: 'verdict', html: nothingFound(context) }];
  if (clients.length === 0 && logs === undefined) return firstSections(context, proxyUrl);
  const top = [
    { id: 'verdict', html: verdictSection(context) },
    { id: 'burn-down-section', html: burnDownSection(context) },
  ];
  const traffic = [
    { id: 'trend-section', html: trendSection(context) },
    { id: 'endpoints-section', html: endpointsSection(context) },
    { id: 'clients-section', html: clientsSection(context) },
    { id: 'statuses-section', html: statusesSection(context) },
  ];
  const alone = aloneOf(context);
  if (alone !== undefined) return [...top, { id: 'workspace-section', html: workspaceSection(alone, context) }, ...traffic];
  return [
    ...top,
    { id: 'workspaces-section', html: workspacesSection(context) },
    { id: 'logs-section', html: logsSection(context) },
    { id: 'code-section', html: codeSection(context) },
    { id: 'rollout-section', html: rollout && rolloutSection(context, rollout) },
    { id: 'limits-section', html: limitsSection(context) },
    ...traffic,
    { id: 'record-section', html: recordSection(context) },
  ];
}

/** Where nobody ever called there is nothing to see, but what to do. */
const firstSections = (context: Context, proxyUrl: string | undefined): readonly Part[] => [
  { id: 'verdict', html: verdictSection(context) },
  { id: 'start-section', html: startSection(proxyUrl) },
  ...(context.report.workspaces.length === 0 ? [] : [{ id: 'workspaces-section', html: workspacesSection(context) }]),
  { id: 'record-section', html: recordSection(context) },
];

/** The one workspace that a page is about; what a search finds is a list, however short. */
const aloneOf = ({ report: { of, workspaces, search } }: Context): WorkspaceRow | undefined =>
  of?.length === 1 && search === undefined ? workspaces[0] : undefined;

const footer = ({ report: { plans } }: Context): Html => html`<footer id="footer">
  <p>${plansText(plans)}</p>
  <p>
    Instants are in UTC where nothing else is said, and days always are. Of keys only the first characters and a keyed hash are recorded.
  </p>
  <label class="paper"><input type="checkbox" id="print-all" /> Print all of it, not the first two pages alone</label>
</footer>`;

export const titleOf = ({ verdict, made }: Report): string => `${verdictTitles[verdict.state]} · v1 usage on ${dateOf(made)}`;
