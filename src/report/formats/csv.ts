/** The rows of the report for a spreadsheet (RFC 4180): figures and instants as the model has them. */
import type { GroupBy } from '../../config/report-formats.ts';
import { dayInMs, secondInMs } from '../../contract/times.ts';
import type { ClientRow, EndpointRow, KeyRow, LimitFit, Report, SaversFit, Usage, WorkspaceRow } from '../model.ts';
import type { LogClient } from './log-columns.ts';
import type { Errors, RoadStage, WorkspaceRoad } from '../rollout/model.ts';
import type { Instant } from '../span.ts';
import type { Verdict } from '../verdict-model.ts';
import { csvText } from '../text/csv.ts';
import { sitesOf, type SiteRow } from './sites.ts';
import { saversName } from '../text/savers-wording.ts';
import { reuseTimes } from '../../usage/model.ts';
import { nextText } from '../text/road-wording.ts';

type Cell = string | number | null | undefined;

/** The name of a column, and what stands in it. */
type Field<Row> = readonly [name: string, of: (row: Row) => Cell];

/**
 * Renders one row for each workspace, key, client, endpoint or call site, below a row with the names of the columns. Calls without a key have a row
 * of their own where they would be missing: the rows add up to the total.
 */
export function renderCsv(report: Report, { groupBy }: { readonly groupBy: GroupBy }): string {
  switch (groupBy) {
    case 'workspace':
      return csv(
        [
          ...workspaceFields,
          ...(report.rollout === undefined ? [] : stageFields),
          ...saversFields,
          ...markFields,
          ...burnDownFields(report),
          ...(report.logs === undefined ? [] : loggedFields),
        ],
        [...report.workspaces, ...nobodys(report)],
      );
    case 'key':
      return csv(keyFields, [...report.keys, ...nobodys(report)]);
    case 'client':
      return csv(clientFields, report.clients);
    case 'endpoint':
      return csv(endpointFields, report.endpoints);
    case 'log':
      return csv(logFields, logRows(report));
    case 'site':
      return csv(siteFields, sitesOf(report));
  }
}

function csv<Row>(fields: readonly Field<Row>[], rows: readonly Row[]): string {
  const lines = [fields.map(([name]) => name), ...rows.map((row) => fields.map(([, of]) => of(row)))];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

/** Figures to the thousandth. */
const cell = (value: Cell): string =>
  typeof value === 'string' ? csvText(value) : typeof value === 'number' ? String(Math.round(value * 1_000) / 1_000) : '';

interface Used {
  readonly usage: Usage;
}

interface Seen {
  readonly firstSeen: Instant | null;
  readonly lastSeen: Instant | null;
}

/** The row of those calls that belong to no workspace and no key. */
interface Nobodys extends Used, Seen {
  readonly origin: 'unidentified';
  readonly clients: number;
}

const nobodys = ({ unidentified }: Report): readonly Nobodys[] =>
  unidentified === null ? [] : [{ ...unidentified, origin: 'unidentified' }];

const isNobodys = (row: object): row is Nobodys => 'origin' in row && row.origin === 'unidentified';

const usageFields: readonly Field<Used>[] = [
  ['calls', ({ usage }) => usage.calls],
  ['calls_before', ({ usage }) => usage.change?.calls],
  ['change', ({ usage }) => usage.change?.ratio],
  ['v2_calls', ({ usage }) => usage.v2Calls],
  ['repeats', ({ usage }) => usage.repeats],
  ['translated', ({ usage }) => usage.outcomes.translated],
  ['local', ({ usage }) => usage.outcomes.local],
  ['failed', ({ usage }) => usage.outcomes.failed],
  ['errors_4xx', ({ usage }) => usage.errors.client],
  ['errors_5xx', ({ usage }) => usage.errors.server],
  ['aborted', ({ usage }) => usage.errors.aborted],
  ['mean_ms', ({ usage }) => usage.duration?.mean],
  ['longest_ms', ({ usage }) => usage.duration?.longest],
];

/** At the end of every row: what reads the columns by their places reads on. */
const roadFields: readonly Field<Used>[] = [
  ['observed', ({ usage }) => usage.outcomes.observed],
  ['compared', ({ usage }) => usage.outcomes.compared],
  ['refused', ({ usage }) => usage.outcomes.refused],
];

const seenFields: readonly Field<Seen>[] = [
  ['first_seen', ({ firstSeen }) => firstSeen],
  ['last_seen', ({ lastSeen }) => lastSeen],
];

const limitFields: readonly Field<LimitFit>[] = [
  ['limit_per_hour', ({ limit }) => limit?.perHour],
  ['fit', ({ fit }) => fit],
  ['peak_clock_hour', ({ clockHour }) => clockHour?.v2Calls],
  ['peak_clock_hour_at', ({ clockHour }) => clockHour?.since],
  ['peak_60_minutes', ({ sliding }) => sliding?.v2Calls],
  ['peak_60_minutes_at', ({ sliding }) => sliding?.since],
  ['older_60_minutes', ({ older }) => older?.v2Calls],
  ['older_60_minutes_at', ({ older }) => older?.since],
  ['refused_clock_hour', ({ refused }) => refused?.clockHour],
  ['refused_60_minutes', ({ refused }) => refused?.sliding],
  ['smallest_plan', ({ smallestPlan }) => smallestPlan],
  ['tame', ({ tame }) => tame?.endpoint],
];

const verdictFields: readonly Field<Verdict>[] = [
  ['verdict', ({ state }) => state],
  ['blockers', ({ blockers }) => blockers.map(({ code }) => code).join(' ')],
];

/** Columns that one kind of the rows has. */
const only = <Row extends object>(fields: readonly Field<Row>[]): readonly Field<Row | Nobodys>[] =>
  fields.map(([name, of]) => [name, (row) => (isNobodys(row) ? null : of(row))]);

/** Columns of a part of a row. */
const within = <Row, Part>(fields: readonly Field<Part>[], part: (row: Row) => Part): readonly Field<Row>[] =>
  fields.map(([name, of]) => [name, (row) => of(part(row))]);

const workspaceFields: readonly Field<WorkspaceRow | Nobodys>[] = [
  ...only<WorkspaceRow>([['workspace', ({ name }) => name]]),
  ['origin', ({ origin }) => origin],
  ...only<WorkspaceRow>([
    ['plan', ({ plan }) => plan],
    ['owner', ({ owner }) => owner],
    ['contact', ({ contact }) => contact],
    ['note', ({ note }) => note],
    ['keys', ({ keys }) => keys.map((hash) => `hash:${hash}`).join(' ')],
  ]),
  ['clients', ({ clients }) => clients],
  ...usageFields,
  ...seenFields,
  ...only<WorkspaceRow>([
    ...within(limitFields, ({ limit }: WorkspaceRow) => limit),
    ...within(verdictFields, ({ verdict }: WorkspaceRow) => verdict),
    ['last_call_expected', ({ forecast }) => (forecast.state === 'forecast' ? forecast.date : null)],
  ]),
  ...roadFields,
];

const sharesOf = (name: string, of: (road: WorkspaceRoad) => Errors | null): readonly Field<WorkspaceRoad>[] => [
  [`errors_${name}`, (road) => of(road)?.errors],
  [`errors_5xx_${name}`, (road) => of(road)?.failures],
];

const callsAt = ({ stages }: WorkspaceRoad, wanted: RoadStage): number => stages.find(({ stage }) => stage === wanted)?.calls ?? 0;

/** Where the record has a roll-out; at the end once more. */
const stageFields: readonly Field<WorkspaceRow | Nobodys>[] = only<WorkspaceRow>(
  within<WorkspaceRow, WorkspaceRoad | undefined>(
    (
      [
        [
          'stage',
          ({ stages }) =>
            stages
              .filter(({ current }) => current)
              .map(({ stage }) => stage)
              .join(' '),
        ],
        ['observe_7_days', (road) => callsAt(road, 'observe')],
        ['compare_7_days', (road) => callsAt(road, 'compare')],
        ['translate_7_days', (road) => callsAt(road, 'translate')],
        ['refused_7_days', ({ refused }) => refused],
        ['compared_calls', ({ compared }) => compared?.calls],
        ['differences', ({ compared }) => compared?.differences],
        ['skipped', ({ skipped }) => skipped.reduce((sum, { calls }) => sum + calls, 0)],
        ['skipped_why', ({ skipped }) => skipped.map(({ reason, calls }) => `${reason}: ${calls}`).join('; ')],
        ...sharesOf('before', ({ before }) => before),
        ...sharesOf('after', ({ after }) => after),
        ['moved_at', ({ movedAt }) => movedAt],
        ['taken_back', ({ tripped }) => tripped.join('; ')],
        ['next_step', ({ next }) => next?.step],
        ['next_step_why', ({ next }) => (next === null ? null : nextText(next))],
      ] satisfies readonly Field<WorkspaceRoad>[]
    ).map(([name, of]): Field<WorkspaceRoad | undefined> => [name, (road) => (road === undefined ? null : of(road))]),
    ({ road }) => road,
  ),
);

/** Where access logs were imported; at the end once more. */
const loggedFields: readonly Field<WorkspaceRow | Nobodys>[] = only<WorkspaceRow>([
  ['logged_calls', ({ logged }) => logged?.calls],
  ['logged_last', ({ logged }) => logged?.last],
  ['logged_in', ({ logged }) => logged?.sources.join('; ')],
]);

/** A client of a source, or a source without any. */
type LogRow = Partial<LogClient> & Pick<LogClient, 'source'>;

const logRows = ({ logs = [] }: Report): readonly LogRow[] =>
  logs.flatMap((source): readonly LogRow[] =>
    source.busiest.length === 0 ? [{ source }] : source.busiest.map((client) => ({ ...client, source })),
  );

const logFields: readonly Field<LogRow>[] = [
  ['source', ({ source }) => source.name],
  ['format', ({ source }) => source.format],
  ['imported', ({ source }) => source.imported],
  ['reaches_from', ({ source }) => source.first],
  ['reaches_until', ({ source }) => source.last],
  ['lines', ({ source }) => source.lines],
  ['unread', ({ source }) => source.unread],
  ['source_calls', ({ source }) => source.calls],
  ['source_refused', ({ source }) => source.refused],
  ['client', ({ product }) => product],
  ['network', ({ network }) => network],
  ['workspace', ({ workspace }) => workspace],
  ['key_prefix', ({ keyPrefix }) => keyPrefix],
  ['key', ({ keyHash }) => (keyHash == null ? null : `hash:${keyHash}`)],
  ['calls', ({ calls }) => calls],
  ['refused', ({ refused }) => refused],
  ['last_call', ({ last }) => last],
];

/** At the end once more. */
const saversFields: readonly Field<WorkspaceRow | Nobodys>[] = only<WorkspaceRow>(
  within<WorkspaceRow, SaversFit | null>(
    [
      ...[
        'asked_clock_hour',
        'coalescing_clock_hour',
        ...reuseTimes.slice(1).map((reuse) => `reuse_${reuse / secondInMs}s_clock_hour`),
      ].map((name, index): Field<SaversFit | null> => [name, (savers) => savers?.settings[index]?.clockHour?.v2Calls]),
      ['asked_clock_hour_at', (savers) => savers?.settings[0]?.clockHour?.since],
      ['asked_untranslated', (savers) => savers?.untranslated],
      ['asked_since', (savers) => savers?.since],
      ['savers_plan', (savers) => savers?.limit?.plan],
      ['savers_needed', (savers) => (savers?.needed == null ? null : saversName(savers.needed))],
    ],
    ({ limit }) => limit.savers,
  ),
);

/** At the end once more. */
const markFields: readonly Field<WorkspaceRow | Nobodys>[] = only<WorkspaceRow>([
  ['status', ({ mark }) => mark?.status],
  ['status_until', ({ mark }) => mark?.until],
  ['status_past', ({ mark }) => (mark === null ? null : mark.past ? 'yes' : 'no')],
  ['status_note', ({ mark }) => mark?.note],
  ['status_at', ({ mark }) => mark?.at],
  ['status_from', ({ mark }) => mark?.from],
]);

/** At the end once more: the last seven days, whatever the period is, and what is to be expected at the sunset. */
function burnDownFields({ burnDown }: Report): readonly Field<WorkspaceRow | Nobodys>[] {
  const resting = new Set(burnDown.resting.map(({ workspace }) => workspace));
  const misses = new Map(burnDown.misses.map((miss) => [miss.workspace, miss]));
  return only<WorkspaceRow>([
    ['calls_now', ({ now }) => now.calls],
    ['clients_now', ({ now }) => now.clients],
    ['is_now', ({ name, now }) => (now.calls > 0 ? 'calling' : resting.has(name) ? 'resting' : 'quiet')],
    ['misses_sunset', ({ name }) => misses.get(name)?.reason],
    ['calls_at_sunset', ({ name }) => misses.get(name)?.probability],
  ]);
}

const keyFields: readonly Field<KeyRow | Nobodys>[] = [
  ...only<KeyRow>([
    ['key', ({ prefix }) => prefix],
    ['hash', ({ hash }) => `hash:${hash}`],
    ['workspace', ({ workspace }) => workspace],
  ]),
  ['clients', ({ clients }) => clients],
  ...usageFields,
  ...seenFields,
  ...roadFields,
];

const clientFields: readonly Field<ClientRow>[] = [
  ['client', ({ product }) => product],
  ['name', ({ name }) => name],
  ['workspace', ({ workspace }) => workspace],
  ['key', ({ keyPrefix }) => keyPrefix],
  ['hash', ({ keyHash }) => (keyHash === null ? null : `hash:${keyHash}`)],
  ['networks', ({ sources }) => sources.map(({ network }) => network).join(' ')],
  ['endpoints', ({ endpoints }) => endpoints.map(({ endpoint }) => endpoint).join('; ')],
  ...usageFields,
  ...seenFields,
  ['quiet_days', ({ quiet }) => daysOf(quiet.duration)],
  ['quiet_days_needed', ({ quiet }) => daysOf(quiet.needed)],
  ...roadFields,
];

const daysOf = (milliseconds: number): number => Math.floor(milliseconds / dayInMs);

const endpointFields: readonly Field<EndpointRow>[] = [
  ['endpoint', ({ endpoint }) => endpoint],
  ['replaced_by', ({ successor }) => successor],
  ['clients', ({ clients }) => clients],
  ['workspaces', ({ workspaces }) => workspaces],
  ...usageFields,
  ['first_call', ({ usage }) => usage.first],
  ['last_call', ({ usage }) => usage.last],
  ...roadFields,
];

const siteFields: readonly Field<SiteRow>[] = [
  ['repository', ({ repository }) => repository],
  ['file', ({ file }) => file],
  ['line', ({ line }) => line],
  ['endpoint', ({ endpoint }) => endpoint],
  ['library', ({ library }) => library],
  ['state', ({ state }) => state],
  ['use', ({ use }) => use],
  ['last_call', ({ last }) => last],
  ['last_call_besides', ({ besides }) => besides],
  ['clients', ({ clients }) => clients],
  ['workspaces', ({ callers }) => [...new Set(callers.flatMap(({ workspace }) => workspace ?? []))].join('; ')],
];
