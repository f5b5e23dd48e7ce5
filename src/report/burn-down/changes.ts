/** Who left, who came back, who is new, and who only rests: workspace by workspace. */
import type { Group } from '../clients.ts';
import { iso } from '../period.ts';
import type { Recording } from '../recording.ts';
import { neededQuiet } from '../verdict.ts';
import { type Activity, callsOf, type Product, weekInMs } from './activity.ts';
import type { BurnDown, CameBack, Left, Newcomer, Resting } from './model.ts';
import { firstOf, lastOf, type Pauses } from './pauses.ts';

/** Shorter than this, no quiet is one that anybody comes back from. */
const leastAbsence = 2 * weekInMs;
/** Of a week, what must have been recorded before somebody is new in it. */
const fewestBefore = 0.95;

/** A workspace with all that calls under its keys. */
export interface Crowd {
  readonly group: Group;
  readonly products: readonly Product[];
}

export interface Grounds {
  readonly activity: Activity;
  readonly pauses: Pauses;
  readonly recording: Recording;
  readonly until: number;
  /** The longest time between two runs of any job of a workspace, in milliseconds. */
  readonly rarestJob: (group: Group) => number;
  /** Unknown keys that a workspace probably calls under now, by its name. */
  readonly probably: ReadonlyMap<string, readonly string[]>;
}

export const crowdsOf = ({ products }: Activity): readonly Crowd[] =>
  [...Map.groupBy(products, ({ group }) => group)].flatMap(([group, own]) => (group === undefined ? [] : [{ group, products: own }]));

export const isActive = ({ products }: Crowd): boolean => products.some(({ now }) => now > 0);

/** How much longer a workspace may be quiet without having left: until its last client has. */
export const restOf = ({ products }: Crowd, pauses: Pauses, until?: number): number =>
  products.reduce((longest, product) => Math.max(longest, pauses.rest(product, until)), -Infinity);

const byName = <Row extends { readonly workspace: string }>(a: Row, b: Row): number => a.workspace.localeCompare(b.workspace);

export function changesOf(crowds: readonly Crowd[], grounds: Grounds): Pick<BurnDown, 'resting' | 'left' | 'cameBack' | 'new'> {
  return {
    resting: crowds.flatMap((crowd) => resting(crowd, grounds)).toSorted((a, b) => a.until.localeCompare(b.until) || byName(a, b)),
    left: crowds.flatMap((crowd) => left(crowd, grounds)).toSorted((a, b) => b.last.localeCompare(a.last) || byName(a, b)),
    cameBack: crowds.flatMap((crowd) => cameBack(crowd, grounds)).toSorted((a, b) => b.since.localeCompare(a.since) || byName(a, b)),
    new: newcomers(crowds, grounds).toSorted((a, b) => b.first.localeCompare(a.first) || byName(a, b)),
  };
}

export const lastCall = ({ products }: Crowd): number => products.reduce((latest, product) => Math.max(latest, lastOf(product)), 0);

function resting(crowd: Crowd, { pauses, until }: Grounds): readonly Resting[] {
  const rest = restOf(crowd, pauses);
  if (isActive(crowd) || rest < 0) return [];
  return [{ workspace: crowd.group.name, last: iso(lastCall(crowd)), until: iso(until + rest) }];
}

/** A week ago it had not left: by its rhythm, it could have called again. */
function left(crowd: Crowd, { pauses, activity, probably }: Grounds): readonly Left[] {
  const { name } = crowd.group;
  if (isActive(crowd) || restOf(crowd, pauses) >= 0 || restOf(crowd, pauses, activity.weekAgo) < 0) return [];
  return [{ workspace: name, last: iso(lastCall(crowd)), probably: probably.get(name) ?? [] }];
}

function cameBack(crowd: Crowd, { activity, pauses, rarestJob }: Grounds): readonly CameBack[] {
  if (!isActive(crowd)) return [];
  const calls = callsOf(crowd.products, activity.length);
  const weekAgo = activity.indexOf(activity.weekAgo);
  const since = calls.findIndex((count, day) => day >= weekAgo && count > 0);
  let before = since - 1;
  while (before >= 0 && calls[before] === 0) before--;
  // Whoever called before all of these days has been away for all of them.
  const everBefore = crowd.products.some((product) => firstOf(product) < activity.since);
  if (since < 0 || (before < 0 && !everBefore)) return [];
  const quiet = pauses.between(before + 1, since);
  if (quiet < leastAbsence || crowd.products.some((product) => quiet <= pauses.tolerance(product, since))) return [];
  const longestPauses = crowd.products.flatMap((product) => pauses.longest(product, since) ?? []);
  const longestPause = longestPauses.length === 0 ? undefined : Math.max(...longestPauses);
  const wasSafe = quiet >= neededQuiet({ longestPause, rarestJob: rarestJob(crowd.group) });
  return [{ workspace: crowd.group.name, since: iso(activity.startOf(since)), quiet, wasSafe }];
}

/** In the first week of a record everybody is new, and a job of every week may be in its second. */
function newcomers(crowds: readonly Crowd[], { activity: { weekAgo }, recording, probably }: Grounds): readonly Newcomer[] {
  if (recording.within({ since: 0, until: weekAgo }) < fewestBefore * weekInMs) return [];
  const owners = new Map([...probably].flatMap(([owner, keys]) => keys.map((key) => [key, owner] as const)));
  return crowds.flatMap(({ group: { name }, products }) => {
    const first = Math.min(...products.map(firstOf));
    return first < weekAgo ? [] : [{ workspace: name, first: iso(first), probably: owners.get(name) ?? null }];
  });
}
