/** The rules of a proxy's roll-out, read again when the configuration file changes. */
import type { Logger } from 'pino';
import { watchFiles } from '../../../proxy/watch.ts';
import { ConfigError } from '../../config/errors.ts';
import { configFilePath, readRollout } from '../../config/rollout-file.ts';
import type { Rollout, RolloutRules } from '../../rollout/rules.ts';

export interface FollowOptions {
  /** The rules as they are at the start. */
  readonly rollout: Rollout;
  /** What `--config` says. */
  readonly config: string | undefined;
  readonly cwd: string;
  readonly logger: Logger;
  /** Milliseconds between two looks at the file. */
  readonly interval?: number;
}

/** Follows the file; what is broken in it leaves the rules as they were, and is said. */
export async function followRollout({ rollout, config, cwd, logger, interval }: FollowOptions): Promise<RolloutRules> {
  let current = rollout;
  const path = await configFilePath(cwd, config);
  if (path === undefined)
    return {
      get current() {
        return current;
      },
      close: () => undefined,
    };
  const reload = async (): Promise<void> => {
    try {
      current = await readRollout(cwd, path);
      logger.info({ event: 'rollout_loaded', rules: current.rules.length }, 'The rules of the roll-out have changed');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      logger.warn({ event: 'rollout_rejected', code: error.code }, `${error.message}; until it changes again, the rules stay as they were`);
    }
  };
  let reading = Promise.resolve();
  const watch = watchFiles([path], () => void (reading = reading.then(reload)), interval);
  return {
    get current() {
      return current;
    },
    close: () => watch.close(),
  };
}
