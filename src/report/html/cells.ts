/** What cells of several tables say. */
import type { EndpointUse, Usage } from '../model.ts';
import { changed, count, counted, dateOf, percent } from '../text/figures.ts';
import { type Content, type Html, html } from './escape.ts';
import type { Column } from './table.ts';

export const none = html`<span class="none">–</span>`;

/** A day, with the minute for whoever points at it. */
export const date = (instant: string | null): Html =>
  instant === null ? none : html`<time datetime="${instant}" title="${instant}">${dateOf(instant)}</time>`;

export const time = (instant: string | null): Html =>
  instant === null ? none : html`<time datetime="${instant}">${instant.slice(0, 10)} ${instant.slice(11, 16)}</time>`;

export const change = ({ change }: Usage): Content => changed(change) || none;

const errorsOf = ({ errors }: Usage): number => errors.client + errors.server + errors.aborted;

/** Answers that the client could not use, by kind. */
function errors(usage: Usage): Html {
  const all = errorsOf(usage);
  if (all === 0) return none;
  const { client, server, aborted } = usage.errors;
  const kinds = [client > 0 && `${count(client)} 4xx`, server > 0 && `${count(server)} 5xx`, aborted > 0 && `${count(aborted)} left`];
  return html`${shareOf(all, usage.calls)}<small>${kinds.filter(Boolean).join(', ')}</small>`;
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
    )}${more > 0 && html`<li class="muted">and ${count(more)} more</li>`}
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

export const errorsColumn: Column<{ readonly usage: Usage }> = {
  id: 'errors',
  title: 'Errors',
  cell: ({ usage }) => errors(usage),
  sort: ({ usage }) => errorsOf(usage),
  figure: true,
  wide: true,
};

export const lastSeenColumn: Column<{ readonly lastSeen: string | null }> = {
  id: 'last',
  title: 'Last seen',
  cell: ({ lastSeen }) => date(lastSeen),
  sort: ({ lastSeen }) => (lastSeen === null ? undefined : Date.parse(lastSeen)),
  figure: true,
};
