/**
 * What each workspace would ask v2 by the clock hour with reuse and coalescing, and without them, once all of its calls are translated: it is
 * recorded whether or not anything is saved yet (`../usage/savings.ts`), so that one knows before a plan is bought.
 */
import { hourInMs } from '../contract/times.ts';
import { type Range, reuseTimes } from '../usage/model.ts';
import type { UsageReader } from '../usage/store/store.ts';
import type { PeakLoad, PlanLimit, SaversFit, SaverSetting } from './model.ts';
import { iso } from './period.ts';
import { smallestPlan } from './plan-limits.ts';

/** From nothing to the most; the first one is without savers. */
const settings = [{ coalescing: false, reuse: 0 }, ...reuseTimes.map((reuse) => ({ coalescing: true, reuse }))] as const;

interface WorstHour {
  readonly hour: number;
  readonly v2Calls: number;
  readonly untranslated: number;
}

/** The worst hours of keys that share a limit, one for each setting; hours come in order. */
export class SaversMeter {
  /** The first hour of which anything is known. */
  since: number | undefined;
  readonly #worst: (WorstHour | undefined)[] = settings.map(() => undefined);
  #hour = -1;
  #untranslated = 0;
  readonly #calls = settings.map(() => 0);

  add(hour: number, asked: number, untranslated: number, saved: readonly number[]): void {
    if (hour !== this.#hour) {
      this.end();
      this.since ??= hour;
      this.#hour = hour;
    }
    this.#untranslated += untranslated;
    for (const index of settings.keys())
      this.#calls[index] = (this.#calls[index] ?? 0) + asked - (index === 0 ? 0 : (saved[index - 1] ?? 0));
  }

  /** Takes in the hour that is over. */
  end(): void {
    for (const [index, v2Calls] of this.#calls.entries()) {
      if (v2Calls > (this.#worst[index]?.v2Calls ?? 0))
        this.#worst[index] = { hour: this.#hour, v2Calls, untranslated: this.#untranslated };
      this.#calls[index] = 0;
    }
    this.#untranslated = 0;
  }

  get worst(): readonly (WorstHour | undefined)[] {
    return this.#worst;
  }
}

/**
 * Reads what savers would save of all keys.
 * @param groups no key is in two of them; keys that are in none do not matter
 */
export async function readSavers<Group extends { readonly keys: readonly { readonly hash: string }[] }>(
  reader: Pick<UsageReader, 'savings'>,
  range: Range,
  groups: readonly Group[],
): Promise<ReadonlyMap<Group, SaversMeter>> {
  const meters = new Map(groups.map((group) => [group, new SaversMeter()]));
  const byKey = new Map([...meters].flatMap(([{ keys }, meter]) => keys.map(({ hash }) => [hash, meter] as const)));
  for await (const some of reader.savings(range))
    for (const { keyHash, hour, asked, untranslated, saved } of some) byKey.get(keyHash)?.add(hour, asked, untranslated, saved);
  for (const meter of meters.values()) meter.end();
  return meters;
}

/**
 * What the savers mean for a workspace.
 * @param own the limit of its plan, null without one
 * @returns null where nothing is known of them
 */
export function saversFit(meter: SaversMeter | undefined, own: PlanLimit | null, limits: readonly PlanLimit[]): SaversFit | null {
  const without = meter?.worst[0];
  if (meter?.since === undefined || without === undefined) return null;
  const compared = own ?? limits.find(({ perHour }) => perHour !== null) ?? null;
  const limit = compared?.perHour == null ? null : { plan: compared.plan, perHour: compared.perHour };
  const rows = settings.map((setting, index): SaverSetting => ({ ...setting, clockHour: peakOf(meter.worst[index]) }));
  const needed = limit === null ? undefined : rows.find(({ clockHour }) => (clockHour?.v2Calls ?? 0) <= limit.perHour);
  return {
    since: iso(meter.since * hourInMs),
    limit,
    untranslated: without.untranslated,
    settings: rows,
    needed: needed === undefined ? null : { coalescing: needed.coalescing, reuse: needed.reuse },
    smallestPlan: smallestPlan(limits, rows.at(-1)?.clockHour?.v2Calls ?? 0, own?.plan).plan,
  };
}

const peakOf = (worst: WorstHour | undefined): PeakLoad | null =>
  worst === undefined ? null : { since: iso(worst.hour * hourInMs), until: iso((worst.hour + 1) * hourInMs), v2Calls: worst.v2Calls };
