/** Runs fixtures' modules in threads: no library's defaults or mocks outlive the fixture that set them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface Task {
  /** The module's file; it and what it imports are without types: see `stripTypes`. */
  readonly entry: string;
  /** Whether it leaves nothing behind in its thread. */
  readonly tidy: boolean;
  readonly key: string;
  /** Names under which the service is found, and where it is. Nothing else can be reached. */
  readonly hosts: readonly string[];
  readonly port: number;
  /** The certificate that the service shows. */
  readonly authority: string;
  /** The address of the page that the module is in, if it is in one. */
  readonly page?: string;
}

/** What the thread says of a task. */
export type Told = { readonly outcome: string } | { readonly error: unknown };

/** Longer than any fixture needs on any machine: for one that hangs. */
const patience = 120_000;

/** One at a time: tidy modules one after the other in one thread, those in pages in another, and each other one in a thread of its own. */
export class Executor implements AsyncDisposable {
  readonly #shared = new Map<'page' | 'program', Worker>();

  /**
   * What the module's function gave, as JSON carries it.
   * @throws what it threw, and where it ends without an outcome
   */
  async execute(task: Task): Promise<unknown> {
    const place = task.page === undefined ? 'program' : 'page';
    const thread = (task.tidy && this.#shared.get(place)) || startThread();
    if (task.tidy) this.#shared.delete(place);
    let told: Told | undefined;
    try {
      told = await ask(thread, task);
    } finally {
      // A thread that said nothing is not used again.
      if (task.tidy && told !== undefined) this.#shared.set(place, thread);
      else await thread.terminate();
    }
    if ('error' in told) throw told.error;
    return JSON.parse(told.outcome);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#shared.values()].map((thread) => thread.terminate()));
  }
}

const startThread = (): Worker =>
  new Worker(new URL('./execute-thread.mjs', import.meta.url), {
    // With the certificates and proxies of whoever runs the tests, libraries would behave otherwise.
    env: { PATH: process.env['PATH'] },
    workerData: { compileCache: process.env['NODE_COMPILE_CACHE'] },
    execArgv: ['--disable-warning=ExperimentalWarning', '--disable-warning=DeprecationWarning'],
    stdout: true,
    stderr: true,
  });

async function ask(thread: Worker, task: Task): Promise<Told> {
  const { promise, resolve, reject } = Promise.withResolvers<Told>();
  const ended = (code: number): void => reject(new Error(`${task.entry} ended without an outcome (exit code ${code})`));
  const timer = setTimeout(() => reject(new Error(`${task.entry} did not end`)), patience);
  thread.once('message', resolve).once('error', reject).once('exit', ended);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage(task);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    thread.off('message', resolve).off('error', reject).off('exit', ended);
  }
}

/**
 * Takes the types out of the TypeScript of a folder, so that it can be executed.
 * @returns whether they are tidy: they set nothing that others see, and use no library of which that is not known
 */
export function stripTypes(folder: string): boolean {
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[mc]?[jt]s$/.test(file));
  const texts = scripts.map((file) => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (file.endsWith('js')) return text;
    const stripped = stripTypeScriptTypes(text);
    writeFileSync(path, stripped);
    return stripped;
  });
  return texts.every((text) => libraries(text).every((name) => tidyClients.has(name)) && !setting.test(text) && !setsLibrary(text));
}

/** Libraries that remember nothing of a call, unless they are told to for all calls. */
const tidyClients: ReadonlySet<string> = new Set([
  '@actions/http-client',
  '@hapi/wreck',
  '@nestjs/axios',
  '@reduxjs/toolkit',
  '@reduxjs/toolkit/query',
  'axios',
  'fastify',
  'got',
  // Loaded anew for every page: see execute-thread.mjs.
  'jquery',
  'ky',
  'needle',
  'ofetch',
  'openapi-fetch',
  'request',
  'request-promise',
  'rxjs',
  'superagent',
  'undici',
  'wretch',
  'wretch/addons/queryString',
  'yaml',
  'zod',
  'zod/mini',
  'zod/v4',
]);
/** What sets something for others: the environment, what is global, and mocks. */
const setting = /process\.env[^\s=]* = |\bglobal(?:This)?\.\w+ = |assign\(global|setGlobal|\bmock\b/i;
/** And so does what is set of a library itself; of a client that was made with it, it is the client's alone. */
const setsLibrary = (text: string): boolean =>
  [...text.matchAll(/\b(?:import|const|let|var) (\w+)[^;\n]*(?:from|require\()\s*['"][^.'"][^'"]*['"]\)?(?!\.)/g)].some(([, name = '']) =>
    new RegExp(`\\b${name}\\.(?:defaults\\.|interceptors)`).test(text),
  );

const libraries = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"]([^.'"][^'"]*)['"]/g)].flatMap(([, name = '']) =>
    name.startsWith('node:') || builtinModules.includes(name) ? [] : name,
  );
