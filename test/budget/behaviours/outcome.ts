/** What came of a day: counted hour by hour, and held against the best that any order of the same calls could have given. */
import { v2RequestsPerHour } from '../../../src/contract/limits.ts';
import type { Plan } from '../../../src/contract/plans.ts';
import type { Call } from './behaviour.ts';

/** Any write; one that its client makes again, as it was told to, is still the same. Hours are counted from the first. */
export interface Send {
  /** The hour, and the instant, in which its client first wanted to make it. */
  readonly wanted: number;
  readonly since: number;
  readonly comesBack: boolean;
  /** The hours of its refusals. */
  readonly refused: number[];
  /** When v2 took it, and after how many milliseconds. */
  taken?: { readonly hour: number; readonly after: number };
}

export interface Read {
  readonly hour: number;
  /** Method and path, without ids. */
  readonly about: string;
  /** Held back by its client, who had been told to wait. */
  readonly became: 'answered' | 'refused' | 'held back';
  /** For how many milliseconds what it showed was no longer so. */
  readonly age: number;
}

export interface Counted {
  /** Answers of v2 in an hour: those that count towards its limit, and its 429s. */
  counted: number;
  refused: number;
}

/** What came of a clock hour. */
export interface Hour {
  /** Sends that waited, or were new in it. */
  readonly sends: number;
  readonly sendsTaken: number;
  readonly sendsRefused: number;
  readonly reads: number;
  readonly readsRefused: number;
  readonly readsHeldBack: number;
  /** Calls of v2's limit, and 429s of v2 itself. */
  readonly used: number;
  readonly refusedByV2: number;
  /**
   * Sends that v2 did not take, though that hour of v2 had room for them had there been no reads: 0 is what one who knows all calls that will come
   * can reach in every hour, and less nobody can.
   */
  readonly needless: number;
}

export interface Outcome {
  readonly limit: number;
  readonly hours: readonly Hour[];
  readonly sends: readonly Send[];
  readonly reads: readonly Read[];
  /** Calls that were refused at the very time at which their client had been told to come again. */
  readonly toldTooEarly: readonly Call[];
  /** Lists that did not show a message which had been sent before. */
  readonly forgetful: readonly Call[];
}

export interface Noted extends Pick<Outcome, 'sends' | 'reads' | 'toldTooEarly' | 'forgetful'> {
  readonly v2: readonly Counted[];
}

export function tally(plan: Plan, hours: number, noted: Noted): Outcome {
  const { sends, reads, toldTooEarly, forgetful } = noted;
  const limit = new Map<string, number | undefined>(Object.entries(v2RequestsPerHour)).get(plan);
  if (limit === undefined) throw new Error(`the limit of ${plan} is not known`);
  return { limit, hours: Array.from({ length: hours }, (_, hour) => tallyHour(hour, limit, noted)), sends, reads, toldTooEarly, forgetful };
}

function tallyHour(hour: number, limit: number, { sends, reads, v2 }: Noted): Hour {
  const ofHour = sends.filter((send) => send.wanted <= hour && hour <= lastHour(send)).length;
  const sendsTaken = sends.filter(({ taken }) => taken?.hour === hour).length;
  const readsOfHour = reads.filter((read) => read.hour === hour);
  return {
    sends: ofHour,
    sendsTaken,
    sendsRefused: sends.reduce((sum, { refused }) => sum + refused.filter((each) => each === hour).length, 0),
    reads: readsOfHour.length,
    readsRefused: readsOfHour.filter(({ became }) => became === 'refused').length,
    readsHeldBack: readsOfHour.filter(({ became }) => became === 'held back').length,
    used: v2[hour]?.counted ?? 0,
    refusedByV2: v2[hour]?.refused ?? 0,
    needless: Math.min(limit, ofHour) - sendsTaken,
  };
}

/** The last hour in which somebody still wanted it to be taken. */
const lastHour = ({ wanted, taken, comesBack }: Send): number => taken?.hour ?? (comesBack ? Infinity : wanted);

/** The longest time, in milliseconds, for which what an answer showed was no longer so, by method and path. */
export function oldestAnswers({ reads }: Outcome): Record<string, number> {
  const oldest: Record<string, number> = {};
  for (const { about, age, became } of reads) if (became === 'answered') oldest[about] = Math.max(oldest[about] ?? 0, age);
  return oldest;
}
