/** `migrate-v2 usage retire`: says that a proxy is gone. */
import { ConfigError } from '../../config/errors.ts';
import type { Settings } from '../../config/settings.ts';
import { Recording, type Replica } from '../../report/recording.ts';
import { timeOf } from '../../report/text/figures.ts';
import { replicaName } from '../../report/text/wording.ts';
import { plain } from '../../text/escape.ts';
import { openEraser, openReader } from '../../usage/store/open.ts';
import { requireStore } from './erase.ts';

/**
 * Notes that proxies are gone: nobody waits any longer for what they may have served. One that records again counts again.
 * @throws ConfigError where a name is of none in the store, or of one that is recording
 * @throws StoreError
 */
export async function retireReplicas({ store, retired }: Settings<'usage'>): Promise<void> {
  if (retired.length === 0) {
    throw new ConfigError({ code: 'CONFIG_MISSING', key: 'usage retire', problem: 'needs the names of proxies, as the report shows them' });
  }
  requireStore(store);
  const now = Date.now();
  const known = await replicasOf(store, now);
  const gone = retired.map((name) => goneOne(name, known));
  const eraser = await openEraser(store);
  try {
    for (const { name } of gone) await eraser.retire({ replica: name, at: now });
  } finally {
    await eraser.close();
  }
  for (const { name, until } of gone) {
    const unknown = 'calls that it may have served since are in no record, and a verdict counts the time until now as a gap';
    console.error(`${plain(replicaName(name))} is gone. It last recorded on ${timeOf(new Date(until).toISOString())}: ${unknown}`);
  }
}

async function replicasOf(store: string, now: number): Promise<readonly Replica[]> {
  const reader = await openReader(store);
  try {
    const sessions = await reader.sessions({ since: 0, until: Number.MAX_SAFE_INTEGER });
    return new Recording({ sessions, gaps: [], retirements: await reader.retirements() }, now).replicas;
  } finally {
    await reader.close();
  }
}

function goneOne(name: string, known: readonly Replica[]): Replica {
  const fail = (problem: string): ConfigError => new ConfigError({ code: 'CONFIG_INVALID', key: `usage retire ${plain(name)}`, problem });
  const replica = known.find((each) => replicaName(each.name) === name);
  const names = known.map((each) => plain(replicaName(each.name))).join(', ');
  if (replica === undefined)
    throw fail(`no proxy of that name is in the record; there ${known.length === 1 ? 'is' : 'are'} ${names || 'none'}`);
  if (replica.state === 'recording') throw fail('it is recording right now; end it first, or give it another --replica');
  return replica;
}
