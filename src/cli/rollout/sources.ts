/** What the commands about a roll-out look at: the rules of the configuration, and what the record has. */
import { ConfigError } from '../../config/errors.ts';
import { configFileName, noStore } from '../../config/setting.ts';
import type { Settings } from '../../config/settings.ts';
import { assume } from '../../contract/assumptions.ts';
import type { RoadSource } from '../../report/road/view.ts';
import type { Rollout } from '../../rollout/rules.ts';
import { openReader } from '../../usage/store/open.ts';
import type { UsageReader } from '../../usage/store/store.ts';

/** @throws ConfigError where the configuration has none */
export function requireRollout({ rollout }: Pick<Settings<'rollout'>, 'rollout'>): Rollout {
  if (rollout !== undefined) return rollout;
  const problem = `is not in the configuration, so that every call is translated; write rules below rollout in ${configFileName}, or name the file with --config`;
  throw new ConfigError({ code: 'CONFIG_MISSING', key: 'rollout', problem });
}

/** @throws ConfigError where there is no record to note anything in */
export function requireRecord(store: string): void {
  if (store !== noStore) return;
  const problem =
    'is none, and proxies follow what the record says; give their store, or ask each by POST /rollout/… on its admin listener';
  throw new ConfigError({ code: 'CONFIG_CONFLICT', key: '--store', problem });
}

/**
 * Reads what happened, and what else the record says.
 * @param look at the record while it is open; it is not called where nothing is recorded
 * @throws StoreError
 */
export async function sourceOf<T>(
  settings: Settings<'rollout'>,
  rollout: Rollout,
  look: (reader: UsageReader, now: number) => Promise<T>,
): Promise<{ readonly source: RoadSource; readonly seen: T | undefined }> {
  const now = Date.now();
  const sunset = Date.parse(assume(settings.assumptions).sunsetAt);
  if (settings.store === noStore) return { source: { rollout, steps: [], sunset, now }, seen: undefined };
  const reader = await openReader(settings.store);
  try {
    const steps = await reader.steps();
    return { source: { rollout, steps, sunset, now }, seen: await look(reader, now) };
  } finally {
    await reader.close();
  }
}
