/** What brownouts have shown: who was hit, who came back and after how long, who stayed away. */
import { hourInMs } from '../../contract/times.ts';
import { scheduleOf } from '../../rollout/brownouts.ts';
import type { Brownout } from '../../rollout/rules.ts';
import type { Range, Step } from '../../usage/model.ts';
import type { UsageReader } from '../../usage/store/store.ts';
import type { Client, Directory, Group } from '../clients.ts';
import { iso } from '../period.ts';
import type { AnnouncedBrownout, BrownoutRow, HitRow } from './model.ts';

/** More brownouts are counted, and not looked at: each is a question to the store. */
const mostRows = 30;
const mostAnnounced = 10;

interface Window extends Range {
  readonly names: readonly string[];
  readonly times: number;
  /** What the store has of it: whole hours or days, where it is long ago. */
  readonly kept: Range;
}

/** What one client called around a brownout. */
interface Hit {
  calls: number;
  /** The first call after it that was not refused. */
  back: number | undefined;
}

interface Found {
  readonly window: Window;
  readonly hits: ReadonlyMap<Client, Hit>;
}

interface Brownouts {
  readonly rows: readonly BrownoutRow[];
  readonly more: number;
}

type Reader = Pick<UsageReader, 'widen' | 'totals'>;

/**
 * Reads the brownouts of a period, the newest first. The time from each to the next is read once.
 * @param refused the time in which any call was refused; undefined where none was
 */
export async function readBrownouts(
  reader: Reader,
  { clients }: Directory,
  steps: readonly Step[],
  period: Range,
  refused: Range | undefined,
): Promise<Brownouts> {
  const { windows, more } = await windowsOf(reader, steps, period, refused);
  const found: Found[] = [];

  for (const [index, window] of windows.entries()) {
    const hits = new Map<Client, Hit>();
    const [own, earlier, later] = [new Map<Client, number>(), new Map<Client, number>(), new Map<Client, number>()];
    for await (const { caller, kind, counts: count } of reader.totals(window.kept)) {
      const client = clients.get(caller);
      if (!counts(client, kind.endpoint)) continue;
      if (kind.outcome === 'refused') hits.set(client, { calls: (hits.get(client)?.calls ?? 0) + count.calls, back: undefined });
      else {
        setLeast(earlier, client, count.first);
        // Of an hour that holds calls before and after, the last one is known.
        if (count.last >= window.until) setLeast(own, client, count.first >= window.until ? count.first : count.last);
      }
    }
    cameBack(found, earlier);
    found.push({ window, hits });
    cameBack(found, own);
    const after = { since: window.kept.until, until: windows[index + 1]?.kept.since ?? period.until };
    if (after.since >= after.until) continue;
    for await (const { caller, kind, counts: count } of reader.totals(after)) {
      const client = clients.get(caller);
      if (counts(client, kind.endpoint) && kind.outcome !== 'refused') setLeast(later, client, count.first);
    }
    cameBack(found, later);
  }
  return { rows: found.toReversed().map(({ window, hits }) => rowOf(window, hits, period)), more };
}

const counts = (client: Client | undefined, endpoint: string): client is Client =>
  client !== undefined && client.ignored.all === undefined && !client.ignored.endpoints.has(endpoint);

/** Notes the first calls after brownouts, of clients that have not been seen again before. */
function cameBack(found: readonly Found[], calls: ReadonlyMap<Client, number>): void {
  for (const { hits } of found) {
    for (const [client, at] of calls) {
      const hit = hits.get(client);
      if (hit !== undefined) hit.back ??= at;
    }
  }
}

function setLeast<Of>(of: Map<Of, number>, who: Of, at: number): void {
  of.set(who, Math.min(at, of.get(who) ?? Infinity));
}

/** The times of brownouts; those that the record does not tell apart any more are one. */
async function windowsOf(
  reader: Reader,
  steps: readonly Step[],
  period: Range,
  refused: Range | undefined,
): Promise<{ readonly windows: readonly Window[]; readonly more: number }> {
  const began = steps.filter(({ kind }) => kind === 'brownout-began');
  const times = began
    .map((step) => ({ names: [step.rule], since: beginningOf(step), until: endOf(step, steps) }))
    .filter(({ since, until }) => since < period.until && until > period.since)
    .toSorted((a, b) => a.since - b.since);
  // Rules refuse without a step.
  if (times.length === 0 && refused !== undefined) times.push({ names: [], ...refused });
  const windows: Window[] = [];
  for (const time of times.slice(-mostRows)) {
    const kept = await reader.widen({ since: time.since, until: Math.min(time.until, period.until) });
    const before = windows.at(-1);
    if (before === undefined || kept.since >= before.kept.until) windows.push({ ...time, times: 1, kept });
    else windows[windows.length - 1] = joined(before, { ...time, kept });
  }
  return { windows, more: Math.max(0, times.length - mostRows) };
}

const joined = (one: Window, other: Omit<Window, 'times'>): Window => ({
  names: [...new Set([...one.names, ...other.names])],
  times: one.times + 1,
  since: one.since,
  until: Math.max(one.until, other.until),
  kept: { since: one.kept.since, until: Math.max(one.kept.until, other.kept.until) },
});

/** A step is noted with the first call within a brownout; its id tells when that began. */
function beginningOf({ id, at }: Step): number {
  const from = Number(id.slice(id.lastIndexOf(' ') + 1));
  return Number.isInteger(from) && from > 0 && from <= at ? from : at;
}

/** A brownout without a known end was as long as this at most. */
const unknownEnd = hourInMs;

/** As it ended, was stopped, or was to end. */
function endOf(step: Step, steps: readonly Step[]): number {
  const meant = Date.parse(/\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(step.detail)?.[0] ?? '');
  const ends = steps
    .filter(({ kind, rule, at }) => (kind === 'brownout-ended' || kind === 'brownout-stopped') && rule === step.rule && at >= step.at)
    .map(({ at }) => at);
  const known = Number.isNaN(meant) ? ends : [...ends, meant];
  return known.length === 0 ? step.at + unknownEnd : Math.min(...known);
}

function rowOf({ names, times, since, until }: Window, hits: ReadonlyMap<Client, Hit>, period: Range): BrownoutRow {
  const groups = Map.groupBy(hits, ([client]) => client.key?.group);
  const hit = [...groups].map(([group, clients]) => hitRow(group, clients, { since, until }));
  return {
    name: names.join(', '),
    since: iso(since),
    until: iso(until),
    times,
    over: until <= period.until,
    calls: hit.reduce((sum, { calls }) => sum + calls, 0),
    hit: hit.toSorted((a, b) => b.calls - a.calls || (a.workspace ?? '').localeCompare(b.workspace ?? '')),
  };
}

function hitRow(group: Group | undefined, clients: readonly (readonly [Client, Hit])[], { since, until }: Range): HitRow {
  const backs = clients.flatMap(([, { back }]) => back ?? []);
  const back = backs.length === 0 ? undefined : Math.min(...backs);
  const firstSeen = group === undefined ? Math.min(...clients.map(([client]) => client.seen.first)) : group.seen.first;
  return {
    workspace: group?.name ?? null,
    origin: group?.origin ?? null,
    calls: clients.reduce((sum, [, { calls }]) => sum + calls, 0),
    clients: clients.length,
    clientsBack: backs.length,
    back: back === undefined ? null : iso(back),
    after: back === undefined ? null : Math.max(0, back - until),
    isNew: firstSeen >= since,
  };
}

/** The brownouts to come. */
export function announcedOf(
  brownouts: readonly Brownout[],
  stopped: ReadonlySet<string>,
  sunset: number,
  now: number,
): { readonly rows: readonly AnnouncedBrownout[]; readonly more: number } {
  const coming = scheduleOf(brownouts, sunset).filter(({ brownout, to }) => to > now && !stopped.has(brownout.name));
  const rows = coming.slice(0, mostAnnounced).map(({ brownout: { name, status, match, exempt }, from, to }) => ({
    name,
    since: iso(from),
    until: iso(to),
    status,
    workspaces: match.workspace ?? null,
    exempt,
  }));
  return { rows, more: Math.max(0, coming.length - mostAnnounced) };
}
