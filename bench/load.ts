/**
 * The load generator, a process of its own: keep-alive connections on raw sockets, one call at a time on each,
 * precomputed bytes out, answers found by Content-Length. Runs one plan per message and answers with its outcome.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Histogram } from './histogram.ts';
import { answerBody, countUp, requestTemplate } from './request.ts';
import type { CaseName, Template } from './request.ts';

export interface LoadPlan {
  readonly case: CaseName;
  readonly port: number;
  readonly requests: number;
  readonly connections: number;
}

/** What came of a plan; times in seconds, latencies in microseconds. */
export interface LoadOutcome {
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
  readonly firstError?: string;
}

/** A run is over when nothing was answered for this long, or when it takes longer than this for each call. */
const stallMs = 10_000;
const slowestMs = 5;
/** Runs so far. */
let runs = 0;
const expectedLength = Buffer.byteLength(answerBody);

class Run {
  readonly #plan: LoadPlan;
  readonly #finish: (outcome: LoadOutcome) => void;
  readonly #latencies = new Histogram();
  readonly #sockets: Socket[] = [];
  readonly #started = performance.now();
  readonly #watchdog: NodeJS.Timeout;
  #sent = 0;
  #done = 0;
  #doneBefore = -1;
  #errors = 0;
  #firstError: string | undefined;

  constructor(plan: LoadPlan, finish: (outcome: LoadOutcome) => void) {
    runs += 1;
    this.#plan = plan;
    this.#finish = finish;
    for (let client = 0; client < plan.connections; client += 1) this.#sockets.push(this.#client(client));
    this.#watchdog = setInterval(() => this.#checkProgress(), stallMs);
  }

  #client(number: number): Socket {
    const template = requestTemplate(this.#plan.case, `127.0.0.1:${this.#plan.port}`, runs, number);
    let sentAt = 0;
    const next = (): void => {
      if (this.#sent >= this.#plan.requests) return;
      this.#sent += 1;
      sentAt = performance.now();
      send(socket, template);
    };
    const socket = connect({ host: '127.0.0.1', port: this.#plan.port, noDelay: true });
    socket.setEncoding('latin1');
    socket.on('connect', next);
    socket.on('error', (error) => this.#fail(error.message));
    socket.on('close', () => this.#fail('the contestant closed the connection'));
    let pending = '';
    socket.on('data', (chunk: string) => {
      pending = pending === '' ? chunk : pending + chunk;
      const answer = readAnswer(pending);
      if (answer === undefined) return;
      pending = '';
      this.#latencies.add((performance.now() - sentAt) * 1000);
      this.#count(answer);
      next();
    });
    return socket;
  }

  #count({ fault }: Answer): void {
    this.#done += 1;
    if (fault !== undefined) {
      this.#errors += 1;
      this.#firstError ??= fault;
    }
    if (this.#done === this.#plan.requests) this.#end();
  }

  /** A broken connection ends the run: what follows would be measured with fewer clients. */
  #fail(message: string): void {
    this.#errors += 1;
    this.#firstError ??= message;
    this.#end();
  }

  #checkProgress(): void {
    if (this.#done === this.#doneBefore) this.#fail(`no answer for ${stallMs / 1000} s`);
    else if (performance.now() - this.#started > stallMs + slowestMs * this.#plan.requests) this.#fail('too slow');
    this.#doneBefore = this.#done;
  }

  #end(): void {
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
