/** Reads one log: finds its format, takes the calls of v1 out of it, and hands them to the store. */
import { createHash } from 'node:crypto';
import { unlisted } from '../../contract/endpoints.ts';
import type { LogFormat } from '../../config/log-formats.ts';
import type { LogWriter } from '../store/store.ts';
import { passedBy, viaNameOf } from '../via-name.ts';
import { Calls } from './batches.ts';
import { callersOfLines, inNetworks } from './callers.ts';
import { formatOf, type FormatOptions, type LogReader, readerOf } from './formats/formats.ts';
import { emptyLine, hostOf } from './line.ts';
import { LineFinder } from './line-finder.ts';
import { type LineMarker, lineMarker } from './marks.ts';
import type { LogCaller, LogKind } from './model.ts';
import { Times } from './stretches.ts';
import { hostOfTarget, v1CallOf, wasServed } from './v1-calls.ts';

export interface ImportOptions extends FormatOptions {
  /** Found in the first lines where it is not given. */
  readonly format: LogFormat | undefined;
  /** The name of the source; undefined for that of the format. */
  readonly source: string | undefined;
  /** The one host whose lines are taken; of a log that tells no hosts, whose log it is. */
  readonly host: string | undefined;
  /** Networks of the proxies: what comes from there they have recorded. */
  readonly skipNetworks: readonly string[];
  /** Of the hashes of keys and products; that of the store where it is not given. */
  readonly hashSecret: string | undefined;
}

/** What was read of one log. */
export interface LogFigures {
  format: LogFormat | undefined;
  source: string;
  lines: number;
  /** Calls of v1, and how many of them the store did not have yet. */
  calls: number;
  added: number;
  /** Calls whose very line stands in the log before, with later ones between: most likely files that overlap were joined. */
  repeated: number;
  /** Calls that the proxies made: they have recorded them. */
  ofProxies: number;
  /** Requests below v1 that are of no endpoint, and were not refused: they count of v1's own host alone. */
  unlisted: number;
  /** Some of the hosts whose lines were not taken: another one was asked for. */
  readonly otherHosts: Set<string>;
  /** Lines that seem to be of v1, and could not be read; the first of them as they are. */
  unread: number;
  readonly examples: string[];
  /** Of the calls, in epoch milliseconds. */
  first: number;
  last: number;
  /** The last line has no end yet: it is left for the next time. */
  isUnfinished: boolean;
}

/** Read before its format is said. */
const sampleBytes = 65_536;
const sampleLines = 64;
const mostExamples = 3;
const longestExample = 500;
const mostHosts = 5;
/** Several processes that write one log do so in turns: by so many milliseconds, lines may stand behind later ones. */
const outOfOrder = 10_000;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** What is looked at between two looks at what was found. */
const pieceBytes = 1_048_576;

type OnCalls = (caller: LogCaller, kind: LogKind, calls: number) => void;

/** A log whose format nobody can tell. */
export class UnknownFormat extends Error {
  override readonly name = 'UnknownFormat';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super('the format of the log is not known');
    this.lines = lines;
  }
}

/** A log that could be read in part; that counts. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
  readonly figures: LogFigures;

  constructor(cause: unknown, figures: LogFigures) {
    super('the log could not be read to its end', { cause });
    this.figures = figures;
  }
}

/** What all logs of an import are read with: of most of them it costs more to make than they do. */
export interface LogTools {
  readonly writer: LogWriter;
  readonly options: ImportOptions;
  readonly marker: LineMarker;
  readonly callerOf: ReturnType<typeof callersOfLines>;
  readonly isProxys: (address: string) => boolean;
  /** Of the proxies that record to the store. */
  readonly viaName: string;
  /** Empty between two logs. */
  readonly calls: Calls;
}

export const logTools = (writer: LogWriter, options: ImportOptions): LogTools => ({
  writer,
  options,
  marker: lineMarker(writer.hashSecret),
  callerOf: callersOfLines(options.hashSecret ?? writer.hashSecret),
  isProxys: inNetworks(options.skipNetworks),
  viaName: viaNameOf(writer.hashSecret),
  calls: new Calls(),
});

/**
 * Reads a log, and adds what is new in it to the store.
 * @param chunks its bytes
 * @param isWhole whether it cannot grow any more: then its last line needs no end
 * @param onCalls takes the calls of v1 that are in it
 * @throws UnknownFormat before anything of it is added
 * @throws BrokenOff with what reading throws: what was read until then is added, and counts once when it is read again
 * @throws StoreError
 */
export async function importLog(chunks: AsyncIterable<Buffer>, isWhole: boolean, tools: LogTools, onCalls?: OnCalls): Promise<LogFigures> {
  let log: OneLog | undefined;
  let sample: Buffer = Buffer.alloc(0);
  const begin = async (): Promise<OneLog> => {
    if (sample.subarray(0, byteOrderMark.length).equals(byteOrderMark)) sample = sample.subarray(byteOrderMark.length);
    log = new OneLog(formatOfSample(sample, tools.options), tools, onCalls);
    await log.write(sample);
    return log;
  };
  let broken: { readonly reason: unknown } | undefined;
  const pieces = readable(chunks, (reason) => (broken = { reason }));
  for await (const chunk of pieces) {
    if (log !== undefined) await log.write(chunk);
    else {
      sample = Buffer.concat([sample, chunk]);
      if (sample.length >= sampleBytes) await begin();
    }
  }
  if (broken !== undefined && log === undefined && sample.length === 0) throw broken.reason;
  const figures = await (log ?? (await begin())).end(isWhole && broken === undefined);
  if (broken !== undefined) throw new BrokenOff(broken.reason, figures);
  return figures;
}

/** What can be read; where reading fails, that is the end. */
async function* readable(chunks: AsyncIterable<Buffer>, onBroken: (reason: unknown) => void): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    onBroken(error);
  }
}

/** @throws UnknownFormat */
function formatOfSample(sample: Buffer, options: ImportOptions): LogReader | undefined {
  const lines = sample
    .toString('latin1')
    .split(/\r?\n/, sampleLines)
    .filter((text) => text !== '');
  if (lines.every((text) => text.startsWith('#'))) return lines.length === 0 ? undefined : readerOf('cloudfront', options);
  // The last one may be cut off; where it is all that there is, it has to do.
  const format = options.format ?? formatOf(lines.slice(0, -1), options) ?? formatOf(lines, options);
  if (format === undefined) throw new UnknownFormat(lines.slice(0, mostExamples).map((text) => text.slice(0, longestExample)));
  return readerOf(format, options);
}

class OneLog {
  readonly #writer: LogWriter;
  readonly #options: ImportOptions;
  readonly #figures: LogFigures;
  readonly #finder: LineFinder;
  readonly #tools: LogTools;
  readonly #calls: Calls;
  readonly #onCalls: OnCalls | undefined;
  #id = 0;
  readonly #times = new Times();

  constructor(reader: LogReader | undefined, tools: LogTools, onCalls?: OnCalls) {
    const { writer, options } = tools;
    this.#tools = tools;
    this.#calls = tools.calls;
    this.#writer = writer;
    this.#onCalls = onCalls;
    this.#options = options;
    const { source, host } = options;
    this.#figures = {
      format: reader?.format,
      source: source ?? [reader?.format ?? '', ...(host === undefined ? [] : [host])].join(' '),
      lines: 0,
      calls: 0,
      added: 0,
      ofProxies: 0,
      repeated: 0,
      unlisted: 0,
      otherHosts: new Set(),
      unread: 0,
      examples: [],
      first: Infinity,
      last: -Infinity,
      isUnfinished: false,
    };
    const line = emptyLine();
    const own = host === undefined ? undefined : hostOf(host);
    const { marker, callerOf, isProxys, viaName } = this.#tools;
    marker.begin();
    // What a log that broke off has left is read again with it.
    this.#calls.take();
    const figures = this.#figures;
    const read = reader?.read ?? (() => false);
    this.#finder = new LineFinder({
      take: (bytes, start, end) => {
        const text = bytes.toString(reader?.isUtf8 === true ? 'utf8' : 'latin1', start, end);
        if (!read(text, line)) return this.#cannotRead(text);
        const kind = v1CallOf(line.method, line.target, line.status);
        if (kind === undefined) return;
        if (own !== undefined) {
          const of = hostOf(hostOfTarget(line.target) || line.host);
          if (of !== '' && of !== own) {
            if (figures.otherHosts.size < mostHosts) figures.otherHosts.add(of);
            return;
          }
        } else if (kind.endpoint === unlisted) {
          if (wasServed(kind)) figures.unlisted++;
          return;
        }
        if (isProxys(line.address) || (line.via !== '' && passedBy(line.via, viaName))) {
          figures.ofProxies++;
          return;
        }
        const caller = callerOf(line, kind);
        this.#calls.add(marker.of(bytes, start, end), line.time, caller, kind);
        if (marker.isRepeated() && line.time < figures.last - outOfOrder) figures.repeated++;
        this.#times.add(line.time);
        figures.calls++;
        if (line.time < figures.first) figures.first = line.time;
        if (line.time > figures.last) figures.last = line.time;
      },
      comment: (text) => reader?.comment(text),
      tooLong: () => this.#cannotRead('… (a line of more than 64 KiB)'),
      timeOf: (text) => {
        if (this.#id === 0) this.#id = idOf(text, writer.hashSecret);
        if (!read(text, line)) return NaN;
        this.#times.add(line.time);
        return line.time;
      },
    });
  }

  async write(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      this.#finder.write(chunk.subarray(at, at + pieceBytes));
      if (this.#calls.isFull) await this.#flush();
    }
  }

  async end(isWhole: boolean): Promise<LogFigures> {
    if (isWhole) this.#finder.end();
    this.#figures.isUnfinished = this.#finder.hasRest;
    this.#figures.lines = this.#finder.lines;
    if (this.#times.stretches.length > 0) await this.#flush();
    return this.#figures;
  }

  #cannotRead(text: string): void {
    this.#figures.unread++;
    if (this.#figures.examples.length < mostExamples) this.#figures.examples.push(text.slice(0, longestExample));
  }

  async #flush(): Promise<void> {
    const { source, format = 'combined', unread } = this.#figures;
    const file = { id: this.#id, stretches: this.#times.stretches, lines: this.#finder.lines, unread };
    if (this.#onCalls !== undefined) this.#calls.each(this.#onCalls);
    this.#figures.added += await this.#writer.add({ source, format, at: this.#options.now, file, ...this.#calls.take() });
  }
}

/** 52 bits, which a number holds. */
const idOf = (text: string, secret: string): number =>
  Number.parseInt(createHash('sha256').update(`a log ${secret} ${text}`, 'latin1').digest('hex').slice(0, 13), 16) || 1;
