/** What there is to say of workspaces, the record and what is ignored, a sentence each; unescaped, as in wording.ts. */
import type { Report, WorkspaceRow } from '../model.ts';
import { counted, dateOf } from './figures.ts';
import { saversText } from './savers-wording.ts';
import { limitText, markLabel, pollingText, probablyText } from './wording.ts';

const ofEach = ({ workspaces }: Report, textsOf: (row: WorkspaceRow) => readonly string[]): readonly string[] =>
  workspaces.flatMap((row) => textsOf(row).map((text) => `${row.name}: ${text}`));

/** Of workspaces with a plan whose limit they may exceed, or once exceeded, or that is not shown; who has one by contract knows it. */
export const limitRemarks = (report: Report): readonly string[] =>
  ofEach(report, ({ limit }) => {
    const hasFitted = limit.fit === 'fits' && (limit.older?.v2Calls ?? 0) <= (limit.limit?.perHour ?? 0);
    const isQuiet = limit.limit === null || limit.limit.basis === 'custom' || hasFitted;
    const text = isQuiet ? undefined : limitText(limit);
    return text === undefined ? [] : [text];
  });

/** Of workspaces of which savers would spare v2 calls, or that v2 does not serve yet. */
export const saversRemarks = (report: Report): readonly string[] =>
  ofEach(report, ({ limit: { savers } }) => {
    const text = savers === null ? undefined : saversText(savers);
    return text === undefined ? [] : [text];
  });

/** Of what is asked for again and again, although something would tell. */
export const pollingRemarks = (report: Report): readonly string[] =>
  ofEach(report, ({ polling }) => polling.filter(({ webhook }) => webhook !== null).map(pollingText));

export const ignoredRemarks = ({ ignored }: Report): readonly string[] =>
  ignored
    .filter(({ calls }) => calls > 0)
    .map(({ reason, calls, clients }) => `${counted(calls, 'call')} of ${counted(clients, 'client')}: ${reason}`);

/** Workspaces that probably go on under another key. */
export const movedRemarks = (report: Report): readonly string[] => ofEach(report, ({ probably }) => probablyText(probably));

/** Of workspaces of which somebody noted more than how things stand. */
export const markRemarks = (report: Report): readonly string[] =>
  ofEach(report, ({ mark }) => {
    if (mark?.note == null) return [];
    const when = mark.at === null ? '' : ` (noted ${dateOf(mark.at)})`;
    return [`${markLabel(mark)}${when}: ${mark.note}`];
  });

interface Origins {
  readonly unknown: readonly WorkspaceRow[];
  readonly known: readonly WorkspaceRow[];
  readonly refused: readonly WorkspaceRow[];
}

const isRefused = ({ origin, accepted }: WorkspaceRow): boolean => origin === 'unknown' && !accepted;

/** Unknown keys, which come first in every format, the workspaces that somebody named, and unknown keys of which v2 never accepted a call. */
export const byOrigin = ({ workspaces }: Report): Origins => ({
  unknown: workspaces.filter((row) => row.origin === 'unknown' && !isRefused(row)),
  known: workspaces.filter(({ origin }) => origin !== 'unknown'),
  refused: workspaces.filter(isRefused),
});
