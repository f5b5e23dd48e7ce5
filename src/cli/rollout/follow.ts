/** The rules of a proxy's roll-out, read again when the configuration file changes. */
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { watchFiles } from '../../../proxy/watch.ts';
import type { ConfigErrorCode } from '../../config/errors.ts';
import { configFilePath, type RolloutSurroundings } from '../../config/rollout-file.ts';
import type { Rollout, RolloutRules } from '../../rollout/rules.ts';

export interface FollowOptions extends RolloutSurroundings {
  /** The rules as they are at the start. */
  readonly rollout: Rollout;
  /** What `--config` says. */
  readonly config: string | undefined;
  readonly logger: Logger;
  /** Is told of rules that are other ones. */
  readonly onChange?: ((rollout: Rollout) => void) | undefined;
  /** Milliseconds between two looks at the file. */
  readonly interval?: number;
}

/** What the thread is given. */
export interface Reading extends RolloutSurroundings {
  readonly path: string;
}

/** What the thread says: the rules, or what is wrong with them. */
export type Found = { readonly rollout: Rollout } | { readonly rejected: string; readonly code: ConfigErrorCode };

/** Follows the file; what is broken in it leaves the rules as they were, and is said. */
export async function followRollout({
  rollout,
  config,
  logger,
  interval,
  onChange,
  ...surroundings
}: FollowOptions): Promise<RolloutRules> {
  const path = await configFilePath(surroundings.cwd, config);
  const rules = { current: rollout, close: (): void => watch?.close() };
  const take = (found: Found): void => {
    if ('rejected' in found) {
      const message = `${found.rejected}; until it changes again, the rules stay as they were`;
      return void logger.warn({ event: 'rollout_rejected', code: found.code }, message);
    }
    if (isDeepStrictEqual(found.rollout, rules.current)) return;
    rules.current = found.rollout;
    onChange?.(found.rollout);
    logger.info({ event: 'rollout_loaded', rules: found.rollout.rules.length }, 'The rules of the roll-out have changed');
  };
  let reading = Promise.resolve();
  const again = (): void => void (reading = reading.then(async () => take(await read({ path: path ?? '', ...surroundings }))));
  const watch = path === undefined ? undefined : watchFiles([path], again, interval);
  // What was written between the start of the process and this watch would be missed for good.
  if (path !== undefined && (await stat(path)).mtimeMs > performance.timeOrigin) again();
  return rules;
}

function read(workerData: Reading): Promise<Found> {
  const entry = new URL(`./read-thread${extname(import.meta.url)}`, import.meta.url);
  // The flags of the program are its own.
  const worker = new Worker(entry, { workerData, name: 'rollout-rules', execArgv: [] });
  return new Promise((resolve) => {
    const failed = (why: string): void => resolve({ rejected: `the rules could not be read: ${why}`, code: 'CONFIG_UNREADABLE' });
    worker.once('message', resolve);
    worker.once('error', (error) => failed(error.message));
    worker.once('exit', (code) => failed(`the thread ended with ${code}`));
  });
}
