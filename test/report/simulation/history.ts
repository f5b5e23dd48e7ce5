/**
 * A random history of callers and proxies, and what a store knows of it. Proxies come and go, are killed, are cut off from the store while they
 * serve on, and their clocks are wrong; callers call every few hours to every hundred days, stop or go on.
 */
import { dayInMs, hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import type { Gap, Session } from '../../../src/usage/model.ts';
import type { MemoryRecord, RecordedCall } from './memory-reader.ts';

export interface History {
  readonly record: MemoryRecord;
  /** When the report is made. */
  readonly now: number;
  readonly rarestJob: number;
  /** Names of the proxies that the configuration expects. */
  readonly replicas: readonly string[];
  /** Whether somebody calls after the report whom the criteria cover. */
  readonly goesOn: boolean;
}

/** When one proxy ran, in true time, and what became of what it recorded. */
interface Life {
  readonly replica: string;
  readonly since: number;
  readonly until: number;
  /** From when on it could not reach the store any more, though it served; Infinity where it always did. */
  readonly cutAt: number;
  /** Whether what it served while it was cut off is known to be lost, as it told before its end. */
  readonly toldLoss: boolean;
  readonly killed: boolean;
  /** How far its clock was behind. */
  readonly behind: number;
}

interface Caller {
  readonly number: number;
  readonly calls: readonly number[];
}

/** As long as clients try again that are refused a connection. */
const retries = minuteInMs;

/** @param random gives a number from 0 up to, and without, 1 */
export function randomHistory(random: () => number): History {
  const dice: Dice = {
    random,
    between: (from, to) => from + random() * (to - from),
    pick: (items) => items[Math.floor(random() * items.length)] ?? items[0],
    chance: (share) => random() < share,
  };
  const rarestJob = dice.pick([7, 14, 31]) * dayInMs;
  const begin = Date.UTC(2026, 0, 5);
  const now = begin + Math.floor(dice.between(20, 220)) * dayInMs + Math.floor(dice.between(0, dayInMs));
  const callers = Array.from({ length: dice.pick([1, 1, 2, 3]) }, (_, number) => callerOf(number, begin, now, rarestJob, dice));
  const lives = livesOf(begin, now, callers, dice);
  const record = recordOf(lives, callers, now, random);
  const seen = new Set(record.calls.map(({ caller }) => caller));
  // Nobody can know of a caller that begins later than now, or whose first calls of all met a gap.
  const covered = callers.filter(
    ({ number, calls }) =>
      calls.every((at, index) => at - (calls[index - 1] ?? at) <= rarestJob) &&
      (seen.has(number) || (calls[0] ?? Infinity) <= begin + rarestJob),
  );
  const recording = new Set(record.sessions.map(({ replica }) => replica));
  const serving = new Set(lives.map(({ replica }) => replica));
  return {
    record,
    now,
    rarestJob,
    // Whoever runs a proxy that never reached the store has to name it: nobody else can know of it.
    replicas: recording.size < serving.size || dice.chance(0.3) ? [...serving] : [],
    goesOn: covered.some(({ calls }) => calls.some((at) => at > now)),
  };
}

interface Dice {
  readonly random: () => number;
  readonly between: (from: number, to: number) => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
  readonly chance: (share: number) => boolean;
}

/** Calls in true time, up to a hundred days from now. Half of the callers are as rare as the criteria just cover. */
function callerOf(number: number, begin: number, now: number, rarestJob: number, { between, pick, chance, random }: Dice): Caller {
  const rare = rarestJob * between(0.6, 1);
  const every = pick([rare, rare, rare, 6 * hourInMs, dayInMs, 7 * dayInMs, 30 * dayInMs, 100 * dayInMs]);
  const jitter = every === rare ? 0 : pick([0, 0.02, 0.3]);
  // Jobs at night meet what is done at night.
  const start = chance(0.3) ? begin + Math.floor(between(0, 60)) * dayInMs + 3 * hourInMs : between(begin, begin + 60 * dayInMs);
  const end = chance(0.4) ? between(start, now) : now + 100 * dayInMs;
  const calls: number[] = [];
  for (let at = start; at <= end; at += every * (1 + jitter * (random() - 0.5))) calls.push(Math.floor(at));
  return { number, calls };
}

/** What goes wrong in a history: mostly nothing, or one thing again and again. */
type Trouble = 'none' | 'cut' | 'kill' | 'absence' | 'clock' | 'never' | 'restart';

function livesOf(begin: number, now: number, callers: readonly Caller[], dice: Dice): Life[] {
  const { between, pick, chance } = dice;
  const lives: Life[] = [];
  const trouble = pick<Trouble>(['none', 'cut', 'cut', 'kill', 'absence', 'absence', 'clock', 'never', 'restart']);
  const replicas = trouble === 'clock' ? 2 : pick([1, 1, 2, 3]);
  for (let index = 0; index < replicas; index++) {
    let at = begin;
    while (at < now) {
      const until = troubleTime(at, now, callers, dice);
      const neverReaches = trouble === 'never' && index > 0;
      const isCut = neverReaches || (trouble === 'cut' && chance(0.7));
      lives.push({
        replica: `proxy-${index}`,
        since: at,
        until: isCut ? until + between(hourInMs, 20 * dayInMs) : until,
        cutAt: neverReaches ? at : isCut ? until : Infinity,
        toldLoss: isCut && !neverReaches && chance(0.2),
        killed: (isCut || trouble === 'kill') && chance(0.7),
        behind:
          trouble === 'clock'
            ? pick([0, 0, minuteInMs * 0.9, -minuteInMs * 0.9, 15 * dayInMs, 40 * dayInMs, -15 * dayInMs, -60 * dayInMs])
            : 0,
      });
      const over = lives.at(-1)?.until ?? until;
      if (replicas > 1 && chance(0.1)) break;
      at = over + (trouble === 'absence' && chance(0.7) ? between(minuteInMs, 2 * hourInMs) : between(0, 50_000));
    }
  }
  return lives;
}

/** When something happens to a proxy: often just when somebody calls, as both happen at night. */
function troubleTime(at: number, now: number, callers: readonly Caller[], { between, pick, chance }: Dice): number {
  const any = at + between(2 * dayInMs, 90 * dayInMs);
  const calls = callers.flatMap((caller) => caller.calls).filter((call) => call > at + hourInMs && call < now);
  const [first, ...rest] = calls;
  return first !== undefined && chance(0.6) ? pick([first, ...rest]) - between(0, 10 * minuteInMs) : any;
}

/** What the store knows, as proxies wrote it. */
function recordOf(lives: readonly Life[], callers: readonly Caller[], now: number, random: () => number): MemoryRecord {
  const sessions: Session[] = [];
  const gaps: Gap[] = [];
  // In the order in which they were begun: a store knows the time from those before.
  for (const [index, life] of lives.toSorted((a, b) => a.since - b.since).entries()) {
    const { replica, since, behind } = life;
    if (life.cutAt <= since || since >= now) continue;
    const writer = String(index);
    const known = sessions.reduce((latest, session) => Math.max(latest, Math.min(session.seen, since - session.behind)), 0);
    const end = Math.min(life.until, now);
    const ended = end === life.until && !life.killed && (life.cutAt >= end || life.toldLoss);
    const seen = life.toldLoss && end === life.until ? end : Math.min(end, life.cutAt);
    const told = { since: since - behind, seen: Math.max(seen, since) - behind };
    sessions.push({ writer, replica, ...told, ended, behind: Math.max(0, known - told.since) });
    if (life.toldLoss && end === life.until && life.cutAt < end) {
      const lost = callers.reduce((sum, { calls }) => sum + calls.filter((at) => at >= life.cutAt && at < end).length, 0);
      gaps.push({ writer, since: life.cutAt - behind, until: end - behind, calls: lost });
    }
  }
  return { calls: callers.flatMap((caller) => recordedOf(caller, lives, now, random)), sessions, gaps };
}

/** The calls of a caller that are in the record: each goes to one of the proxies that run, and is tried again for a while where none does. */
function recordedOf({ number, calls }: Caller, lives: readonly Life[], now: number, random: () => number): readonly RecordedCall[] {
  return calls.flatMap((wanted) => {
    const running = lives.filter(({ since, until }) => since <= wanted + retries && until > wanted);
    const life = running[Math.floor(random() * running.length)];
    if (life === undefined) return [];
    const at = Math.max(wanted, life.since);
    return at >= now || at >= life.cutAt ? [] : [{ caller: number, at: at - life.behind }];
  });
}
