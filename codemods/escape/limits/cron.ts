/** How often a schedule runs: of cron, with or without seconds before the minutes, or as AWS and Firebase write them. */
import { hourInMs, minuteInMs } from '../../../src/contract/times.ts';

const field = /^(?:\*|\d+(?:-\d+)?)(?:\/\d+)?$/;

/** @returns the runs of an hour in which it runs at all; 0 for what is no schedule, or one by a name such as `@daily` */
export function runsPerHour(schedule: string): number {
  const [, count = '1', unit] = /^(?:rate\(|every\s+)(\d+\s+)?(second|min|minute)s?\)?$/i.exec(schedule.trim()) ?? [];
  if (unit !== undefined) return hourInMs / (/^s/i.test(unit) ? 1000 : minuteInMs) / Number(count);
  // AWS has the year behind the days, and no seconds.
  const [, inAws] = /^cron\((.*)\s\S+\)$/.exec(schedule.trim()) ?? [];
  const fields = (inAws ?? schedule).trim().split(/\s+/);
  const [minutes = '', seconds = '0'] = fields.slice(0, fields.length - 4).toReversed();
  const isSchedule =
    (fields.length === 5 || fields.length === 6) && [minutes, seconds].every((each) => each.split(',').every((part) => field.test(part)));
  return isSchedule ? timesIn(minutes) * timesIn(seconds) : 0;
}

/** Of sixty: `*`, `*` and every fifth, `10-20`, `5` and every tenth from there, and lists of these. */
function timesIn(list: string): number {
  const found = new Set<number>();
  for (const part of list.split(',')) {
    const [range = '', step] = part.split('/');
    const [from = 0, to = step === undefined ? from : 59] = range === '*' ? [0, 59] : range.split('-').map(Number);
    for (let at = from; at <= to && at < 60; at += Number(step ?? 1) || 60) found.add(at);
  }
  return found.size;
}
