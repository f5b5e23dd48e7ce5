/** Real processes of the command line for tests: started, waited for by what they print, stopped by their own process id. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { delimiter, dirname, join } from 'node:path';

export interface Running extends AsyncDisposable {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly stdout: string[];
  readonly stderr: string[];
  /** The first line of stdout (or stderr) that matches, now or later; rejects when the process ends without it. */
  line(pattern: RegExp, from?: 'stdout' | 'stderr'): Promise<string>;
  /** Sends the signal and gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The environment of this process, with this Node first on the path and without settings of ours; sandboxes in it have their answers checked, and nothing in it yields. */
export function cleanEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(MIGRATE_V2_|VITEST|NODE_OPTIONS|npm_|FORCE_COLOR$|COLUMNS$)/.test(name));
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  return {
    ...Object.fromEntries(own),
    PATH: path,
    NODE_OPTIONS: ['answers.cjs', 'priority.cjs'].map((name) => `--require ${JSON.stringify(join(import.meta.dirname, name))}`).join(' '),
    // Tests share working directories: only those about the record keep one.
    MIGRATE_V2_STORE: 'none',
    ...extra,
  };
}

/**
 * For a Node that ends soon, and needs not be tidy: a tenth of the time of a command went into collecting garbage, a seventh of that of a proxy which
 * starts, and a quarter of jscodeshift's. Not where a test is about memory.
 */
export const untidy = '--min-semi-space-size=16';

/** Starts a process; ended by `await using`. */
export function start(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): Running {
  // A group of its own: npm and npx start processes of theirs, which must not outlive the test.
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: cleanEnvironment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exited = once(child, 'exit');
  const lines = { stdout: [] as string[], stderr: [] as string[] };
  const waiting = new Set<() => void>();
  const wake = (): void => waiting.forEach((look) => look());
  for (const from of ['stdout', 'stderr'] as const) {
    createInterface({ input: child[from] }).on('line', (line) => {
      lines[from].push(line);
      wake();
    });
  }
  child.on('close', wake);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    child,
    ...lines,
    stop,
    line: (pattern, from = 'stdout') =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines[from].find((line) => pattern.test(line));
          const ended = child.exitCode !== null || child.signalCode !== null;
          if (found === undefined && !ended) return;
          waiting.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`ended without ${pattern}:\n${[...lines.stdout, ...lines.stderr].join('\n')}`));
        };
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined) killGroup(child.pid);
      await exited;
    },
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Gone already, the whole group.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Where a service of ours listens, from its `listening` line. */
export async function listening(running: Running): Promise<{ url: string; adminUrl: string }> {
  return JSON.parse(await running.line(/"msg":"listening"/));
}
