/** The command line as a real process. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { bin } from '../helpers/build.ts';
import { cleanEnvironment, type Running, start } from '../helpers/process.ts';

interface Where {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

/** Starts a command that serves. */
export const serve = (args: readonly string[], { cwd = tmpdir(), env = {} }: Where = {}): Running =>
  start(process.execPath, [bin, ...args], { cwd, env });

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What ends soon needs not be tidy: a tenth of its time went into collecting garbage. */
const untidy = '--min-semi-space-size=16';

/** Runs a command line that ends by itself; of the bundle where no other file is named. */
export const run = (
  args: readonly string[],
  { file = bin, cwd = tmpdir(), env = {} }: Where & { readonly file?: string } = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [untidy, file, ...args], { cwd, env: cleanEnvironment(env) }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });

/** Runs the commands that were printed for pasting, and gives path and status of each. */
export async function paste({ stderr }: Running): Promise<readonly string[]> {
  const commands = stderr.filter((line) => line.startsWith('  curl '));
  return Promise.all(commands.map(async (line) => `${/:\d+(\/\S+)/.exec(line)?.[1]} ${await statusOf(line)}`));
}

const statusOf = (command: string): Promise<string> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`], (_error, stdout) => resolve(stdout));
  });
