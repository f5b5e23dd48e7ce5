/** What cells of several tables say, each in one line. */
import type { EndpointUse, Usage } from '../model.ts';
import { age, changed, count, counted, dateOf, percent, timeOf } from '../text/figures.ts';
import { type Content, type Html, html } from './escape.ts';
import type { Column } from './table.ts';

export const none = html`<span class="none">–</span>`;

/** A day, with the minute for whoever points at it. */
export const date = (instant: string | null): Html =>
  instant === null ? none : html`<time datetime="${instant}" title="${timeOf(instant)}">${dateOf(instant)}</time>`;

/** A minute; in the zone that was chosen, which a script knows. */
export const time = (instant: string | null): Html =>
  instant === null ? none : html`<time class="at" datetime="${instant}">${timeOf(instant)}</time>`;

/** How long ago, with the minute for whoever points at it. */
export function ago(instant: string | null, now: string): Html {
  if (instant === null) return none;
  const length = age(instant, now);
  return html`<time class="ago" datetime="${instant}" title="${timeOf(instant)}">${length === 'now' ? 'just now' : `${length} ago`}</time>`;
}

export const change = ({ change }: Usage): Content => changed(change) || none;

export const errorsOf = ({ errors }: Pick<Usage, 'errors'>): number => errors.client + errors.server + errors.aborted;

/** The share of answers that the client could not use; their kinds for whoever points at it. */
function errors(usage: Usage): Html {
  const all = errorsOf(usage);
  if (all === 0) return none;
  const { client, server, aborted } = usage.errors;
  const kinds = [client > 0 && `${count(client)} 4xx`, server > 0 && `${count(server)} 5xx`, aborted > 0 && `${count(aborted)} left`];
  return html`<span title="${kinds.filter(Boolean).join(', ')}">${shareOf(all, usage.calls)}</span>`;
}

/** Endpoints and what replaces them, the most called first. */
export function endpointList(uses: readonly EndpointUse[], most: number): Html {
  const more = uses.length - most;
  return html`<ul>
    ${uses.slice(0, most).map(
      ({ endpoint, successor, calls }) =>
        html`<li>
          <code>${endpoint}</code> ${successor === null ? '' : html`→ <code>${successor}</code>`}
          <span class="muted">(${counted(calls, 'call')})</span>
        </li>`,
    )}${more > 0 && html`<li><span class="muted">and ${count(more)} more</span></li>`}
  </ul>`;
}

/** Something is not nothing, however small. */
export const shareOf = (part: number, all: number): string => (part > 0 && part / all < 0.001 ? 'under 0.1%' : percent(part / all));

/** Columns of several tables. */
export const callsColumn: Column<{ readonly usage: Usage }> = {
  id: 'calls',
  title: 'Calls',
  cell: ({ usage }) => count(usage.calls),
  sort: ({ usage }) => usage.calls,
  figure: true,
};

export const changeColumn: Column<{ readonly usage: Usage }> = {
  id: 'change',
  title: 'Change',
  cell: ({ usage }) => change(usage),
  sort: ({ usage }) => usage.change?.ratio ?? undefined,
  figure: true,
  wide: true,
};

export const errorsColumn: Column<{ readonly usage: Usage }> = {
  id: 'errors',
  title: 'Errors',
  cell: ({ usage }) => errors(usage),
  sort: ({ usage }) => errorsOf(usage),
  figure: true,
  wide: true,
};

/** @param now when the report was made */
export const lastSeenColumn = (now: string): Column<{ readonly lastSeen: string | null }> => ({
  id: 'last',
  title: 'Last call',
  cell: ({ lastSeen }) => ago(lastSeen, now),
  sort: ({ lastSeen }) => (lastSeen === null ? undefined : Date.parse(lastSeen)),
  figure: true,
});
