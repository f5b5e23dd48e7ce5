/**
 * What jscodeshift calls. The work is done in a thread: jscodeshift compiles whatever a transform requires with Babel, which a compiler
 * of ten megabytes is not made for, and a thread loads its modules as they are.
 */
import '../../../src/needs-node.ts';
import { pathToFileURL } from 'node:url';
import { getCallSites } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Answer, Question } from './question.ts';

interface File {
  readonly path: string;
  readonly source: string;
}

interface Api {
  report(message: string): void;
  stats(name: string, quantity?: number): void;
}

/** A transform as `jscodeshift -t` takes it; the parser that jscodeshift is given does not matter to it. */
export type Transform = (file: File, api: Api, options?: Readonly<Record<string, unknown>>) => Promise<string | undefined>;

/**
 * Moves what the plan of the whole run says of a file.
 * @throws Error where no base is given, a client is not known, or a file is not what the plan was made from
 */
export const transform: Transform = async ({ path, source }, api, options = {}) => {
  const { text, reports, stats } = await thread.ask({
    path,
    source,
    // What cannot be handed to a thread is none of ours: jscodeshift hands over functions and parsers, too.
    options: JSON.stringify(options),
    cwd: process.cwd(),
    argv: process.argv,
  });
  for (const message of reports) api.report(message);
  for (const [name, quantity] of stats) api.stats(name, quantity);
  return text;
};

/** One thread for all files of a process, started with the first; it keeps nothing alive when nobody waits for it. */
class Thread {
  #worker: Worker | undefined;
  #asked = 0;
  readonly #open = new Map<number, PromiseWithResolvers<Answer>>();

  ask(question: Omit<Question, 'id'>): Promise<Answer> {
    const id = this.#asked++;
    const answer = Promise.withResolvers<Answer>();
    this.#open.set(id, answer);
    this.#worker ??= this.#start();
    this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage({ ...question, id } satisfies Question);
    return answer.promise;
  }

  #start(): Worker {
    const worker = new Worker(threadFile(), { execArgv: [] });
    worker.on('message', (answer: Answer) => {
      const { resolve, reject } = this.#open.get(answer.id) ?? Promise.withResolvers<Answer>();
      this.#open.delete(answer.id);
      if (this.#open.size === 0) worker.unref();
      if (answer.error === undefined) resolve(answer);
      else reject(new Error(answer.error));
    });
    const end = (cause: unknown): void => {
      this.#worker = undefined;
      for (const { reject } of this.#open.values()) reject(new Error('the thread that reads the code has died', { cause }));
      this.#open.clear();
    };
    worker.on('error', end).on('exit', end);
    return worker;
  }
}

/** Beside this file. Not by `import.meta`, which is a syntax error in the CommonJS that Babel makes of this. */
function threadFile(): URL {
  const [here] = getCallSites(1);
  const name = here?.scriptName ?? '';
  const url = name.startsWith('file:') ? new URL(name) : pathToFileURL(name);
  return new URL(`./thread${/\.[jt]s$/.exec(url.pathname)?.[0] ?? '.js'}`, url);
}

const thread = new Thread();
