/** The proxy's record of v1 calls: its store, and what is said of it. */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { ConfigError } from '../config/errors.ts';
import { noStore, type Settings } from '../config/settings.ts';
import { StoreError, type StoreErrorCode } from '../usage/store/error.ts';
import type { RecordState, UsageRecorder } from '../usage/usage-recorder.ts';

type RecordSettings = Pick<Settings<'proxy'>, 'store' | 'retention' | 'hashSecret'>;

export interface OpenRecord {
  /** Undefined where nothing is to be recorded. */
  readonly usage: UsageRecorder | undefined;
  /** Secret of the hashes under which keys appear in log and record. */
  readonly hashSecret: string;
  /** Writes what is left; what cannot be written is told in the log. */
  close(): Promise<void>;
}

/** What passes, or what somebody mends while the proxy serves. */
const passing: ReadonlySet<StoreErrorCode> = new Set(['STORE_LOCKED', 'STORE_FULL', 'STORE_UNAVAILABLE']);

/**
 * Opens the store and begins to record.
 * @throws ConfigError where the store cannot be used. A proxy whose secret is configured serves without it, and tries again: without a
 * secret of its own, it would make other hashes of the same keys than those in the store.
 */
export async function openRecord({ store, retention, hashSecret }: RecordSettings, logger: Logger): Promise<OpenRecord> {
  const ownSecret = hashSecret ?? randomBytes(32).toString('base64url');
  if (store === noStore) return { usage: undefined, hashSecret: ownSecret, close: async () => undefined };
  const [{ openWriter }, { ReopeningWriter }, { UsageRecorder }] = await Promise.all([
    import('../usage/store/open.ts'),
    import('../usage/store/reopening.ts'),
    import('../usage/usage-recorder.ts'),
  ]);
  const first = await openWriter(store).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
    if (hashSecret !== undefined && passing.has(error.code)) return undefined;
    throw new ConfigError({
      code: 'CONFIG_INVALID',
      key: '--store',
      problem: `${error.message}; or give --store ${noStore} to serve without a record`,
      cause: error,
    });
  });
  const secret = hashSecret ?? first?.hashSecret ?? ownSecret;
  const usage = new UsageRecorder({
    // Should the store be begun anew, a report finds keys by the hashes that this process goes on making; a secret of the user's is kept nowhere.
    writer: new ReopeningWriter(() => openWriter(store, hashSecret === undefined ? secret : undefined), first, secret),
    keepDays: retention,
    onState: (state) => tell(logger, state),
  });
  const close = async (): Promise<void> => {
    const lost = await usage.close();
    if (lost > 0) logger.error({ event: 'usage_lost', lost }, `The store did not take the record of the last ${lost} calls before the end`);
  };
  return { usage, hashSecret: secret, close };
}

function tell(logger: Logger, { failing, lost, backlog }: RecordState): void {
  if (failing === undefined) {
    logger.info({ event: 'usage_store_works', lost }, 'The usage store takes the record again');
    return;
  }
  const { code, message } = failing;
  if (lost === 0) logger.warn({ event: 'usage_store_fails', code, backlog }, `${message}; calls are served, and their record waits`);
  else logger.error({ event: 'usage_lost', code, lost }, `${message}; the record of calls is lost from now on, and the report shows a gap`);
}
