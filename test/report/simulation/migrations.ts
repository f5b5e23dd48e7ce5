/**
 * Random migrations: workspaces with jobs of every day, of weekdays, weeks and months call v1 until they stop, in one of three ways. Some come
 * back, and some records have a gap.
 */
import { dayInMs } from '../../../src/contract/times.ts';
import { Activity } from '../../../src/report/burn-down/activity.ts';
import { type Client, Group, Sighting } from '../../../src/report/clients.ts';
import { Recording } from '../../../src/report/recording.ts';
import { Tally, Uses } from '../../../src/report/tally.ts';

/** `decay`: the calls of each decline until none is left; `steps`: they stop one by one, from one day to the next; `rush`: most do so at the deadline. */
export const migrationKinds = ['decay', 'steps', 'rush'] as const;
export type MigrationKind = (typeof migrationKinds)[number];

export interface Migration {
  /** Calls of each workspace, by the days since the record began; none of a gap is recorded. */
  readonly workspaces: readonly Float64Array[];
  /** From one day up to, and without, another one. */
  readonly gap: readonly [from: number, to: number] | undefined;
}

/** The record begins on this day, and v1 is to be switched off so many days later; nobody calls for longer than the last number says. */
export const recordBegins = Date.UTC(2026, 6, 1);
export const sunsetDay = 183;
const longest = 600;

interface Dice {
  readonly random: () => number;
  readonly between: (from: number, to: number) => number;
  readonly chance: (share: number) => boolean;
  /** Of a Poisson distribution. */
  readonly count: (mean: number) => number;
  readonly exponential: (mean: number) => number;
  readonly normal: () => number;
}

function diceOf(random: () => number): Dice {
  const between = (from: number, to: number): number => from + random() * (to - from);
  const exponential = (mean: number): number => -mean * Math.log(1 - random());
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const count = (mean: number): number => {
    if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
    let [product, n] = [random(), 0];
    for (const limit = Math.exp(-mean); product > limit; n++) product *= random();
    return n;
  };
  return { random, between, chance: (share) => random() < share, count, exponential, normal };
}

export function randomMigration(kind: MigrationKind, size: number, random: () => number): Migration {
  const dice = diceOf(random);
  // How fast this migration is, as a whole.
  const pace = stoppingOf(kind, dice);
  const gap = dice.chance(0.3) ? gapOf(dice) : undefined;
  return { workspaces: Array.from({ length: size }, () => workspaceOf(pace(), dice, gap)), gap };
}

const gapOf = ({ between }: Dice): readonly [number, number] => {
  const from = Math.floor(between(60, sunsetDay - 10));
  return [from, from + Math.floor(between(2, 7))];
};

/** What is left of a workspace's calls on a day: 1 is all of them. */
type Share = (day: number) => number;

function stoppingOf(kind: MigrationKind, { between, chance, exponential, normal }: Dice): () => Share {
  const until =
    (end: number): Share =>
    (day) =>
      day < end ? 1 : 0;
  switch (kind) {
    case 'decay': {
      const [begin, halfLife] = [between(30, 90), between(6, 14)];
      return () => {
        const [since, half] = [begin + between(0, 40), halfLife * Math.exp(0.3 * normal())];
        return (day) => (day < since ? 1 : 2 ** ((since - day) / half));
      };
    }
    case 'steps': {
      const [begin, mean] = [between(30, 90), between(20, 60)];
      return () => until(begin + exponential(mean));
    }
    case 'rush': {
      const [early, mean] = [between(0.1, 0.4), between(4, 9)];
      return () => until(chance(early) ? between(40, sunsetDay) : sunsetDay + (chance(0.07) ? between(0, 5) : -exponential(mean)));
    }
  }
}

/** Days of the week that have their own share of the calls; day 0 is a Wednesday. */
const isWeekend = (day: number): boolean => (day + 2) % 7 >= 5;

/** Whether a job runs on a day. */
function rhythmOf({ random, between, chance }: Dice): (day: number) => boolean {
  const kind = random();
  const phase = Math.floor(between(0, 31));
  if (kind < 0.4) return () => true;
  if (kind < 0.7) return (day) => !isWeekend(day);
  if (kind < 0.75) return () => chance(0.5);
  if (kind < 0.93) return (day) => day % 7 === phase % 7;
  return (day) => new Date(recordBegins + day * dayInMs).getUTCDate() === Math.min(28, phase + 1);
}

function workspaceOf(share: Share, dice: Dice, gap: Migration['gap']): Float64Array {
  const runs = rhythmOf(dice);
  const level = Math.exp(dice.between(Math.log(5), Math.log(2_000)));
  const calls = Float64Array.from({ length: longest }, (_, day) => (runs(day) ? dice.count(level * share(day)) : 0));
  if (dice.chance(0.08)) comeBack(calls, dice);
  if (gap !== undefined) calls.fill(0, ...gap);
  return calls;
}

/** Somebody starts an old job once more. */
function comeBack(calls: Float64Array, { between }: Dice): void {
  const from = lastDay(calls) + Math.floor(between(10, 40));
  for (let day = from; day < Math.min(from + between(1, 8), longest); day++) calls[day] = 3;
}

/** The day of the last call; -1 without one. */
const lastDay = (calls: Float64Array): number => calls.findLastIndex((count) => count > 0);

/** What comes of it: the day on which the last workspace stops, and how many have not at the sunset. */
export const outcomeOf = ({ workspaces }: Migration) => ({
  end: Math.max(...workspaces.map(lastDay)),
  late: workspaces.filter((calls) => lastDay(calls) >= sunsetDay).length,
});

/** What the record knows of it on a day, in the morning. */
export function recordOf({ workspaces, gap }: Migration, today: number): { activity: Activity; recording: Recording; until: number } {
  const at = (day: number): number => recordBegins + day * dayInMs;
  const until = at(today);
  const activity = new Activity(until);
  for (const [number, calls] of workspaces.entries()) {
    const client = clientOf(number);
    for (let day = 0; day < today; day++) {
      const of = calls[day] ?? 0;
      if (of === 0) continue;
      const [first, last] = [at(day) + 8 * 3_600_000, at(day) + 16 * 3_600_000];
      client.seen.add({ first, last });
      activity.add({ caller: number, start: at(day), calls: of, v2Calls: of, first, last }, client);
    }
  }
  const spans =
    gap === undefined || gap[0] >= today ? [[0, today] as const] : [[0, gap[0]] as const, [Math.min(gap[1], today), today] as const];
  const sessions = spans.map(([from, to]) => ({ writer: 'w', replica: 'r', since: at(from), seen: at(to), ended: true, behind: 0 }));
  return { activity, recording: new Recording({ sessions, gaps: [] }, until), until };
}

function clientOf(number: number): Client {
  const group = new Group(`W${number}`, 'labelled');
  const key = { hash: String(number), prefix: 'key', group, tally: new Tally(), seen: new Sighting(), clients: [] };
  const caller = { id: number, keyHash: key.hash, keyPrefix: key.prefix, workspace: group.name, client: 'app', name: null };
  const known = {
    caller,
    product: 'app',
    key,
    ignored: { all: undefined, endpoints: new Map() },
    accepted: true,
    sources: [],
    callers: 1,
    versions: [],
  };
  return { ...known, tally: new Tally(), uses: new Uses(), seen: new Sighting(), longestPause: undefined };
}
