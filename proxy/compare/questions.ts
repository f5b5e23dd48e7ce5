/**
 * What comparing asks: v2, through the very translation that a client's call takes; v1, once more; and the translation itself, what it would
 * send. Connections are questions' own: no client waits behind one, and what fails here says nothing of theirs.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { V2EndpointId } from '../../src/contract/endpoints.ts';
import { Collector } from '../body.ts';
import { Call } from '../call.ts';
import type { Context, OwnContext } from '../context.ts';
import { asItCame, readHead } from '../head.ts';
import { originForm, v2EndpointOf } from '../route.ts';
import { UnderWay } from '../under-way.ts';
import type { PaidSender } from '../budget/spending.ts';
import { type UpstreamRequest, Upstream } from '../upstream.ts';
import type { WitnessedCall } from '../witness.ts';
import { Inner, type InnerAnswer, type Question } from './inner.ts';

/** Bytes of an answer that are compared at most: comparing must keep no client waiting. */
export const longest = 256 * 1024;

/** What a write would be on v2; its body as text. */
interface TranslatedRequest {
  readonly endpoint: V2EndpointId;
  readonly body: string | undefined;
}

export class Questions {
  readonly #context: OwnContext;
  readonly #serve: (call: Call) => void;
  readonly #inner = new Inner(longest);
  readonly #v1: Upstream;
  readonly #v2: Upstream;
  readonly #budgeted: PaidSender;

  constructor(context: OwnContext, v1Base: string, serve: (call: Call) => void) {
    this.#context = context;
    this.#serve = serve;
    this.#v1 = new Upstream(context.options, 'v1', v1Base);
    this.#v2 = new Upstream(context.options);
    this.#budgeted = context.budget.before(this.#v2);
  }

  /** @returns v2's answer as v1's, and the code of the failure that stands in its place */
  async askV2(question: Question): Promise<{ readonly answer: InnerAnswer; readonly code: string | undefined }> {
    let asked: Call | undefined;
    const answer = await this.#inner.ask(question, (req, res) => void (asked = this.#answer(req, res, this.#budgeted)));
    return { answer, code: asked?.code };
  }

  /** @returns undefined where v1 gives no answer */
  askV1({ method, target, fields }: Question): Promise<InnerAnswer | undefined> {
    return new Promise((resolve) => {
      const collector = new Collector(longest);
      let head: Pick<InnerAnswer, 'status' | 'fields'> = { status: 0, fields: [] };
      let fits = true;
      this.#v1.send(
        { method, path: target, fields: [...fields], body: null },
        {
          onSending: ignore,
          onInterim: ignore,
          onHead: (status, _text, raw) => void (head = { status, fields: raw }),
          onData: (chunk) => void (fits &&= collector.add(chunk)),
          onEnd: () => resolve({ ...head, body: fits ? collector.bytes() : undefined }),
          onFailure: () => resolve(undefined),
        },
      );
    });
  }

  /** Translates a call without sending it. @returns what would be sent, or the status with which the translation refuses it */
  async translate(question: Question): Promise<{ readonly request?: TranslatedRequest; readonly status?: number }> {
    let request: UpstreamRequest | undefined;
    const sender: PaidSender = {
      send(given, receiver) {
        request = given;
        // Not within the call: whoever sends has to get its handle first.
        setImmediate(() => receiver.onFailure('overloaded', new Error('This is not sent')));
        return { pause: ignore, resume: ignore, cancel: ignore };
      },
    };
    const { status } = await this.#inner.ask(question, (req, res) => void this.#answer(req, res, sender));
    const endpoint = request && v2EndpointOf(request.method, request.path.split('?', 1)[0] ?? '');
    if (request === undefined || endpoint === undefined) return { status };
    // What the translation streams is what the client sent.
    const body = Buffer.isBuffer(request.body) ? request.body : question.body;
    return { request: { endpoint, body: body?.toString() } };
  }

  async close(): Promise<void> {
    await Promise.all([this.#v1.close(), this.#v2.close()]);
  }

  /** Answers a question as the proxy answers a client whose calls are translated; nothing of it is logged as a call. */
  #answer(req: IncomingMessage, res: ServerResponse, upstream: PaidSender): Call {
    const { recorder } = this.#context;
    const context: Context = {
      ...this.#context,
      upstream,
      underWay: new UnderWay(),
      recorder: {
        identify: recorder.identify,
        clientOf: (call) => recorder.clientOf(call),
        pays: ignore,
        payerOf: (key) => recorder.payerOf(key),
        record: (call) => recorder.recordQuestion(call),
        failure: ignore,
        missingContact: ignore,
        answerUnread: ignore,
        mappingFailed: (call, error) => recorder.mappingFailed(call, error),
      },
    };
    const call = new Call(req, res, context);
    this.#serve(call);
    return call;
  }
}

const ignore = (): void => undefined;

/** The question that is a client's call. */
export function questionOf({ req }: WitnessedCall, body?: Buffer): Question {
  const fields = readHead(req.rawHeaders, asItCame).forward;
  return { method: req.method ?? '', target: originForm(req.url ?? ''), fields, body };
}
