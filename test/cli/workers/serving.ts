/** A proxy of several processes, for tests. */
import { readFileSync } from 'node:fs';
import { type Running, listening } from '../../helpers/process.ts';
import { serve } from '../run.ts';

export interface Workers extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly adminUrl: string;
  readonly running: Running;
  /** The processes that serve. */
  pids(): number[];
}

/** Starts it, with its record in that folder where one is given. */
export async function serveWorkers(args: readonly string[], cwd?: string): Promise<Workers> {
  const store = cwd === undefined || args.includes('--store') ? [] : ['--store', 'usage.db'];
  const running = serve(
    ['proxy', '--workers', '2', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', ...store, ...args],
    cwd === undefined ? {} : { cwd },
  );
  const { url, adminUrl } = await listening(running);
  const { pid } = running.child;
  const pids = (): number[] => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return { url, port: Number(new URL(url).port), adminUrl, running, pids, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}
