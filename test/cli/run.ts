/** The command line as a real process. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import { bin } from '../helpers/build.ts';
import { cleanEnvironment, type Running, start, untidy } from '../helpers/process.ts';

interface Where {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

/** Starts a command that serves. */
export const serve = (args: readonly string[], { cwd = tmpdir(), env = {} }: Where = {}): Running =>
  start(process.execPath, [untidy, bin, ...args], { cwd, env });

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

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

/**
 * For the tests of a file: runs command lines one after the other in one process. Starting one takes ten times as long as what it does in
 * most tests; where the process itself is tested, `run` starts one.
 */
export function useCommandLine(): (args: readonly string[], where?: Where) => Promise<Ended> {
  let child: ChildProcess | undefined;
  let gone: Promise<unknown[]> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const runNext = async (args: readonly string[], { cwd = tmpdir(), env = {} }: Where): Promise<Ended> => {
    child ??= fork(fileURLToPath(new URL('./again.mjs', import.meta.url)), { env: cleanEnvironment(), execArgv: [untidy], silent: true });
    gone ??= once(child, 'exit');
    child.send({ bin, args, cwd, env: cleanEnvironment(env) });
    const told = Promise.all([untilEnd(child.stdout), untilEnd(child.stderr), once(child, 'message')]);
    const [stdout, stderr, [code]] = await Promise.race([
      told,
      gone.then(() => Promise.reject(new Error(`The process of the command line is gone: ${args.join(' ')}`))),
    ]);
    return { code: Number(code), stdout, stderr };
  };
  afterAll(async () => {
    child?.kill();
    await gone;
  });
  return (args, where = {}) => {
    const ended = last.then(() => runNext(args, where));
    last = ended.catch(() => undefined);
    return ended;
  };
}

/** What comes before the sign that a command has ended. */
async function untilEnd(stream: Readable | null): Promise<string> {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  while (chunks.at(-1)?.at(-1) !== 0) if (stream !== null) await once(stream, 'data');
  stream?.removeAllListeners('data');
  return Buffer.concat(chunks).subarray(0, -1).toString();
}

/** Runs the commands that were printed for pasting, and gives path and status of each. */
export async function paste({ stderr }: Running): Promise<readonly string[]> {
  const commands = stderr.filter((line) => line.startsWith('  curl '));
  return Promise.all(commands.map(async (line) => `${/:\d+(\/\S+)/.exec(line)?.[1]} ${await statusOf(line)}`));
}

const statusOf = (command: string): Promise<string> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`], (_error, stdout) => resolve(stdout));
  });
