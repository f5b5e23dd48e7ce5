/** The tables that people read, as data: the terminal and Markdown show the same columns. */
import type { styleText } from 'node:util';
import type { ClientRow, EndpointRow, KeyRow, Report, Seen, Usage, WorkspaceRow } from '../model.ts';
import type { Instant } from '../span.ts';
import type { Verdict } from '../verdict-model.ts';
import { siteStates, siteText, siteUses } from '../text/code-wording.ts';
import { changed, count } from '../text/figures.ts';
import { sparkline } from '../text/sparkline.ts';
import { verdictTitles } from '../text/verdict-wording.ts';
import { clientName, fitLabel, markLabel, ownerName } from '../text/wording.ts';
import type { SiteRow } from './sites.ts';

export interface Column<Row> {
  readonly head: string;
  /** Unescaped. */
  readonly text: (row: Row) => string;
  readonly align?: 'right';
  /** Where there is no room, the columns with the greatest number go first; those without one stay. */
  readonly drop?: number;
  /** Goes before another column is cut. */
  readonly isExtra?: true;
  /** Where there is no room, it is cut to so many characters. */
  readonly least?: number;
  readonly style?: (row: Row) => Parameters<typeof styleText>[0] | undefined;
}

/** How a format writes an instant in a cell: some have room for little. */
export type When = (instant: Instant) => string;

interface Used extends Seen {
  readonly usage: Usage;
}

const trendWidth = 12;
const productsShown = 3;
const none = '–';

const calls = { head: 'Calls', text: ({ usage }: Pick<Used, 'usage'>) => count(usage.calls), align: 'right' } as const;
const now = { head: '7 days', text: ({ now: { calls: ofWeek } }: Pick<WorkspaceRow, 'now'>) => count(ofWeek), align: 'right' } as const;
const change = { head: 'Change', text: ({ usage }: Pick<Used, 'usage'>) => changed(usage.change), align: 'right' } as const;
const seen = (when: When): readonly Column<Used>[] => [
  {
    head: 'First call',
    text: ({ firstSeen }) => (firstSeen === null ? 'never' : when(firstSeen)),
    align: 'right',
    drop: 5,
    isExtra: true,
  },
  { head: 'Last call', text: ({ lastSeen }) => (lastSeen === null ? 'never' : when(lastSeen)), align: 'right' },
];

/** What people noted; it goes late, as it says whom to call. */
const mark: Column<WorkspaceRow> = {
  head: 'Status',
  text: (row) => markLabel(row.mark),
  least: 10,
  drop: 1,
  style: (row) => (row.mark?.status === 'promised' && row.mark.past ? 'red' : undefined),
};

const verdictStyles = { safe: 'green', not_yet: 'red', unknown: 'yellow' } as const;
export const verdictStyle = ({ state }: Pick<Verdict, 'state'>): 'green' | 'red' | 'yellow' => verdictStyles[state];
const fitStyles = { fits: undefined, depends: 'yellow', exceeds: 'red', unknown: undefined } as const;

export const workspaceColumns = (when: When): readonly Column<WorkspaceRow>[] => [
  { head: 'Workspace', text: ({ name }) => name, least: 12 },
  { head: 'Owner', text: ownerName, least: 10, drop: 1 },
  now,
  { ...calls, drop: 4 },
  { ...change, drop: 4 },
  { head: 'Trend', text: ({ trend }) => sparkline(trend, trendWidth), drop: 4, isExtra: true },
  ...seen(when),
  { head: 'Plan', text: ({ plan }) => plan ?? none, drop: 3 },
  { head: 'v2 calls/h', text: ({ limit }) => fitLabel(limit) || none, align: 'right', drop: 2, style: ({ limit }) => fitStyles[limit.fit] },
  mark,
  { head: 'Verdict', text: ({ verdict }) => verdictTitles[verdict.state], style: ({ verdict }) => verdictStyle(verdict) },
];

/** Keys that no configuration has: what helps to find out whose they are. */
export const unknownColumns = (report: Report, when: When): readonly Column<WorkspaceRow>[] => [
  { head: 'Unknown key', text: ({ name }) => name, least: 12 },
  { head: 'For the configuration', text: ({ keys }) => keys.map((hash) => `hash:${hash}`).join(' ') },
  now,
  { ...calls, drop: 3 },
  { ...change, drop: 3 },
  ...seen(when),
  mark,
  { head: 'Clients', text: ({ name }) => clientsOf(report, name), least: 8, drop: 1 },
];

const clientsOf = ({ clients }: Report, workspace: string): string => {
  const names = clients.filter((client) => client.workspace === workspace).map(clientName);
  return [...names.slice(0, productsShown), ...(names.length > productsShown ? ['…'] : [])].join(', ');
};

export const keyColumns = (when: When): readonly Column<KeyRow>[] => [
  { head: 'Key', text: ({ prefix }) => `${prefix}…` },
  { head: 'Hash', text: ({ hash }) => `hash:${hash}` },
  { head: 'Workspace', text: ({ workspace }) => workspace, least: 10 },
  { head: 'Clients', text: ({ clients }) => count(clients), align: 'right', drop: 1 },
  calls,
  change,
  ...seen(when),
];

export const clientColumns = (when: When): readonly Column<ClientRow>[] => [
  { head: 'Client', text: clientName, least: 14 },
  { head: 'Workspace', text: ({ workspace }) => workspace ?? 'no key', least: 10 },
  { head: 'Network', text: ({ sources }) => sources[0]?.network ?? none, drop: 1 },
  calls,
  change,
  ...seen(when),
  { head: 'Most called', text: ({ endpoints }) => endpoints[0]?.endpoint ?? none, least: 12, drop: 2, isExtra: true },
];

const errorsOf = ({ errors: { client, server, aborted } }: Usage): number => client + server + aborted;

export const endpointColumns: readonly Column<EndpointRow>[] = [
  { head: 'v1 endpoint', text: ({ endpoint }) => endpoint, least: 16 },
  { head: 'Replaced by', text: ({ successor }) => successor ?? none, least: 16 },
  { head: 'Clients', text: ({ clients }) => count(clients), align: 'right' },
  calls,
  change,
  { head: 'Errors', text: ({ usage }) => count(errorsOf(usage)), align: 'right', drop: 1 },
];

const useStyles = { called: 'red', quiet: 'yellow', never: 'green', unknown: 'yellow' } as const;

export const siteColumns = (when: When): readonly Column<SiteRow>[] => [
  { head: 'Repository', text: ({ repository }) => repository, least: 10 },
  { head: 'Site', text: siteText, least: 16 },
  { head: 'v1 endpoint', text: ({ endpoint }) => endpoint ?? 'not known', least: 12 },
  { head: 'In the code', text: ({ state }) => siteStates[state], drop: 2 },
  { head: 'Called', text: ({ use }) => siteUses[use], style: ({ use }) => useStyles[use] },
  { head: 'Last call', text: ({ last }) => (last === null ? none : when(last)), align: 'right' },
  { head: 'Clients', text: ({ clients }) => count(clients), align: 'right', drop: 1 },
];

/** The columns in which anything stands: nothing is compared with a time that was not recorded. */
export const filled = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly Column<Row>[] =>
  columns.filter(({ text }) => rows.some((row) => text(row) !== ''));
