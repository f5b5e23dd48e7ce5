/** Runs a fixture's module in a thread of its own: no library's defaults or mocks outlive it. */
import { Worker } from 'node:worker_threads';

export interface Task {
  /** The module's file. */
  readonly entry: string;
  readonly key: string;
  /** Names under which the service is found, and where it is. Nothing else can be reached. */
  readonly hosts: readonly string[];
  readonly port: number;
  /** The certificate that the service shows. */
  readonly authority: string;
  /** The address of the page that the module is in, if it is in one. */
  readonly page?: string;
}

/** Longer than any fixture needs: for one that hangs. */
const patience = 20_000;

/**
 * What the module's function gave, as JSON carries it.
 * @throws what it threw, and where it ends without an outcome
 */
export async function execute(task: Task): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const worker = new Worker(new URL('./execute-thread.ts', import.meta.url), {
    workerData: task,
    // With the certificate checks and proxies of whoever runs the tests, libraries would behave otherwise.
    env: { PATH: process.env['PATH'], API_KEY: task.key },
    execArgv: ['--disable-warning=ExperimentalWarning', '--disable-warning=DeprecationWarning'],
    stdout: true,
    stderr: true,
  });
  const timer = setTimeout(() => reject(new Error(`${task.entry} did not end`)), patience);
  worker.on('message', resolve).on('error', reject);
  worker.on('exit', (code) => reject(new Error(`${task.entry} ended without an outcome (exit code ${code})`)));
  try {
    return JSON.parse(await promise);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
