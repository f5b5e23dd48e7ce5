/** What somebody looks at on the live page: it stands in the address, so that it can be reloaded, kept and passed on. */
import { dayInMs } from '../../contract/times.ts';
import type { View } from '../html/view.ts';

/** The periods to choose from, and how far they reach back. */
export const livePeriods = { '24h': dayInMs, '7d': 7 * dayInMs, '30d': 30 * dayInMs, '90d': 90 * dayInMs } as const;
export type LivePeriod = keyof typeof livePeriods;

export interface LiveView extends View {
  readonly period: LivePeriod;
}

const defaultPeriod: LivePeriod = '30d';
/** Nobody searches for more, and no name is longer; a longer address is nobody's view. */
const longestText = 100;
const longestName = 500;
/** Tables that can be sorted and paged: parameters of these names say by what, and with `-page` which page. */
const tables = [
  'workspaces',
  'safe',
  'refused',
  'rollout',
  'differences',
  'limits',
  'polling',
  'endpoints',
  'clients',
  'statuses',
  'hours',
  'logs',
  'past',
  'sites',
] as const;

const isPeriod = (text: string): text is LivePeriod => Object.hasOwn(livePeriods, text);

/** The view that a query asks for; what it does not know is left out. */
export function viewOf(query: URLSearchParams): LiveView {
  // A button of the form repeats what the form had: the last one says it.
  const last = (name: string): string => query.getAll(name).at(-1) ?? '';
  const period = last('period');
  const seen = {
    period: isPeriod(period) ? period : defaultPeriod,
    search: last('q').slice(0, longestText).trim().toWellFormed(),
    group: last('group') === 'owner' ? 'owner' : 'workspace',
    times: last('times') === 'local' ? 'local' : 'utc',
    workspace: last('workspace').slice(0, longestName).toWellFormed() || undefined,
    sort: Object.fromEntries(tables.flatMap((table) => (/^-?[a-z0-9]+$/.test(last(table)) ? [[table, last(table)]] : []))),
    pages: Object.fromEntries(
      tables.flatMap((table) => (/^[1-9]\d{0,5}$/.test(last(`${table}-page`)) ? [[table, Number(last(`${table}-page`))]] : [])),
    ),
  } as const;
  return { ...seen, query: queryOf(seen) };
}

/** In one order, without what is so anyway: the same for the same view. */
function queryOf({ period, search, group, times, workspace, sort }: Omit<LiveView, 'query' | 'pages'>): string {
  return new URLSearchParams({
    ...(period === defaultPeriod ? {} : { period }),
    ...(search === '' ? {} : { q: search }),
    ...(group === 'workspace' ? {} : { group }),
    ...(times === 'utc' ? {} : { times }),
    ...(workspace === undefined ? {} : { workspace }),
    ...sort,
  }).toString();
}

/** The same text for views that show the same. */
export const keyOf = ({ query, pages }: LiveView): string => `${query} ${JSON.stringify(pages)}`;
