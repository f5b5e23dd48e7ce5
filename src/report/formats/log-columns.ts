/** The tables of access logs, for the terminal and Markdown. */
import type { LogClientRow, LogSourceRow } from '../logs/model.ts';
import type { Report } from '../model.ts';
import { count, timeOf } from '../text/figures.ts';
import type { Column, When } from './columns.ts';

const none = '–';

export const logsTitle = 'Access logs';

export const logColumns = (when: When): readonly Column<LogSourceRow>[] => [
  { head: 'Source', text: ({ name }) => name, least: 12 },
  { head: 'Format', text: ({ format }) => format, drop: 4 },
  { head: 'v1 calls', text: ({ calls }) => count(calls), align: 'right' },
  { head: 'Refused', text: ({ refused }) => count(refused), align: 'right', drop: 1 },
  { head: 'Clients', text: ({ clients }) => count(clients), align: 'right', drop: 2 },
  {
    head: 'Last served',
    text: ({ lastCall }) => (lastCall === null ? 'never' : when(lastCall)),
    align: 'right',
    style: ({ lastCall }) => (lastCall === null ? undefined : 'red'),
  },
  // How long ago a log ends says little beside the instant, which the next log has to begin with.
  { head: 'From', text: ({ first }) => (first === null ? none : timeOf(first)), drop: 5, isExtra: true },
  { head: 'Reaches until', text: ({ last }) => (last === null ? none : timeOf(last)), least: 10 },
  { head: 'Imported', text: ({ imported }) => when(imported), align: 'right', drop: 5 },
  { head: 'Lines', text: ({ lines }) => count(lines), align: 'right', drop: 6, isExtra: true },
  { head: 'Not read', text: ({ unread }) => (unread === 0 ? '' : count(unread)), align: 'right', style: () => 'yellow' },
];

export const pastTitle = 'Past the proxies';

export type LogClient = LogClientRow & { readonly source: LogSourceRow };

/** The clients of all sources, of each in its order. */
export const logClients = ({ logs = [] }: Report): readonly LogClient[] =>
  logs.flatMap((source) => source.busiest.map((client) => ({ ...client, source })));

export const logClientColumns = (when: When): readonly Column<LogClient>[] => [
  { head: 'Source', text: ({ source }) => source.name, least: 8 },
  { head: 'Client', text: ({ product }) => product, least: 10 },
  { head: 'Network', text: ({ network }) => network ?? none, least: 8, drop: 2 },
  { head: 'Workspace', text: ({ workspace }) => workspace ?? 'no key', least: 10 },
  { head: 'Calls', text: ({ calls }) => count(calls), align: 'right' },
  { head: 'Refused', text: ({ refused }) => count(refused), align: 'right', drop: 1 },
  { head: 'Last call', text: ({ last }) => when(last), align: 'right' },
];
