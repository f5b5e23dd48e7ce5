/** Whom to chase, and what they have to change. */
import type { Report, WorkspaceRow } from '../model.ts';
import type { Blocker, Verdict } from '../verdict-model.ts';
import { count, counted } from '../text/figures.ts';
import { byOrigin } from '../text/remarks.ts';
import { blockerText } from '../text/verdict-wording.ts';
import { forecastText, keysText, ownerName, refusedTitle } from '../text/wording.ts';
import { callsColumn, change, date, endpointList, errorsColumn, lastSeenColumn, none } from './cells.ts';
import { sparkline } from './chart.ts';
import { type Html, html, named } from './escape.ts';
import { type Column, table, type View } from './table.ts';
import { pill, sentence } from './verdict.ts';

const endpointsOfRow = 5;
const keysOfRow = 5;
/** How much of it is left to do comes last in the alphabet. */
const urgency = { not_yet: 0, unknown: 1, safe: 2 } as const;

export function workspacesSection(report: Report, most: number, view: View | undefined): Html {
  const origins = byOrigin(report);
  const unknown = origins.unknown.filter(({ usage }) => usage.calls > 0).length;
  const shared = {
    most,
    view,
    texts: ({ name, owner, contact, note, plan, keys }: WorkspaceRow) => [name, owner, contact, note, plan, ...keys],
    calls: ({ usage }: WorkspaceRow) => usage.calls,
    under: (row: WorkspaceRow) => row.lastSeen !== null && details(row, report),
  };
  return html`<section id="workspaces-section" aria-labelledby="workspaces-title">
    <h2 id="workspaces-title">Who to chase</h2>
    <p>
      ${unknown > 0 ? `${counted(unknown, 'key')} that no configuration knows ${unknown === 1 ? 'comes' : 'come'} first: find out whose, then go by calls.` : 'By calls; each workspace with what it still uses, and what replaces that.'}
    </p>
    ${table({
      ...shared,
      id: 'workspaces',
      caption: 'Workspaces that call v1',
      columns,
      rows: [...origins.unknown, ...origins.known],
      noun: 'workspace',
      marked: ({ origin }) => origin === 'unknown',
    })}
    ${
      origins.refused.length > 0 &&
      html`<details id="refused-keys" ${(view?.search ?? '') !== '' && html` open`}>
        <summary>${refusedTitle} (${count(origins.refused.length)})</summary>
        ${table({ ...shared, id: 'refused', caption: refusedTitle, columns: refusedColumns, rows: origins.refused, noun: 'key' })}
      </details>`
    }
  </section>`;
}

const head = ({ name, origin, lastSeen, accepted }: WorkspaceRow): Html =>
  html`${named(name)}${origin === 'unknown' && accepted && html`<small>unknown key</small>`}${lastSeen === null && html`<small>never seen</small>`}`;

const columns: readonly Column<WorkspaceRow>[] = [
  { id: 'name', title: 'Workspace', cell: head, sort: ({ name }) => name },
  {
    id: 'owner',
    title: 'Owner',
    text: true,
    cell: ({ owner, contact }) => ((owner ?? contact) === null ? none : named(owner ?? contact ?? '')),
    sort: ({ owner, contact }) => owner ?? contact ?? undefined,
    wide: true,
  },
  { id: 'plan', title: 'Plan', cell: ({ plan }) => plan ?? none, sort: ({ plan }) => plan ?? undefined, wide: true },
  callsColumn,
  {
    id: 'change',
    title: 'Change',
    cell: ({ usage }) => change(usage),
    sort: ({ usage }) => usage.change?.ratio ?? undefined,
    figure: true,
    wide: true,
  },
  { id: 'trend', title: 'Trend', cell: ({ trend, usage }) => (usage.calls > 0 ? sparkline(trend) : none), wide: true },
  errorsColumn,
  { ...lastSeenColumn, wide: true },
  { id: 'verdict', title: 'Verdict', cell: ({ verdict }) => pill(verdict), sort: ({ verdict }) => urgency[verdict.state] },
];

/** Nobody is asked about these: what tells scanners from a customer with a wrong key. */
const refusedColumns = columns.filter(({ id }) => !['owner', 'plan', 'verdict'].includes(id));

function details(row: WorkspaceRow, report: Report): Html {
  const { keys, clients, endpoints, note, verdict, forecast, firstSeen } = row;
  const owner = ownerName(row);
  return html`<details id="workspace-${keys[0] ?? ''}">
    <summary>${counted(clients, 'client')}, ${counted(keys.length, 'key')}</summary>
    <dl>
      ${
        keysText(row) !== '' &&
        html`<dt>To do</dt>
          <dd>${sentence(keysText(row))}</dd>`
      }
      ${
        owner !== '' &&
        html`<dt>Owner</dt>
          <dd>${named(owner)}</dd>`
      }
      ${
        keys.length > 0 &&
        html`<dt>Keys</dt>
          <dd>${keyList(keys)}</dd>`
      }
      ${
        note !== null &&
        html`<dt>Note</dt>
          <dd>${named(note)}</dd>`
      }
      ${
        endpoints.length > 0 &&
        html`<dt>Uses</dt>
          <dd>${endpointList(endpoints, endpointsOfRow)}</dd>`
      }
      ${
        verdict.blockers.length > 0 &&
        html`<dt>Why</dt>
          <dd>
            ${ownBlockers(verdict)
              .map((blocker) => sentence(blockerText(blocker, report)))
              .join(' ')}
          </dd>`
      }
      <dt>Forecast</dt>
      <dd>${sentence(forecastText(forecast))}</dd>
      <dt>First seen</dt>
      <dd>${date(firstSeen)}</dd>
    </dl>
  </details>`;
}

/** As the configuration names them. */
function keyList(keys: readonly string[]): Html {
  const more = keys.length - keysOfRow;
  return html`${keys.slice(0, keysOfRow).map((hash) => html`<code>hash:${hash}</code> `)}${more > 0 && `and ${count(more)} more`}`;
}

/** What is missing in the record is the same for everybody, and said at the top. */
function ownBlockers({ blockers }: Verdict): readonly Blocker[] {
  const own = blockers.filter(({ code }) => code === 'recent_calls' || code === 'later_calls');
  return own.length > 0 ? own : blockers;
}
