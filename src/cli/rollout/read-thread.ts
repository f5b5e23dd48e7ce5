/** The thread that reads the rules again: ten thousand of them take seconds, in which the proxy goes on answering. */
import { parentPort, workerData } from 'node:worker_threads';
import { ConfigError, messageOf } from '../../config/errors.ts';
import { readRollout } from '../../config/rollout-file.ts';
import type { Reading, Found } from './follow.ts';

// A thread is given what its maker gives it.
const { path, ...surroundings } = workerData as Reading;

const found: Found = await readRollout(path, surroundings).then(
  (rollout) => ({ rollout }),
  // Whatever is wrong: the proxy has rules that hold, and somebody has to be told.
  (error: unknown) => ({ rejected: messageOf(error), code: error instanceof ConfigError ? error.code : 'CONFIG_UNREADABLE' }),
);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(found);
