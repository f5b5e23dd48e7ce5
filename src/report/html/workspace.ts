/** All that the report knows of one workspace: whom to call, what to tell them, and why it is not done. */
import { v1Auth, v2Auth } from '../../contract/auth.ts';
import type { ClientRow, WorkspaceRow } from '../model.ts';
import type { Blocker, Verdict } from '../verdict-model.ts';
import { count, counted, dateOf } from '../text/figures.ts';
import { nextText, stageText } from '../text/road-wording.ts';
import { saversText } from '../text/savers-wording.ts';
import { blockerText } from '../text/verdict-wording.ts';
import { clientName, forecastText, keysText, limitText, listed, markLabel, pollingText } from '../text/wording.ts';
import { ago, date, endpointList, none } from './cells.ts';
import type { Context } from './context.ts';
import { type Content, type Html, html, named } from './escape.ts';
import { said } from './sentence.ts';
import { letterCommand, snippet } from './snippet.ts';
import { addressOf } from './view.ts';

const endpointsOfRow = 8;
const clientsOfRow = 6;
const keysOfRow = 5;
const networksOfClient = 3;
/** Nobody pastes a longer one. */
const longestName = 200;

type Fact = readonly [title: string, content: Content];

/** The details of a workspace, as they unfold below its row, and stand on a page of its own. */
export function workspaceDetails(row: WorkspaceRow, context: Context): Html {
  const clients = context.clientsOf.get(row.name) ?? [];
  const facts: readonly Fact[] = [
    ...whom(row),
    ...statusOf(row),
    ...tell(row, clients, context),
    ...pastOf(row, context),
    ...limits(row),
    ...road(row),
    ['Why', whyOf(row, context)],
    // Calls that have ended decline no more.
    ...(row.now.calls === 0 ? [] : [['Forecast', said(forecastText(row.forecast))] as const]),
    ['First seen', date(row.firstSeen)],
    ...(row.keys.length === 0 ? [] : [['Keys', keyList(row.keys)] as const]),
    ...toName(row, clients),
  ];
  const { view } = context;
  return html`<dl class="facts">
      ${facts.map(
        ([title, content]) =>
          html`<dt>${title}</dt>
            <dd>${content}</dd> `,
      )}
    </dl>
    ${view !== undefined && view.workspace === undefined && html`<p><a href="${addressOf(view, { workspace: row.name })}">A page of its own for ${named(row.name)}</a></p>`}`;
}

/** The same as the middle of a page of its own. */
export const workspaceSection = (row: WorkspaceRow, context: Context): Html =>
  html`<section id="workspace-section" aria-labelledby="workspace-title">
    <h2 id="workspace-title">What to do</h2>
    ${row.lastSeen === null ? html`<p class="empty">It was never seen: it may call v1 another way.</p>` : workspaceDetails(row, context)}
  </section>`;

const address = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;

/** Whom to call. */
function whom({ owner, contact, note }: WorkspaceRow): Fact[] {
  const reach =
    contact === null ? undefined : address.test(contact) ? html`<a href="mailto:${contact}">${named(contact)}</a>` : named(contact);
  return [
    ...(owner === null && reach === undefined ? [] : [['Call', html`${owner !== null && named(owner)} ${reach}`] as const]),
    ...(note === null ? [] : [['Note', named(note)] as const]),
  ];
}

/** How things stand, as somebody noted it. */
function statusOf({ mark }: WorkspaceRow): Fact[] {
  if (mark === null) return [];
  const { at, note } = mark;
  const text = html`${markLabel(mark)}${at !== null && html` <span class="muted">(noted ${date(at)})</span>`}${note !== null && html`: ${named(note)}`}`;
  return [['Status', text]];
}

/** What they have to change, and in which of their programs. */
function tell(row: WorkspaceRow, clients: readonly ClientRow[], { report: { sunset, made } }: Context): Fact[] {
  const { endpoints, origin, name } = row;
  if (endpoints.length === 0) return [];
  const header = html`<code>${v1Auth.field}</code> becomes <code>${v2Auth.fieldName}: ${v2Auth.scheme}</code>`;
  const until = sunset.passed ? 'v1 is switched off' : `By ${dateOf(sunset.at)}`;
  return [
    ['Tell them', html`${until}: change these calls; the header ${header}. ${endpointList(endpoints, endpointsOfRow)}`],
    ['In', clientList(clients, made)],
    ...(origin === 'unknown' || name.length > longestName ? [] : [['Letter', html`<code>${letterCommand(row)}</code>`] as const]),
  ];
}

function clientList(clients: readonly ClientRow[], now: string): Html {
  const more = clients.length - clientsOfRow;
  return html`<ul>
    ${clients.slice(0, clientsOfRow).map(
      (client) =>
        html`<li>
          ${named(clientName(client))}
          <span class="muted">${from(client)} (${counted(client.usage.calls, 'call')}, last ${ago(client.lastSeen, now)})</span>
        </li>`,
    )}${more > 0 && html`<li><span class="muted">and ${count(more)} more</span></li>`}
  </ul>`;
}

function from({ sources }: ClientRow): string {
  const networks = sources.slice(0, networksOfClient).map(({ network }) => network);
  const more = sources.length - networks.length;
  return networks.length === 0 ? '' : `from ${networks.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

/** What access logs have of it. */
function pastOf({ logged }: WorkspaceRow, { report }: Context): Fact[] {
  if (logged === undefined) return [];
  const { calls, last, sources } = logged;
  return [['Past the proxies', html`${counted(calls, 'call')} in ${named(listed(sources))}, last ${ago(last, report.made)}`]];
}

function limits({ limit, polling }: WorkspaceRow): Fact[] {
  const saved = limit.savers === null ? undefined : saversText(limit.savers);
  const texts = [limitText(limit), saved, ...polling.filter(({ webhook }) => webhook !== null).map(pollingText)];
  const known = texts.filter((text) => text !== undefined);
  return known.length === 0 ? [] : [['Limits of v2', known.map((text) => html`${said(text)} `)]];
}

function road({ road }: WorkspaceRow): Fact[] {
  if (road === undefined) return [];
  const stage = stageText(road);
  return [['Stage', stage === '' ? none : said(stage)], ...(road.next === null ? [] : [['Next step', said(nextText(road.next))] as const])];
}

function whyOf({ verdict }: WorkspaceRow, { report }: Context): Content {
  const blockers = ownBlockers(verdict);
  if (blockers.length === 0) return 'Nobody of it has called for long enough, and the record would have shown it.';
  return blockers.map((blocker) => html`${said(blockerText(blocker, report))} `);
}

/** What is missing in the record is the same for everybody, and said at the top. */
function ownBlockers({ blockers }: Verdict): readonly Blocker[] {
  const own = blockers.filter(({ code }) => code === 'recent_calls' || code === 'later_calls');
  return own.length > 0 ? own : blockers;
}

/** As the configuration names them. */
function keyList(keys: readonly string[]): Html {
  const more = keys.length - keysOfRow;
  return html`${keys.slice(0, keysOfRow).map((hash) => html`<code>hash:${hash}</code> `)}${more > 0 && `and ${count(more)} more`}`;
}

/** What is to be found out of its keys, and where to write it. */
function toName(row: WorkspaceRow, clients: readonly ClientRow[]): Fact[] {
  const text = keysText(row);
  if (text === '') return [];
  if (row.origin !== 'unknown' || !row.accepted) return [['To do', said(text)]];
  return [
    [
      'To do',
      html`${said(text)}
        <pre
          tabindex="0"
          role="region"
          aria-label="For the configuration: ${row.name}"
        ><code>${snippet(row, clients).map((line) => html`${line} `)}</code></pre>`,
    ],
  ];
}
