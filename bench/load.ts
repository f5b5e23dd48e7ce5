/**
 * The load generator, a process of its own: keep-alive connections on raw sockets, one call at a time on each,
 * precomputed bytes out, answers found by Content-Length. Runs one plan per message and answers with its outcome.
 *
 * Without a rate each connection sends as soon as it is answered. With one, calls are due at times of a schedule, and their latency counts from then:
 * a call that finds every connection waiting waits too, and who is slow cannot make the calls fewer that meet it (coordinated omission).
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { Histogram } from './histogram.ts';
import { answerBody, countUp, requestTemplate } from './request.ts';
import type { CaseName, Template } from './request.ts';

export interface LoadPlan {
  /** Each run asks for other messages. */
  readonly run: number;
  readonly case: CaseName;
  readonly port: number;
  readonly requests: number;
  readonly connections: number;
  /** Calls that become due in each second, at equal distances. */
  readonly rate?: number | undefined;
}

/** What came of a plan; times in seconds, latencies in microseconds. */
export interface LoadOutcome {
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** How late the generator itself saw that a call was due, which is a part of the latencies: p99; 0 without a rate. */
  readonly late: number;
  readonly errors: number;
  readonly firstError?: string;
}

/** A run is over when nothing was answered for this long, or when it takes longer than this for each call. */
const stallMs = 10_000;
const slowestMs = 5;
const expectedLength = Buffer.byteLength(answerBody);

/** Sends one call on a connection that is free. */
type Begin = (due: number) => void;

class Run {
  readonly #plan: LoadPlan;
  readonly #finish: (outcome: LoadOutcome) => void;
  readonly #latencies = new Histogram();
  readonly #lateness = new Histogram();
  readonly #sockets: Socket[] = [];
  /** Those that wait for a call that is due, longest first. */
  readonly #free: Begin[] = [];
  readonly #watchdog: NodeJS.Timeout;
  /** Milliseconds from one call to the next. */
  readonly #interval: number;
  /** When the last connection was open, from which all calls go out. */
  #started = performance.now();
  /** Calls whose time has come. */
  #due = 0;
  #sent = 0;
  #done = 0;
  #doneBefore = -1;
  #errors = 0;
  #firstError: string | undefined;
  #ended = false;

  constructor(plan: LoadPlan, finish: (outcome: LoadOutcome) => void) {
    this.#plan = plan;
    this.#finish = finish;
    this.#interval = 1000 / (plan.rate ?? Infinity);
    // Its core is the upstream's, too, which must not wait for who only looks at the clock.
    if (plan.rate !== undefined) setPriority(constants.priority.PRIORITY_LOW);
    for (let client = 0; client < plan.connections; client += 1) this.#sockets.push(this.#client(client));
    this.#watchdog = setInterval(() => this.#checkProgress(), stallMs);
  }

  #client(number: number): Socket {
    const template = requestTemplate(this.#plan.case, `127.0.0.1:${this.#plan.port}`, this.#plan.run, number);
    let due = 0;
    const begin: Begin = (at) => {
      due = at;
      send(socket, template);
    };
    const socket = connect({ host: '127.0.0.1', port: this.#plan.port, noDelay: true });
    socket.setEncoding('latin1');
    socket.on('connect', () => this.#opened(begin));
    socket.on('error', (error) => this.#fail(error.message));
    socket.on('close', () => this.#fail('the contestant closed the connection'));
    let pending = '';
    socket.on('data', (chunk: string) => {
      pending = pending === '' ? chunk : pending + chunk;
      const answer = readAnswer(pending);
      if (answer === undefined) return;
      pending = '';
      this.#latencies.add((performance.now() - due) * 1000);
      this.#free.push(begin);
      this.#count(answer);
    });
    return socket;
  }

  #opened(begin: Begin): void {
    if (this.#free.push(begin) < this.#plan.connections) return;
    this.#started = performance.now();
    if (this.#plan.rate === undefined) this.#send();
    else this.#pace();
  }

  /** Sends what is due on what is free. */
  #send(): void {
    const now = performance.now();
    this.#notice(now);
    while (this.#sent < this.#due) {
      const begin = this.#free.shift();
      if (begin === undefined) return;
      begin(this.#plan.rate === undefined ? now : this.#dueAt(this.#sent));
      this.#sent += 1;
    }
  }

  #notice(now: number): void {
    const { rate, requests } = this.#plan;
    if (rate === undefined) this.#due = requests;
    for (; this.#due < requests && this.#dueAt(this.#due) <= now; this.#due += 1) this.#lateness.add((now - this.#dueAt(this.#due)) * 1000);
  }

  #dueAt(call: number): number {
    return this.#started + call * this.#interval;
  }

  /** Looks at the clock at each pass of the loop: a timer is a millisecond late, which is more than most calls take. */
  #pace(): void {
    if (this.#ended) return;
    this.#send();
    setImmediate(() => this.#pace());
  }

  #count({ fault }: Answer): void {
    this.#done += 1;
    if (fault !== undefined) {
      this.#errors += 1;
      this.#firstError ??= fault;
    }
    if (this.#done === this.#plan.requests) this.#end();
    else this.#send();
  }

  /** A broken connection ends the run: what follows would be measured with fewer clients. */
  #fail(message: string): void {
    this.#errors += 1;
    this.#firstError ??= message;
    this.#end();
  }

  #checkProgress(): void {
    if (this.#done === this.#doneBefore) this.#fail(`no answer for ${stallMs / 1000} s`);
    else if (performance.now() - this.#started > stallMs + (slowestMs + this.#interval) * this.#plan.requests) this.#fail('too slow');
    this.#doneBefore = this.#done;
  }

  #end(): void {
    this.#ended = true;
    clearInterval(this.#watchdog);
    for (const socket of this.#sockets) {
      socket.removeAllListeners();
      socket.on('error', () => {});
      socket.destroy();
    }
    this.#finish({
      seconds: (performance.now() - this.#started) / 1000,
      p50: this.#latencies.percentile(0.5),
      p99: this.#latencies.percentile(0.99),
      late: this.#plan.rate === undefined ? 0 : this.#lateness.percentile(0.99),
      errors: this.#errors,
      ...(this.#firstError === undefined ? {} : { firstError: this.#firstError }),
    });
  }
}

function send(socket: Socket, { bytes, counter }: Template): void {
  if (counter !== undefined) countUp(bytes, counter.start, counter.end);
  socket.write(bytes);
}

interface Answer {
  /** What is wrong with it, if anything. */
  readonly fault?: string;
}

const good: Answer = {};

/** Judges the one answer in the text; undefined while it is not complete. */
function readAnswer(text: string): Answer | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  if (!text.startsWith('HTTP/1.1 200 ')) return { fault: `answered ${text.slice(0, 200)}` };
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length === undefined) return { fault: 'answered without Content-Length' };
  if (Number(length) !== expectedLength) return { fault: `answered ${length} bytes instead of ${expectedLength}` };
  const rest = text.length - head - 4 - expectedLength;
  if (rest > 0) return { fault: 'answered more than its Content-Length' };
  return rest < 0 ? undefined : good;
}

process.on('message', (plan: LoadPlan) => new Run(plan, (outcome) => process.send?.(outcome)));
process.on('disconnect', () => process.exit());
