/**
 * Which replicas are there, as the store sees it. One that is not heard of may have been killed, or may be cut off from the store and live on its
 * share: while the others' contact was unbroken the store was not away, and it is taken for killed. Where theirs was broken as well, nobody can tell.
 */
import { hourInMs } from '../contract/times.ts';

/** How often a replica says that it is there, in milliseconds. */
export const beatInMs = 500;
/**
 * Where nobody was heard of for so long, the store was away. A replica lives on its share later than that, and before it nothing of the share is sent.
 */
const gap = 1_200;
/** Who has not been heard of for so long is gone. */
export const goneAfter = 10_000;
/** Nothing of who has not been heard of for so long counts any more. */
const forgottenAfter = 2 * hourInMs;

interface Sign {
  /** When it was last heard of, by the clock of the store. */
  seen: number;
  /** When the store came back since: what this replica did meanwhile is not known. */
  broken?: number;
}

export interface Fleet {
  readonly replicas: Record<string, Sign>;
  /** The latest time that the store's clock has said. */
  latest: number;
}

/** `gone`: it was killed while the store was there. `lost`: it did not come back after the store was away. */
export type Status = 'here' | 'gone' | 'lost';

export const newFleet = (): Fleet => ({ replicas: {}, latest: 0 });

/** A clock that was turned back does not bring back an hour that is over: it stands until it is as late as before. */
export const clockOf = ({ latest }: Fleet, now: number): number => (latest - now <= 2 * hourInMs ? Math.max(latest, now) : now);

const lastOf = ({ seen, broken }: Sign): number => Math.max(seen, broken ?? 0);

/**
 * Takes note that a replica is there.
 * @param breaks whether the store can be away for some of them: a file of one host is not
 */
export function beat(fleet: Fleet, id: string, now: number, breaks: boolean): void {
  const { replicas } = fleet;
  fleet.latest = now;
  const before = Math.max(-Infinity, ...Object.values(replicas).map(({ seen }) => seen));
  const isBroken = breaks && now - before > gap;
  for (const [other, sign] of Object.entries(replicas)) {
    if (now - lastOf(sign) > forgottenAfter) delete replicas[other];
    else if (isBroken && before - lastOf(sign) <= goneAfter) sign.broken = now;
  }
  replicas[id] = { seen: now };
}

export function statusOf({ replicas }: Fleet, id: string, now: number): Status {
  const sign = replicas[id];
  if (sign === undefined) return 'gone';
  if (now - lastOf(sign) <= goneAfter) return 'here';
  return sign.broken === undefined ? 'gone' : 'lost';
}

/** When the store came back without a replica that is lost. */
export const brokenAt = ({ replicas }: Fleet, id: string): number => replicas[id]?.broken ?? -Infinity;

/** Replicas that are there, one at least. */
export const countOf = (fleet: Fleet, now: number): number =>
  Math.max(1, Object.keys(fleet.replicas).filter((id) => statusOf(fleet, id, now) === 'here').length);
