import type { Gap, Range } from '../usage/model.ts';
import type { Coverage, GapRow } from './model.ts';
import { iso } from './period.ts';
import type { Recording } from './recording.ts';

/** Less of a period than this tells nothing of how it compares with another. */
export const comparedShare = 0.95;
/** What a verdict needs: in two weeks not more than 100 minutes are missing. */
export const neededShare = 0.995;
/** A record that is restarted all the time has gaps without end; the longest are told one by one. */
const mostGaps = 50;

/** What of a period was recorded, and why the rest was not. */
export function coverageOf(recording: Recording, gaps: readonly Gap[], range: Range): Coverage {
  const begun = recording.since;
  const lost = gaps.filter(({ since, until }) => since < range.until && until > range.since);
  const rows = recording.holes(range).map((hole): GapRow => {
    const meets = ({ since, until }: Range): boolean => since < hole.until && until > hole.since;
    const within = lost.filter(meets);
    const before = begun === undefined || hole.until <= begun;
    return {
      since: iso(hole.since),
      until: iso(hole.until),
      reason: before
        ? 'before'
        : within.length > 0
          ? 'lost'
          : recording.wrongTimes.some(meets)
            ? 'clock'
            : recording.silences.some(meets)
              ? 'silent'
              : 'absent',
      calls: sum(within.map(({ calls }) => calls)),
      duration: hole.until - hole.since,
    };
  });
  const longest = rows.toSorted((a, b) => b.duration - a.duration || b.calls - a.calls);
  const more = longest.slice(mostGaps);
  return {
    share: recording.share(range),
    recordedSince: begun === undefined ? null : iso(begun),
    recordedUntil: recording.until === undefined ? null : iso(recording.until),
    gaps: longest.slice(0, mostGaps).toSorted((a, b) => a.since.localeCompare(b.since)),
    more: { gaps: more.length, duration: sum(more.map(({ duration }) => duration)) },
    lostCalls: sum(lost.map(({ calls }) => calls)),
    compared: comparedShare,
    needed: neededShare,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
