/** From the record to the digest: one reader, and so one state of the record, for both reports. */
import type { Moment } from '../../config/types-report.ts';
import { dayInMs } from '../../contract/times.ts';
import type { UsageReader } from '../../usage/store/store.ts';
import { buildReport, type ReportOptions } from '../build.ts';
import type { Report } from '../model.ts';
import { digestOf } from './compare.ts';
import type { Digest } from './model.ts';

/** As far as limits go back. */
const period = 30 * dayInMs;

/**
 * The report of now, and what is new in it since the midnight a week ago.
 * @throws ConfigError, StoreError as buildReport
 */
export async function buildDigest(
  reader: UsageReader,
  options: Omit<ReportOptions, 'since'>,
): Promise<{ readonly digest: Digest; readonly report: Report }> {
  const report = await buildReport(reader, { ...options, since: earlier(options.until ?? { ago: 0 }), weekFromMidnight: true });
  const weekAgo: Moment = { at: Date.parse(report.burnDown.now.since) };
  const before = await buildReport(reader, { ...options, since: earlier(weekAgo), until: weekAgo, asOfThen: true });
  return { digest: digestOf(report, before), report };
}

const earlier = (moment: Moment): Moment => ('at' in moment ? { at: moment.at - period } : { ago: moment.ago + period });
