/** One worker as the primary has it: its process, what passes to and from it, and the journal of its uses. */
import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ConfigError, messageOf } from '../../config/errors.ts';
import { type JournalListener, JournalReader } from '../../usage/journal/journal.ts';
import { RingReader, ringBytes } from '../../usage/journal/ring.ts';
import { Channel } from './channel.ts';
import type { PrimaryDuties, Start, Started, WorkerDuties, WorkerState } from './duties.ts';

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Surroundings {
  /** What the worker may ask for. */
  readonly duties: (self: WorkerProcess) => Omit<PrimaryDuties, 'begin' | 'started'>;
  /** What a worker is told as it starts. */
  readonly start: () => Omit<Start, 'warns'>;
  readonly journal: JournalListener;
  /** Takes whole lines of its log. */
  readonly log: (lines: string) => void;
}

/** So many bytes of the journal are read before its writer is told: a message costs both more than to read a hundred calls. */
const toldEach = ringBytes / 8;
/** How often it is looked whether all has come of a process that has ended, in milliseconds. */
const endEvery = 5;

const exec = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));

export class WorkerProcess {
  readonly pid: number | undefined;
  /** Resolves once it has ended, and all that it said and wrote has been taken. */
  readonly over: Promise<End>;
  /** How it stood when it was last asked. */
  state: WorkerState | undefined;
  /** Whether it takes calls. */
  isServing = false;
  /** Whether it ends because it was asked to. */
  isLeaving = false;
  readonly #process: NonNullable<typeof cluster.worker>['process'];
  readonly #channel: Channel<WorkerDuties>;
  readonly #journal: JournalReader;
  readonly #closeHandedOver: () => void;
  readonly #started = Promise.withResolvers<Started>();
  /** How far the worker knows that its journal has been read. */
  #told = 0;

  /**
   * Starts a process.
   * @param warns whether it says in the log what is to be said once of all of them
   */
  constructor({ duties, start, journal, log }: Surroundings, warns: boolean) {
    const file = openJournal();
    // Arguments would be seen by whoever lists processes, and the worker is told everything else in its own time.
    cluster.setupPrimary({ exec, args: [], serialization: 'advanced', stdio: ['ignore', 'pipe', 'inherit', 'ipc', file] });
    const compiled = getCompileCacheDir();
    this.#process = cluster.fork(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }).process;
    this.pid = this.#process.pid;
    this.#closeHandedOver = handedOver(this.#process);
    const begin = async (): Promise<Start> => ({ ...start(), warns });
    this.#channel = new Channel(this.#process, { ...duties(this), begin, started: this.#started.resolve });
    this.#journal = new JournalReader(new RingReader(file), journal);
    const { stdout } = this.#process;
    if (stdout !== null) wholeLines(stdout, log);
    this.over = this.#end(file);
  }

  /**
   * Resolves once it serves.
   * @throws Error with the code of what went wrong
   */
  async serves(): Promise<{ readonly url: string }> {
    const started = await Promise.race([this.#started.promise, this.over]);
    if ('url' in started) {
      this.isServing = true;
      return started;
    }
    if ('failed' in started) throw Object.assign(new Error(started.failed), started.code !== undefined && { code: started.code });
    throw new Error(`A worker ended with ${started.signal ?? started.code} while it started`);
  }

  tell<Name extends 'keys' | 'rollout' | 'note' | 'hears'>(duty: Name, given: Parameters<WorkerDuties[Name]>[0]): void {
    this.#channel.tell(duty, given);
  }

  /** Asks how it stands; where it does not say, what it said last holds. */
  async look(): Promise<void> {
    await this.#channel.ask('state', undefined).then(
      (state) => (this.state = state),
      () => undefined,
    );
  }

  /** Has it read what was noted of the road; resolves once it goes by that, or is gone. */
  async lookAtRoad(): Promise<void> {
    await this.#channel.ask('road', undefined).catch(() => undefined);
  }

  /** Takes what its journal has. */
  read(): void {
    const read = this.#journal.read();
    if (read - this.#told < toldEach) return;
    this.#told = read;
    this.#channel.tell('read', read);
  }

  /**
   * Has it serve on for so long, end its calls, and exit.
   * @param patience milliseconds after the delay; then it is killed
   */
  async leave(delay: number, patience: number): Promise<void> {
    this.isLeaving = true;
    const kill = setTimeout(() => this.#process.kill('SIGKILL'), delay + patience);
    await this.#channel.ask('drain', delay).catch(() => undefined);
    this.isServing = false;
    await this.look();
    // Behind everything that was sent to it, connections among it: those it gives back, and others get them.
    this.#channel.tell('exit', undefined);
    await this.over;
    clearTimeout(kill);
  }

  async #end(file: number): Promise<End> {
    const [code, signal] = await once(this.#process, 'exit');
    this.isServing = false;
    // Connected for as long as there may be more of what it sent. Node tells of the end by an event, but not where a connection was on its way.
    while (this.#process.connected) await sleep(endEvery);
    this.#channel.close();
    this.#closeHandedOver();
    this.#journal.end();
    closeSync(file);
    return { code, signal };
  }
}

/** Hands on what comes as far as it is whole lines; the beginning of one comes with its end. */
function wholeLines(input: Readable, take: (lines: string) => void): void {
  let begun = '';
  input.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) take(begun + text.slice(0, end));
    begun = end > 0 ? text.slice(end) : begun + text;
  });
}

/**
 * The connection that was on its way to a process when it died stays open here, as Node waits for the answer whether it was taken: its client would
 * wait for ever.
 * @returns closes it
 */
function handedOver(child: ChildProcess): () => void {
  const send = child.send.bind(child);
  let last: unknown;
  child.send = (...given: unknown[]) => {
    if (typeof given[1] === 'object') last = given[1];
    return Reflect.apply(send, child, given);
  };
  return () => {
    if (typeof last === 'object' && last !== null && 'close' in last && typeof last.close === 'function') last.close();
  };
}

/** A file without a name, which goes when nobody has it open any more. */
function openJournal(): number {
  const path = join(tmpdir(), `migrate-v2-${randomUUID()}`);
  try {
    const file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return file;
  } catch (cause) {
    const problem = `needs a file in ${tmpdir()}, which cannot be made (${messageOf(cause)}); let TMPDIR be a folder that can be written to`;
    throw new ConfigError({ code: 'CONFIG_INVALID', key: '--workers', problem, cause });
  }
}
