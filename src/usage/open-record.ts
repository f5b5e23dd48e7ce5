/** The record of a proxy, whichever door it came through: its store, and what is said of it in the log. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { LedgerStore } from '../budget/ledger-store.ts';
import { ConfigError } from '../config/errors.ts';
import { noStore } from '../config/setting.ts';
import type { Notes } from './store/notes.ts';
import { StoreError, type StoreErrorCode } from './store/error.ts';
import { viaNameOf } from './via-name.ts';
import type { RecordState, UsageRecorder } from './usage-recorder.ts';

export interface RecordSettings {
  /** Where v1 calls are recorded: the path of a file, `postgres://…`, or `none`. */
  readonly store: string;
  /** How long the record is kept, in milliseconds. */
  readonly retention: number;
  /** Secret of the hashes under which keys appear in log and record; the store's own where it is not given. */
  readonly hashSecret?: string | undefined;
  /** The name of the proxy in the record, the same after each of its starts; that of the machine where it is not given. */
  readonly replica?: string | undefined;
  /** The clock of the calls; the machine's where it is not given. */
  readonly now?: () => number;
}

export interface OpenRecord {
  /** Undefined where nothing is to be recorded. */
  readonly usage: UsageRecorder | undefined;
  /** What shares the hours of v2 with other proxies of the record; undefined where there is none. */
  readonly ledgerStore: LedgerStore | undefined;
  /** What proxies of the record tell each other; undefined where it is a store in which nobody is heard. */
  readonly notes: Notes | undefined;
  /** Secret of the hashes under which keys appear in log and record. */
  readonly hashSecret: string;
  /** The name in Via of what is recorded in that store; undefined where there is none, or none could be opened yet. */
  readonly viaName: string | undefined;
  /** Says in one line of the log where calls are recorded, or that they are not: a proxy that records nothing must not look like one that does. */
  announce(): void;
  /** Writes what is left; what cannot be written is told in the log. */
  close(): Promise<void>;
}

/** What passes, or what somebody mends while the proxy serves. */
const passing: ReadonlySet<StoreErrorCode> = new Set(['STORE_LOCKED', 'STORE_FULL', 'STORE_UNAVAILABLE']);

/**
 * Opens the store and begins to record.
 * @param names the settings as whoever gave them writes them: `--store`, or `store` in a program
 * @throws ConfigError where the store cannot be used. A proxy whose secret is configured serves without it, and tries again: without a
 * secret of its own, it would make other hashes of the same keys than those in the store.
 */
export async function openRecord(
  { store, retention, hashSecret, replica = hostname(), now = Date.now }: RecordSettings,
  logger: Logger,
  names: Readonly<Record<'store' | 'hashSecret', string>>,
): Promise<OpenRecord> {
  const ownSecret = hashSecret ?? randomBytes(32).toString('base64url');
  if (store === noStore) {
    const announce = (): void => tellOfNoRecord(logger, hashSecret === undefined ? names.hashSecret : undefined);
    const none = { usage: undefined, ledgerStore: undefined, notes: undefined, viaName: undefined };
    return { ...none, hashSecret: ownSecret, announce, close: async () => undefined };
  }
  const [{ openNotes, openWriter }, { ReopeningWriter }, { UsageRecorder }] = await Promise.all([
    import('./store/open.ts'),
    import('./store/reopening.ts'),
    import('./usage-recorder.ts'),
  ]);
  // Without a secret of its own the proxy cannot serve before its store is open.
  const first = await openWriter(store, undefined, hashSecret === undefined).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
    if (hashSecret !== undefined && passing.has(error.code)) return undefined;
    throw new ConfigError({
      code: 'CONFIG_INVALID',
      key: names.store,
      problem: `${error.message}; or give ${names.store} ${noStore} to serve without a record`,
      cause: error,
    });
  });
  const secret = hashSecret ?? first?.hashSecret ?? ownSecret;
  // Should the store be begun anew, a report finds keys by the hashes that this process goes on making; a secret of the user's is kept nowhere.
  const writer = new ReopeningWriter(() => openWriter(store, hashSecret === undefined ? secret : undefined, false), first, secret);
  const usage = new UsageRecorder({
    writer,
    replica,
    keepDays: retention,
    now,
    onState: (state) => tell(logger, state),
  });
  const notes = await openNotes(store);
  const close = async (): Promise<void> => {
    await notes?.close();
    const lost = await usage.close();
    if (lost > 0) logger.error({ event: 'usage_lost', lost }, `The store did not take the record of the last ${lost} calls before the end`);
  };
  const announce = (): void => {
    // What could not be opened yet is told as failing. The URL of a database may hold a password.
    if (first !== undefined)
      logger.info({ event: 'recording', store: store.includes('://') ? 'PostgreSQL' : store }, 'v1 calls are recorded');
  };
  return { usage, ledgerStore: writer, notes, hashSecret: secret, viaName: first && viaNameOf(first.hashSecret), announce, close };
}

/** @param secretName of the setting that would make key hashes last; undefined where it is given */
function tellOfNoRecord(logger: Logger, secretName: string | undefined): void {
  logger.info({ event: 'not_recorded' }, 'v1 calls are answered and not recorded: no report can tell who still makes them');
  if (secretName === undefined) return;
  const problem = 'Key hashes cannot be compared with those of other starts or replicas';
  logger.info({ event: 'hash_secret_random' }, `${problem}; set ${secretName}`);
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
