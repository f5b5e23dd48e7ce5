/** The record of v1 calls that the proxy keeps: where, for how long, and who is told apart in it. */
import { dayInMs } from '../contract/times.ts';
import { noStore, type Setting } from './setting.ts';
import { label } from './types-report.ts';
import { count, fieldName, period, secret } from './types.ts';

const proxy = ['proxy'] as const;
const recording = ['proxy', 'report', 'usage', 'rollout'] as const;

export const recordSettings = [
  {
    name: 'store',
    commands: recording,
    type: secret,
    refers: 'store',
    default: 'migrate-v2.usage.db',
    description: `Where the record of v1 calls is kept: a file, postgres://…, env:NAME or file:PATH that holds one of them, or ${noStore}`,
  },
  {
    name: 'replica',
    commands: proxy,
    type: label,
    otherwise: 'name of the machine and port',
    description: 'The name of this proxy in the record: the same after each of its starts, and no other proxy has it',
  },
  {
    name: 'retention',
    commands: proxy,
    type: period.refine((kept) => kept >= 28 * dayInMs, {
      error: 'is too short: a verdict takes 14 days, or twice the longest pause of a client; give 28d or more',
    }),
    default: '400d',
    description:
      'How long the record is kept: by the minute for two days, by the hour for five weeks, then by the day; 28d at least, and no verdict is SAFE with less than twice the rarest job',
  },
  {
    name: 'clientHeader',
    commands: proxy,
    type: fieldName,
    otherwise: 'clients are told apart by key and User-Agent',
    description: 'Request header that tells clients apart as well; values that read like names appear in the report, others as hashes',
  },
  {
    name: 'adminToken',
    commands: proxy,
    only: 'command',
    type: secret,
    refers: 'secret',
    otherwise: 'open to whoever reaches it',
    description: 'Token for /metrics and the pages about usage and roll-out: a value, env:NAME or file:PATH',
  },
  {
    name: 'metricsClients',
    commands: proxy,
    only: 'command',
    type: count,
    default: 0,
    description: 'Clients that /metrics names, the busiest first; all others are counted as _other',
  },
] as const satisfies readonly Setting[];
