/** `migrate-v2 rollout` and `migrate-v2 rollout explain`: what the rules say, and for whom. */
import { ConfigError } from '../../config/errors.ts';
import type { Settings } from '../../config/settings.ts';
import { renderExplanation } from '../../report/road/explain-text.ts';
import { type Asked, explain } from '../../report/road/explain.ts';
import { renderRoad } from '../../report/road/table.ts';
import { countUse, workspaceNameOf } from '../../report/road/use.ts';
import { roadViewOf } from '../../report/road/view.ts';
import { unlisted } from '../../contract/endpoints.ts';
import { json } from '../../text/escape.ts';
import { keyFingerprinter } from '../../usage/key-fingerprint.ts';
import type { UsageReader } from '../../usage/store/store.ts';
import { hashMark, workspaceOfKey } from '../../usage/workspaces.ts';
import { hasColors } from '../colors.ts';
import { toStdout } from '../output.ts';
import { stdoutWidth } from '../width.ts';
import { requireRollout, sourceOf } from './sources.ts';

/** Prints the rules, with the calls of the last day under each. */
export async function showRollout(settings: Settings<'rollout'>): Promise<void> {
  refuseQuestions(settings);
  const rollout = requireRollout(settings);
  const { workspaces, format } = settings;
  const { source, seen: counted } = await sourceOf(settings, rollout, (reader, now) =>
    countUse(reader, { rules: rollout.rules, workspaces, now }),
  );
  const view = roadViewOf({ ...source, counted });
  await print(format === 'json' ? json(view) : renderRoad(view, terminal()));
}

/** Prints which rule holds for a call, and why. */
export async function explainRollout(settings: Settings<'rollout'>): Promise<void> {
  const rollout = requireRollout(settings);
  const { endpoint, format } = settings;
  if (endpoint === undefined) {
    const problem = "is required: an endpoint of v1 such as 'GET /v1/messages/:id', or unlisted";
    throw new ConfigError({ code: 'CONFIG_MISSING', key: '--endpoint', problem });
  }
  const method = settings.method ?? /^[A-Z]+(?= )/.exec(endpoint)?.[0];
  if (method === undefined) {
    throw new ConfigError({ code: 'CONFIG_MISSING', key: '--method', problem: `is required with --endpoint ${unlisted}` });
  }
  const { source, seen } = await sourceOf(settings, rollout, async (reader) => keyOf(settings, reader));
  const key = seen ?? (await keyOf(settings, undefined));
  const explanation = explain({ ...key, endpoint, method, client: settings.client }, source);
  await print(format === 'json' ? json(explanation) : renderExplanation(explanation, terminal()));
}

type KeyFacts = Pick<Asked, 'key' | 'keyHash' | 'keyPrefix' | 'workspace' | 'isKeyInPart'>;

/** What is known of the key that is asked about; of a hash, what the record has. */
async function keyOf({ key, hashSecret, workspaces, store }: Settings<'rollout'>, reader: UsageReader | undefined): Promise<KeyFacts> {
  if (key === undefined) return { key, keyHash: undefined, keyPrefix: undefined, workspace: null, isKeyInPart: false };
  if (!key.startsWith(hashMark)) {
    const secret = hashSecret ?? reader?.hashSecret;
    if (secret === undefined) {
      const problem = `is needed for the hash of a key, as the store is ${store}; give the one of the proxies`;
      throw new ConfigError({ code: 'CONFIG_MISSING', key: '--hash-secret', problem });
    }
    const { hash, prefix } = keyFingerprinter(secret)(key);
    return { key, keyHash: hash, keyPrefix: prefix, workspace: workspaceOfKey(workspaces)(key, hash)?.name ?? null, isKeyInPart: false };
  }
  const keyHash = key.slice(hashMark.length);
  const callers = reader === undefined ? [] : (await reader.callers()).filter((caller) => caller.keyHash === keyHash);
  const caller = callers.at(-1) ?? { keyHash, keyPrefix: '', workspace: null };
  const known = caller.keyPrefix ?? '';
  return { key: known, keyHash, keyPrefix: known, workspace: workspaceNameOf(workspaces)(caller), isKeyInPart: true };
}

/** Flags that ask about one call are for `explain`. */
function refuseQuestions({ key, endpoint, method, client }: Settings<'rollout'>): void {
  const given = Object.entries({ key, endpoint, method, client }).find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw new ConfigError({ code: 'CONFIG_CONFLICT', key: `--${given[0]}`, problem: 'is for migrate-v2 rollout explain; leave it out' });
}

const terminal = (): { width: number; color: boolean } => ({ width: stdoutWidth(), color: hasColors(process.stdout) });

const print = (text: string): Promise<void> => toStdout([text]);
