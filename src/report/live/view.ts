/** What somebody looks at on the live page: it stands in the address, so that it can be reloaded, kept and passed on. */
import { dayInMs } from '../../contract/times.ts';
import type { View } from '../html/table.ts';

/** The periods to choose from, and how far they reach back. */
export const livePeriods = { '24h': dayInMs, '7d': 7 * dayInMs, '30d': 30 * dayInMs, '90d': 90 * dayInMs } as const;
export type LivePeriod = keyof typeof livePeriods;

export interface LiveView extends View {
  readonly period: LivePeriod;
}

const defaultPeriod: LivePeriod = '30d';
/** Nobody searches for more; a longer address is nobody's view. */
const longestSearch = 100;
/** Tables that can be sorted: parameters of these names say by what. */
const tables = ['workspaces', 'refused', 'limits', 'polling', 'endpoints', 'clients'] as const;

const isPeriod = (text: string): text is LivePeriod => Object.hasOwn(livePeriods, text);

/** The view that a query asks for; what it does not know is left out. */
export function viewOf(query: URLSearchParams): LiveView {
  // A button of the form repeats what the form had: the last one says it.
  const last = (name: string): string => query.getAll(name).at(-1) ?? '';
  const period = last('period');
  const sort = tables.flatMap((table) => (/^-?[a-z0-9]+$/.test(last(table)) ? [[table, last(table)]] : []));
  return {
    period: isPeriod(period) ? period : defaultPeriod,
    search: last('q').slice(0, longestSearch).toWellFormed(),
    sort: Object.fromEntries(sort),
  };
}

/** The same text for the same view. */
export const keyOf = ({ period, search, sort }: LiveView): string =>
  new URLSearchParams([['period', period], ['q', search], ...Object.entries(sort)]).toString();
