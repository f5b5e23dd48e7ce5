/** Whom to chase: by verdict, then by what they call now. */
import type { WorkspaceRow } from '../model.ts';
import { count, counted, dateOf } from '../text/figures.ts';
import { byOrigin } from '../text/remarks.ts';
import { stageText } from '../text/road-wording.ts';
import { fitLabel, markLabel, refusedTitle } from '../text/wording.ts';
import { chased, urgency } from './chase.ts';
import { callsColumn, changeColumn, lastSeenColumn, none } from './cells.ts';
import { sparkline } from './chart.ts';
import { type Context, linked } from './context.ts';
import { type Html, html, named } from './escape.ts';
import { type Column, table } from './table.ts';
import { pill } from './verdict.ts';
import { workspaceDetails } from './workspace.ts';

export function workspacesSection(context: Context): Html {
  const { report, most, view } = context;
  const origins = byOrigin(report);
  const rows = chased([...origins.unknown, ...origins.known]);
  const safe = rows.filter(({ verdict }) => verdict.state === 'safe');
  const open = rows.filter(({ verdict }) => verdict.state !== 'safe');
  const shared = {
    most,
    view,
    by: 'workspace',
    calls: ({ usage }: WorkspaceRow) => usage.calls,
    under: ({ name, ...row }: WorkspaceRow) => {
      const id = context.details.get(name);
      return id !== undefined && { id, content: workspaceDetails({ name, ...row }, context) };
    },
  } as const;
  const unknown = open.filter(({ origin }) => origin === 'unknown');
  const columns = columnsOf(context);
  return html`<section id="workspaces-section" aria-labelledby="workspaces-title">
    <h2 id="workspaces-title">Who to chase</h2>
    <p>
      By verdict, then by what they call now. A name unfolds what they use, what replaces it, and whom to
      call.${unknown.length > 0 && ` ${counted(unknown.length, 'key')} no configuration knows, ${count(unknown.filter(({ now }) => now.calls > 0).length)} of them with calls in the last 7 days: find out whose.`}
    </p>
    ${table({
      ...shared,
      ...(view?.group === 'owner' ? byOwner : {}),
      id: 'workspaces',
      caption: 'Workspaces that are not safe',
      columns,
      rows: open,
      noun: 'workspace',
      empty: rows.length === 0 ? 'No workspace.' : 'All of them are SAFE.',
      marked: ({ origin }) => origin === 'unknown',
    })}
    ${open.length > printed && html`<p class="printed muted">Printed are the first of ${counted(open.length, 'workspace')}: “Print all of it” at the end of the page prints the others.</p>`}
    ${
      safe.length > 0 &&
      html`<details id="safe-workspaces">
        <summary>SAFE: ${counted(safe.length, 'workspace')}</summary>
        ${table({ ...shared, under: undefined, id: 'safe', caption: 'Workspaces that are safe', columns: safeColumns(columns, context), rows: safe, noun: 'workspace' })}
      </details>`
    }
    ${
      origins.refused.length > 0 &&
      html`<details id="refused-keys">
        <summary>${refusedTitle} (${count(origins.refused.length)})</summary>
        ${table({ ...shared, id: 'refused', caption: refusedTitle, columns: refusedColumns(columns), rows: origins.refused, noun: 'key' })}
      </details>`
    }
  </section>`;
}

/** Rows that two pages of paper have room for. */
const printed = 35;
const noOwner = 'Nobody’s';

const byOwner = {
  group: ({ owner, contact }: WorkspaceRow) => owner ?? contact ?? noOwner,
  groupText: (owner: string, rows: readonly WorkspaceRow[]) => html`${named(owner)} <small>${counted(rows.length, 'workspace')}</small>`,
};

const head = ({ name, origin, lastSeen, accepted }: WorkspaceRow): Html =>
  html`${named(name)}${origin === 'unknown' && accepted && html` <small>unknown key</small>`}${lastSeen === null && html` <small>never seen</small>`}`;

/** Short enough to have its day whole; what unfolds has all of it. */
function markCell(mark: WorkspaceRow['mark']): Html {
  if (mark === null) return none;
  const isOverdue = mark.past && mark.status === 'promised';
  const text =
    mark.status === 'promised' && mark.until !== null ? `${isOverdue ? 'overdue' : 'by'} ${dateOf(mark.until)}` : markLabel(mark);
  return html`<span class="${isOverdue && 'not_yet tone'}" title="${mark.note}">${text}</span>`;
}

const fits = { exceeds: 'not_yet', depends: 'unknown', unknown: '', fits: '' } as const;

function columnsOf({ report }: Context): readonly Column<WorkspaceRow>[] {
  const hasMarks = report.workspaces.some(({ mark }) => mark !== null);
  const all: readonly (Column<WorkspaceRow> | false)[] = [
    { id: 'name', title: 'Workspace', cell: head, sort: ({ name }) => name },
    { id: 'verdict', title: 'Verdict', cell: ({ verdict }) => pill(verdict), sort: ({ verdict }) => urgency[verdict.state] },
    {
      id: 'owner',
      title: 'Owner',
      text: true,
      cell: ({ owner, contact }) => ((owner ?? contact) === null ? none : named(owner ?? contact ?? '')),
      sort: ({ owner, contact }) => owner ?? contact ?? undefined,
      wide: true,
    },
    {
      id: 'now',
      title: 'In 7 days',
      cell: ({ now }) => (now.calls === 0 ? none : count(now.calls)),
      sort: ({ now }) => now.calls,
      figure: true,
    },
    // There is room for one of these.
    !(hasMarks && report.rollout !== undefined) && { ...callsColumn, title: 'In period', wide: true },
    report.before !== null && changeColumn,
    { id: 'trend', title: 'Trend', cell: ({ trend, usage }) => (usage.calls > 0 ? sparkline(trend) : none), wide: true },
    { ...lastSeenColumn(report.made), wide: true },
    {
      id: 'limit',
      title: 'v2 calls/h',
      cell: ({ limit }) => (fitLabel(limit) === '' ? none : html`<span class="${fits[limit.fit]} tone">${fitLabel(limit)}</span>`),
      sort: ({ limit }) => limit.sliding?.v2Calls,
      figure: true,
      wide: true,
    },
    hasMarks && {
      id: 'mark',
      title: 'Status',
      cell: ({ mark }) => markCell(mark),
      sort: ({ mark }) => markLabel(mark) || undefined,
      wide: true,
    },
    report.rollout !== undefined && {
      id: 'stage',
      title: 'Stage',
      text: true,
      cell: ({ road }) => (road === undefined ? none : stageText(road) || none),
      sort: ({ road }) => (road === undefined ? undefined : stageText(road) || undefined),
      wide: true,
    },
  ];
  return all.filter((column) => column !== false);
}

/** They unfold nothing, as there is nothing to do; on the live page they lead to pages of their own. */
const safeColumns = (columns: readonly Column<WorkspaceRow>[], context: Context): readonly Column<WorkspaceRow>[] =>
  columns.map((column) => (column.id === 'name' ? { ...column, cell: ({ name }) => linked(name, context) } : column));

/** Nobody is asked about these: what tells scanners from a customer with a wrong key. */
const refusedColumns = (columns: readonly Column<WorkspaceRow>[]): readonly Column<WorkspaceRow>[] =>
  columns.filter(({ id }) => !['owner', 'limit', 'mark', 'stage', 'verdict'].includes(id));
