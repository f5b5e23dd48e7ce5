/** The reports of the live page, made in a process of their own. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Rollout, Rule } from '../../rollout/rules.ts';
import type { Counted } from '../road/use.ts';
import type { Answer, Ask, AskForData, DataFormat, LiveSource, Part, Rendered } from './messages.ts';
import { Pace } from './pace.ts';
import type { LiveView } from './view.ts';

const entry = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url));

/** There is no report, for a reason that people may see. */
export class NoReport extends Error {
  readonly code = 'NO_REPORT';
}

interface Waiting {
  /** What came of the data that was asked for. */
  readonly parts: Uint8Array[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: NoReport) => void;
}

/** Calls under rules are not counted anew before this many milliseconds, nor before so many times what it took. */
const countedFor = 2_000;
const rest = 9;

/**
 * A process that nobody has asked for so many milliseconds ends: what it holds of a large record is more than the proxy does. The next question
 * starts another one. A thread would leave much of its memory to the proxy for good.
 */
const idleFor = 60_000;

/** The last count. */
interface Last {
  readonly rules: readonly Rule[];
  readonly counted: Promise<Counted>;
  /** By `performance.now()`; counting is under way until it is known. */
  until: number;
}

/** What is known once the proxy serves. */
export interface InForce {
  /** Gives the roll-out as it is in force, where there is one. */
  readonly rollout?: (() => Rollout | undefined) | undefined;
  /** Gives where the proxy listens. */
  readonly proxyUrl?: (() => string | undefined) | undefined;
}

export class Reports {
  readonly pace = new Pace();
  readonly #source: LiveSource;
  readonly #rollout: () => Rollout | undefined;
  readonly #proxyUrl: () => string | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #worker: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;
  #last: Last | undefined;
  /** The rules of which the last question was, and how often they have changed. */
  #edition: { readonly rollout: Rollout | undefined; readonly number: number } = { rollout: undefined, number: 0 };

  constructor(source: LiveSource, { rollout, proxyUrl }: InForce = {}) {
    this.#source = source;
    this.#rollout = rollout ?? (() => undefined);
    this.#proxyUrl = proxyUrl ?? (() => undefined);
  }

  /**
   * Renders a view of a report that is as new as the pace allows.
   * @throws NoReport
   */
  async render(view: LiveView): Promise<Rendered> {
    const answer = await this.#askFor(view);
    if ('rendered' in answer) return answer.rendered;
    throw noReport(answer);
  }

  /**
   * The same as data, of a report that is as new as the pace allows.
   * @returns its bytes, in parts
   * @throws NoReport
   */
  async data(view: LiveView, as: DataFormat): Promise<readonly Uint8Array[]> {
    const parts: Uint8Array[] = [];
    const answer = await this.#askFor(view, { as }, parts);
    if ('data' in answer) return parts;
    throw noReport(answer);
  }

  async #askFor(view: LiveView, more: Partial<Pick<AskForData, 'as'>> = {}, parts: Uint8Array[] = []): Promise<Answer> {
    const rollout = this.#rollout();
    if (rollout !== this.#edition.rollout) this.#edition = { rollout, number: this.#edition.number + 1 };
    const edition = this.#edition.number;
    const asked = { view, rollout, proxyUrl: this.#proxyUrl(), edition, ...more };
    const answer = await this.#ask((id) => ({ id, notBefore: this.pace.notBefore(Date.now()), ...asked }), parts);
    this.pace.spend(answer.took);
    return answer;
  }

  /**
   * Counts the calls under rules; who asks often gets the same figures again.
   * @throws NoReport
   */
  count(rules: readonly Rule[], now: number): Promise<Counted> {
    const known = this.#last;
    if (known?.rules === rules && performance.now() < known.until) return known.counted;
    const began = performance.now();
    const ended = (): void => {
      const at = performance.now();
      last.until = at + Math.max(countedFor, rest * (at - began));
    };
    const last: Last = { rules, counted: this.#count(rules, now).finally(ended), until: Infinity };
    this.#last = last;
    return last.counted;
  }

  async #count(rules: readonly Rule[], now: number): Promise<Counted> {
    const answer = await this.#ask((id) => ({ id, rules, now }));
    if ('counted' in answer) return answer.counted;
    throw noReport(answer);
  }

  #ask(make: (id: number) => Ask, parts: Uint8Array[] = []): Promise<Answer> {
    const ask = make(++this.#asked);
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const answered = new Promise<Answer>((resolve, reject) => this.#waiting.set(ask.id, { parts, resolve, reject }));
    send(this.#worker, ask);
    return answered;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === undefined || !worker.kill('SIGKILL')) return;
    // Whoever waits for it has nothing else to stay for.
    worker.ref();
    await once(worker, 'exit');
  }

  #start(): ChildProcess {
    // Without the flags of the program: see store/sqlite/writer.ts. What it may have to say stands on stderr; stdout is the log's.
    const worker = fork(entry, { execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    // Before it has any threads, so that all of them have it: calls must not wait for whoever looks at them.
    if (worker.pid !== undefined) setPriority(worker.pid, constants.priority.PRIORITY_LOW);
    worker.unref();
    worker.channel?.unref();
    // What only it sends is what it answers.
    worker.on('message', (message) => this.#heard(message as Answer | Part));
    // One that could not be started, or has failed, is replaced by the next question.
    for (const event of ['error', 'close']) worker.on(event, () => this.#ended(worker));
    send(worker, this.#source);
    return worker;
  }

  #heard(message: Answer | Part): void {
    const waiting = this.#waiting.get(message.id);
    if ('part' in message) return void waiting?.parts.push(message.part);
    this.#waiting.delete(message.id);
    waiting?.resolve(message);
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.#end(), idleFor).unref();
  }

  #ended(worker: ChildProcess): void {
    // One that was idle has been replaced perhaps, and nobody waits for it.
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new NoReport('The process that makes reports has ended'));
    this.#waiting.clear();
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.kill('SIGKILL');
  }
}

/** Where it has ended meanwhile, its end says so to whoever waits. */
const send = (worker: ChildProcess, message: LiveSource | Ask): void => void worker.send(message, () => undefined);

const noReport = (answer: Answer): NoReport => new NoReport('failed' in answer ? answer.failed : 'The record could not be read');
