/**
 * Notices changed files by asking for their state again and again.
 * fs.watch follows the inode that a path had at first: it goes deaf after a rename or after Kubernetes swaps the symbolic link of a mounted secret.
 */
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';

export interface FileWatch {
  /** Whether every file is as it was last seen: what was read since then was read between two changes. */
  isCurrent(): boolean;
  /** Watches exactly these paths from now on; paths watched before keep the state in which they were last seen. */
  update(paths: readonly string[]): void;
  close(): void;
}

const missing = 'missing';

/**
 * Calls back when any of the files was rewritten, replaced, removed or created, once for all of them, and not before all of them have rested
 * from one look to the next: a file that is still being written is half of what it will be.
 * The states at the time of the call are what later ones are compared with: start to watch before you read, and no change is missed.
 * A watch does not keep the process alive.
 * @param paths symbolic links are followed; a path may not exist yet
 * @param onChange must not throw
 * @param interval milliseconds between two looks
 */
export function watchFiles(paths: readonly string[], onChange: () => void, interval = 1000): FileWatch {
  const seen = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  /** Whether something changed that was not called back for. */
  let pending = false;

  const update = (next: readonly string[]): void => {
    for (const path of seen.keys()) if (!next.includes(path)) seen.delete(path);
    for (const path of next) if (!seen.has(path)) seen.set(path, stateNow(path));
  };

  const look = async (): Promise<void> => {
    let changed = false;
    for (const [path, before] of seen) {
      const now = await stat(path, { bigint: true }).then(state, () => missing);
      // An update during the wait may have dropped the path or seen it anew.
      if (now === before || seen.get(path) !== before) continue;
      seen.set(path, now);
      changed = true;
    }
    if (closed) return;
    lookAgain();
    const rested = pending && !changed;
    pending = changed;
    if (rested) onChange();
  };

  const lookAgain = (): void => {
    timer = setTimeout(() => void look(), interval).unref();
  };

  update(paths);
  lookAgain();
  return {
    isCurrent: () => [...seen].every(([path, state]) => stateNow(path) === state),
    update,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** What differs whenever a file's content does: ctime cannot be set back, and a swapped link leads to another inode. */
function state({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

function stateNow(path: string): string {
  try {
    return state(statSync(path, { bigint: true }));
  } catch {
    return missing;
  }
}
