/** The report as what is read from top to bottom: the terminal and Markdown write the same sections, in this order, each in its own way. */
import { pastProxies } from '../logs/past.ts';
import type { Coverage, Report } from '../model.ts';
import { changed, count, timeOf } from '../text/figures.ts';
import { byOrigin, ignoredRemarks, limitRemarks, markRemarks, movedRemarks, pollingRemarks, saversRemarks } from '../text/remarks.ts';
import { codeRemarks, codeTitle, unexplainedRemarks, unexplainedTitle } from '../text/code-wording.ts';
import { burnDownChanges, callingText, inTimeText } from '../text/burn-down-wording.ts';
import { saversTitle } from '../text/savers-wording.ts';
import { blockerText, conditionText, verdictText, verdictTitles } from '../text/verdict-wording.ts';
import { answersText, coverageText, emptyText, ofText, partText, refusedTitle, sunsetText, unidentifiedText } from '../text/wording.ts';
import {
  clientColumns,
  type Column,
  endpointColumns,
  filled,
  keyColumns,
  siteColumns,
  unknownColumns,
  type When,
  workspaceColumns,
} from './columns.ts';
import { announcedRemarks, brownoutRemarks, nextRemarks, onRoad, roadSummary, roadTitle, stepText } from '../text/road-wording.ts';
import { logClientColumns, logClients, logColumns, logsTitle, pastTitle } from './log-columns.ts';
import { differenceColumns, roadColumns } from './road-columns.ts';
import { sitesOf } from './sites.ts';
import type { GroupBy } from '../../config/report-formats.ts';

/** What the report begins with. No text is escaped. */
export interface Summary {
  readonly title: string;
  readonly verdict: { readonly title: string; readonly text: string };
  readonly blockers: readonly string[];
  readonly conditions: readonly string[];
  /** Why there is nothing to see, and what to do. */
  readonly empty: string | undefined;
  readonly facts: readonly Fact[];
}

export interface Fact {
  readonly id: 'calling' | 'outlook' | 'sunset' | 'calls' | 'answers' | 'road' | 'record';
  readonly name: string;
  readonly text: string;
}

export type Section =
  | TableSection
  | { readonly kind: 'list'; readonly title: string; readonly texts: readonly string[] }
  | { readonly kind: 'text'; readonly title: string; readonly text: string }
  | { readonly kind: 'gaps'; readonly coverage: Coverage };

export interface TableSection {
  readonly kind: 'table';
  readonly title: string;
  /** Whether the heads of its columns do not say what it is. */
  readonly needsTitle: boolean;
  /** Whether it is not what was asked for: where there is little room, a few rows are enough. */
  readonly isBeside: boolean;
  /** Hands its columns, without the empty ones, and its rows to what writes them, of whatever type they are. */
  write<Text>(by: <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => Text): Text;
}

export function summaryOf(report: Report): Summary {
  const { verdict, period, total, sunset, coverage, burnDown } = report;
  const change = changed(total.change);
  const past = pastProxies(verdict.blockers);
  const road = roadSummary(report);
  const answers: Fact = { id: 'answers', name: 'Answers', text: answersText(total) };
  return {
    title: `v1 usage ${ofText(report)}from ${timeOf(period.since)} to ${timeOf(period.until)}`,
    verdict: { title: verdictTitles[verdict.state], text: verdictText(verdict) + partText(report.of, verdict.state) },
    blockers: verdict.blockers.map((blocker) => blockerText(blocker, report)),
    conditions: verdict.conditions.map(conditionText),
    empty: emptyText(report),
    facts: [
      { id: 'calling', name: 'Calling', text: callingText(burnDown, past) },
      { id: 'outlook', name: 'In time', text: inTimeText(burnDown.outlook, past) },
      { id: 'sunset', name: 'Sunset', text: sunsetText(sunset) },
      { id: 'calls', name: 'v1 calls', text: `${count(total.calls)}${change && ` (${change} against the time before)`}` },
      ...(total.calls === 0 ? [] : [answers]),
      ...(road === undefined ? [] : [{ id: 'road', name: 'Road', text: road } as const]),
      { id: 'record', name: 'Record', text: coverageText(coverage) },
    ],
  };
}

/**
 * The sections in which something stands.
 * @param when how an instant is written in a cell
 */
export function sectionsOf(report: Report, groupBy: GroupBy, when: When): readonly Section[] {
  const { coverage } = report;
  return [
    ...grouped[groupBy](report, when),
    ...(coverage.recordedSince === null || coverage.gaps.length === 0 ? [] : [{ kind: 'gaps', coverage } as const]),
    ...list('Ignored, and in no other figure but the limits', ignoredRemarks(report)),
  ];
}

/** What somebody sees who asked for rows of this kind. */
const grouped: Readonly<Record<GroupBy, (report: Report, when: When) => readonly Section[]>> = {
  workspace: workspaceSections,
  key: (report, when) => [...table('Keys', keyColumns(when), report.keys), ...withoutKey(report)],
  client: ({ clients }, when) => table('Clients', clientColumns(when), clients),
  endpoint: ({ endpoints }) => table('Endpoints', endpointColumns, endpoints),
  log: (report, when) => [
    ...table(logsTitle, logColumns(when), report.logs ?? []),
    ...table(pastTitle, logClientColumns(when), logClients(report), { needsTitle: true }),
  ],
  site: (report, when) => [
    ...table('Call sites', siteColumns(when), sitesOf(report)),
    ...list(unexplainedTitle, unexplainedRemarks(report)),
  ],
};

function workspaceSections(report: Report, when: When): readonly Section[] {
  const { unknown, known, refused } = byOrigin(report);
  const callers = report.clients.filter(({ usage }) => usage.calls > 0);
  return [
    ...burnDownChanges(report.burnDown).flatMap(({ title, texts }) => list(title, texts)),
    ...table('Unknown keys', unknownColumns(report, when), unknown),
    ...table('Workspaces', workspaceColumns(when), known),
    ...list('Noted', markRemarks(report)),
    ...list('Probably the same', movedRemarks(report)),
    ...withoutKey(report),
    ...table(refusedTitle, unknownColumns(report, when), refused, { needsTitle: true, isBeside: true }),
    ...list(codeTitle, codeRemarks(report)),
    ...list(unexplainedTitle, unexplainedRemarks(report)),
    ...logSections(report, when),
    ...roadSections(report),
    ...list('Limits of v2', limitRemarks(report)),
    ...list(saversTitle, saversRemarks(report)),
    ...list('Polling', pollingRemarks(report)),
    ...table('Clients', clientColumns(when), callers, { isBeside: true }),
    ...table('Endpoints', endpointColumns, report.endpoints),
  ];
}

/** Nothing where no access log was imported. */
const logSections = (report: Report, when: When): readonly Section[] => [
  ...table(logsTitle, logColumns(when), report.logs ?? [], { needsTitle: true }),
  ...table(pastTitle, logClientColumns(when), logClients(report), { needsTitle: true, isBeside: true }),
];

/** Nothing where the record has no roll-out. */
function roadSections(report: Report): readonly Section[] {
  const { rollout } = report;
  if (rollout === undefined) return [];
  return [
    ...table(roadTitle, roadColumns, onRoad(report), { needsTitle: true }),
    ...list('Next steps', nextRemarks(report)),
    ...table('Differences', differenceColumns, rollout.differences, { needsTitle: true }),
    ...list('Brownouts', brownoutRemarks(rollout)),
    ...list('Brownouts to come', announcedRemarks(rollout)),
    ...list('What happened on the road', rollout.steps.map(stepText)),
  ];
}

function table<Row>(
  title: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { needsTitle = false, isBeside = false } = {},
): Section[] {
  return rows.length === 0 ? [] : [{ kind: 'table', title, needsTitle, isBeside, write: (by) => by(filled(columns, rows), rows) }];
}

const list = (title: string, texts: readonly string[]): Section[] => (texts.length === 0 ? [] : [{ kind: 'list', title, texts }]);

function withoutKey(report: Report): Section[] {
  const text = unidentifiedText(report);
  return text === undefined ? [] : [{ kind: 'text', title: 'Without a key', text }];
}
