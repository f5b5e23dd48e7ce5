/**
 * Asks v2 beside v1, and counts where its answers differ. A client never waits for it: a question begins when its answer is over, and there are
 * only so many at once. What is only read is asked of v2 as the translation would, and where that differs, of v1 once more: what v1 does not
 * answer the same twice is noise. What writes is never sent twice: its translation is held against v2's document instead.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { openapiDocument } from '../../src/openapi/document.ts';
import type { OpenApiDocument } from '../../src/openapi/types.ts';
import type { Call } from '../call.ts';
import { readText } from '../content.ts';
import type { OwnContext } from '../context.ts';
import { readResponseHead } from '../response-head.ts';
import type { Stages } from '../stages.ts';
import { UnderWay } from '../under-way.ts';
import type { Comparer, Witness, WitnessedCall } from '../witness.ts';
import { notJson, parseAnswer, tooLarge } from './answer-json.ts';
import { AnswerWitness } from './answer-witness.ts';
import { type ComparedAnswer, type Difference, differencesOf } from './differences.ts';
import { type Equalities, equalitiesOf } from './equalities.ts';
import type { InnerAnswer } from './inner.ts';
import { type MarkedDifference, marked } from './noise.ts';
import { Questions, longest, questionOf } from './questions.ts';
import { faultsOfRequest } from './request-check.ts';
import { ComparingShare } from './share.ts';

/** Why a call that could be compared was not. */
type Reason =
  | 'busy'
  | 'share used up'
  | 'limit reached'
  | 'too long'
  | 'unreadable'
  | 'no JSON'
  | 'conditional'
  | 'v1 failed'
  | 'v1 spared'
  | 'v2 failed'
  | 'failed';

/** A v2 that gives no answer is not asked for so long, in milliseconds: questions that fail cost what clients could use. */
const rest = 5_000;

/** So often v1 is asked once more without counting, and then for one call in so many. */
const freely = 10;
const oneIn = 10;

export interface ComparerOptions {
  readonly stages: Stages;
  readonly v1Base: string;
  /** Answers a v1 call by translating it. */
  readonly serve: (call: Call) => void;
}

/** What is found of a call: how it differs, or why that was not looked at. */
type Found = { readonly differences: readonly MarkedDifference[]; readonly askedAgain: boolean } | { readonly skipped: Reason };

export class AnswerComparer implements Comparer {
  readonly #context: OwnContext;
  readonly #stages: Stages;
  readonly #questions: Questions;
  readonly #share: ComparingShare;
  /** Reads to be compared of each workspace, and how often v1 was asked once more; there is a bound to workspaces. */
  readonly #seen = new Map<string | null, { calls: number; again: number }>();
  readonly #underWay = new UnderWay();
  /** v2's document, once something is held against it. */
  #document: OpenApiDocument | undefined;
  /** Until when v2 is left alone, as it failed. */
  #rests = 0;
  #equalities: { readonly of: unknown; readonly by: Map<string, Equalities> } = { of: undefined, by: new Map() };
  #setup: { readonly of: unknown; readonly is: string } | undefined;

  constructor(context: OwnContext, { stages, v1Base, serve }: ComparerOptions) {
    this.#context = context;
    this.#stages = stages;
    this.#questions = new Questions(context, v1Base, serve);
    this.#share = new ComparingShare(context.budget, context.options.now);
  }

  witness(call: WitnessedCall): Witness | undefined {
    const isRead = call.req.method === 'GET' || call.req.method === 'HEAD';
    if (call.route === undefined || Math.random() >= this.#stages.rollout.compare.sample) return undefined;
    const reason = isRead ? this.#cannotAsk(call) : undefined;
    // Then its answer need not even be kept: a v2 that is down costs v1's clients next to nothing.
    if (reason !== undefined) return void this.#take(call, { skipped: reason });
    return new AnswerWitness((answer) => this.#begin(call, isRead ? () => this.#read(call, answer) : () => this.#write(call, answer)));
  }

  async close(): Promise<void> {
    await this.#questions.close();
    await this.#underWay.over();
  }

  /** Why v2 cannot be asked about a read now; what must be spent is taken when it is asked. */
  #cannotAsk({ key }: WitnessedCall): Reason | undefined {
    if (this.#context.options.now() < this.#rests) return 'v2 failed';
    return this.#share.spent(key, this.#stages.rollout.compare.share);
  }

  /** Compares one call, once its own answer is over; or does not, where as many are being compared as may be. */
  #begin(call: WitnessedCall, compare: () => Promise<Found>): void {
    if (this.#underWay.count >= this.#stages.rollout.compare.concurrency) return this.#take(call, { skipped: 'busy' });
    this.#underWay.begin();
    setImmediate(() => {
      void compare()
        .catch((error: unknown): Found => this.#failed(error))
        .then((found) => this.#take(call, found))
        .finally(() => this.#underWay.end());
    });
  }

  /** v2 broke off, and what it would have answered is not known; or comparing itself is at fault, which somebody has to see. */
  #failed(error: unknown): Found {
    if (error instanceof Error && 'code' in error) return { skipped: 'v2 failed' };
    this.#context.options.logger.error(
      { event: 'comparison_failed', err: error },
      'A call could not be compared; it was answered all the same',
    );
    return { skipped: 'failed' };
  }

  async #read(call: WitnessedCall, answer: InnerAnswer): Promise<Found> {
    if (answer.body === undefined) return { skipped: 'too long' };
    const workspace = call.key?.workspace ?? null;
    const seen = this.#seen.get(workspace) ?? { calls: 0, again: 0 };
    seen.calls++;
    this.#seen.set(workspace, seen);
    // Its conditions are v1's: v2 has other tags of what it has, and other ranges.
    if (isConditional(call.req.headers)) return { skipped: 'conditional' };
    const v1 = await compared(answer);
    // v1's limits are others than v2's, and what they refuse says nothing of either.
    if (v1?.status === 429) return { skipped: 'limit reached' };
    // Before anything is spent of what v2 allows.
    if (v1 === undefined) return { skipped: 'unreadable' };
    if (v1.body === notJson || v1.body === tooLarge) return { skipped: v1.body === notJson ? 'no JSON' : 'too long' };
    const noneLeft = await this.#share.take(call.key, this.#stages.rollout.compare.share);
    if (noneLeft !== undefined) return { skipped: noneLeft };
    const question = questionOf(call);
    const { answer: second, code } = await this.#questions.askV2(question);
    if (second.status === 429) return { skipped: 'limit reached' };
    // One of our own failures: v2 gave no answer that could be compared.
    if (second.status >= 500 && code !== undefined) {
      this.#rests = this.#context.options.now() + rest;
      return { skipped: 'v2 failed' };
    }
    if (second.body === undefined) return { skipped: 'too long' };
    const v2 = await compared(second);
    if (v2 === undefined) return { skipped: 'unreadable' };
    const equalities = this.#equalitiesFor(call.route?.label ?? '');
    const { differences, notCompared } = differencesOf(v1, v2, equalities);
    if (differences.length === 0) return notCompared === undefined ? { differences: [], askedAgain: false } : { skipped: 'too long' };
    if (!this.#spare(workspace)) return { skipped: 'v1 spared' };
    const third = await this.#questions.askV1(question);
    if (third === undefined || third.status === 429) return { skipped: 'v1 failed' };
    const again = await compared(third);
    return again === undefined ? { skipped: 'unreadable' } : { differences: told({ v1, again, v2 }, equalities), askedAgain: true };
  }

  async #write(call: WitnessedCall, { status }: InnerAnswer): Promise<Found> {
    const { kept } = call;
    if (kept?.isWhole === false) return { skipped: 'too long' };
    const { request, status: refused = 500 } = await this.#questions.translate(questionOf(call, kept?.bytes()));
    // What v1 has refused says nothing of what v2 would take.
    if (status >= 400) return { differences: [], askedAgain: false };
    // The translation itself refuses what v1 took.
    if (request === undefined)
      return { differences: sure(differencesOf(answered(status), answered(refused)).differences), askedAgain: false };
    const { assumptions } = this.#context;
    this.#document ??= openapiDocument('v2', { assumptions, dialect: 'v1', envelope: 'v1' });
    const { differences, notCompared } = await faultsOfRequest(request.endpoint, request.body, this.#document);
    return notCompared === undefined ? { differences: sure(differences), askedAgain: false } : { skipped: 'too long' };
  }

  /** Counts what was found. */
  #take(call: WitnessedCall, found: Found): void {
    const { options, recorder } = this.#context;
    const about = {
      at: options.now(),
      setup: this.#setupNow,
      workspace: call.key?.workspace ?? null,
      endpoint: call.route?.label ?? '',
    };
    recorder.metrics.compared(resultOf(found));
    if ('skipped' in found) options.usage?.addSkipped({ ...about, reason: found.skipped });
    else options.usage?.addComparison({ ...about, ...found });
  }

  /** Whether v1 may be asked once more: it counts towards what v1 allows the client, and so is done for few of its calls. */
  #spare(workspace: string | null): boolean {
    const counted = this.#seen.get(workspace) ?? { calls: 0, again: 0 };
    if (counted.again >= freely + counted.calls / oneIn) return false;
    counted.again++;
    return true;
  }

  #equalitiesFor(endpoint: string): Equalities {
    const { equal } = this.#stages.rollout.compare;
    if (this.#equalities.of !== equal) this.#equalities = { of: equal, by: new Map() };
    const { by } = this.#equalities;
    const known = by.get(endpoint) ?? equalitiesOf(equal, endpoint);
    by.set(endpoint, known);
    return known;
  }

  /** What decides how v2's answers look: differences that were found with another mapping may be gone. */
  get #setupNow(): string {
    const { equal } = this.#stages.rollout.compare;
    if (this.#setup?.of === equal) return this.#setup.is;
    const { mappings, queryRenames } = this.#context.options;
    const parts = JSON.stringify([mappings, queryRenames, equal]);
    this.#setup = { of: equal, is: createHash('sha256').update(parts).digest('hex').slice(0, 12) };
    return this.#setup.is;
  }
}

function resultOf(found: Found): 'equal' | 'noise' | 'different' | 'skipped' {
  if ('skipped' in found) return 'skipped';
  if (found.differences.length === 0) return 'equal';
  return found.differences.some(({ noise }) => noise) ? 'noise' : 'different';
}

interface Answers {
  readonly v1: ComparedAnswer;
  readonly again: ComparedAnswer;
  readonly v2: ComparedAnswer;
}

/** The differences between v1 and v2, and beside them those of v1 from itself. */
const told = ({ v1, again, v2 }: Answers, equalities: Equalities): readonly MarkedDifference[] => {
  const between = (one: ComparedAnswer, other: ComparedAnswer): readonly Difference[] => differencesOf(one, other, equalities).differences;
  return marked(between(v1, v2), between(v1, again), between(again, v2));
};

/** Whether a request asks for something only where it has changed, or for a part of it (RFC 9110 §§13, 14). */
const isConditional = (headers: IncomingHttpHeaders): boolean =>
  ['if-none-match', 'if-match', 'if-modified-since', 'if-unmodified-since', 'range'].some((name) => headers[name] !== undefined);

/** Differences of what was not asked twice, and cannot be noise. */
const sure = (differences: readonly Difference[]): readonly MarkedDifference[] =>
  differences.map((difference) => ({ ...difference, noise: false }));

const answered = (status: number): ComparedAnswer => ({ status, mediaType: undefined, body: undefined });

/** What is compared of an answer; undefined where it cannot be read. */
async function compared({ status, fields, body }: InnerAnswer): Promise<ComparedAnswer | undefined> {
  const head = readResponseHead(fields);
  const read = await readText(body ?? Buffer.alloc(0), head, longest);
  return 'text' in read ? { status, mediaType: head.contentType, body: read.text === '' ? undefined : parseAnswer(read.text) } : undefined;
}
