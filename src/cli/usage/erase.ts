/** `migrate-v2 usage erase`: forgets one key. */
import { ConfigError } from '../../config/errors.ts';
import { noStore } from '../../config/setting.ts';
import type { Settings } from '../../config/settings.ts';
import { counted } from '../../report/text/figures.ts';
import { plain } from '../../text/escape.ts';
import { keyFingerprinter } from '../../usage/key-fingerprint.ts';
import { openEraser, openReader } from '../../usage/store/open.ts';
import { everything } from '../../usage/store/plan.ts';
import { hashMark } from '../../usage/workspaces.ts';
import { exitCodes } from '../exit-codes.ts';
import { hasTerminal, openTerminal } from '../terminal.ts';

/**
 * Forgets everything recorded of a key, once a person has said yes.
 * @throws ConfigError where there is no key, no store, or nobody to ask
 * @throws StoreError
 */
export async function eraseKey({ store, key, yes, hashSecret }: Settings<'usage'>): Promise<void> {
  if (key === undefined) {
    throw new ConfigError({ code: 'CONFIG_MISSING', key: '--key', problem: 'is required; give hash: and the hash that the report shows' });
  }
  requireStore(store);
  const known = await lookUp(store, key, hashSecret);
  if (known.callers === 0) {
    console.error(`Nothing is recorded of hash:${known.hash}`);
    return;
  }
  if (!yes && !(await isConfirmed(known))) {
    console.error('Nothing was forgotten');
    process.exitCode = exitCodes.remaining.code;
    return;
  }
  const eraser = await openEraser(store);
  try {
    const { callers, calls } = await eraser.erase(known.hash);
    const kept = calls === 0 ? '' : '. Until when somebody called stays, without whom: erasing makes no report say SAFE';
    const logged = known.isLogged
      ? '. Logs in which it stands tell of it again if they are imported under another --source or with --anew'
      : '';
    console.error(`Forgot ${counted(calls, 'call')} of ${counted(callers, 'client')}${kept}${logged}`);
  } finally {
    await eraser.close();
  }
}

/** @throws ConfigError where there is none */
export function requireStore(store: string): void {
  if (store === noStore)
    throw new ConfigError({ code: 'CONFIG_CONFLICT', key: '--store', problem: 'is none; give the store of the proxy' });
}

interface Known {
  readonly hash: string;
  readonly prefix: string;
  readonly callers: number;
  readonly isLogged: boolean;
}

/** What the store knows of a key. */
async function lookUp(store: string, key: string, hashSecret: string | undefined): Promise<Known> {
  const reader = await openReader(store);
  try {
    const isHash = key.startsWith(hashMark);
    const hash = isHash ? key.slice(hashMark.length) : keyFingerprinter(hashSecret ?? reader.hashSecret)(key).hash;
    const recorded = (await reader.callers()).filter(({ keyHash }) => keyHash === hash);
    // Of one client, logs tell the networks apart, and sources too.
    const logged = (await reader.logUses(everything)).map(({ caller }) => caller).filter(({ keyHash }) => keyHash === hash);
    const callers = [...recorded, ...new Map(logged.map((caller) => [JSON.stringify(caller), caller])).values()];
    return { hash, prefix: callers[0]?.keyPrefix ?? '', callers: callers.length, isLogged: logged.length > 0 };
  } finally {
    await reader.close();
  }
}

async function isConfirmed({ hash, prefix, callers }: Known): Promise<boolean> {
  const what = `all that is recorded of the key ${plain(prefix)}… (hash:${hash}, ${counted(callers, 'client')})`;
  if (!hasTerminal()) {
    const problem = `is needed to forget ${what}, as this is no terminal to ask in; it cannot be undone`;
    throw new ConfigError({ code: 'CONFIG_MISSING', key: '--yes', problem });
  }
  const terminal = await openTerminal();
  return (await terminal.confirm(`Forget ${what}? It cannot be undone`, false)) === true;
}
