/**
 * The order in which a call is checked, the same in both versions: switched off (410), route (404), key (401), limits (429), access (403),
 * Content-Type (400), size (413), JSON (400), then what the handler says. A fault that was ordered is looked for first: it may come in place
 * of all that, or befall the answer on its way.
 */
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Assumptions } from '../../contract/assumptions.ts';
import type { Endpoint } from '../../contract/endpoints.ts';
import type { Faults } from '../faults/faults.ts';
import { refusalOf } from '../faults/refusal.ts';
import { hasContent } from '../../contract/statuses.ts';
import type { Clock } from '../clock/clock.ts';
import type { JsonObject } from '../values/json.ts';
import { notFound, type Outcome, type Refusal } from '../service/outcome.ts';
import type { Key } from '../store/keys.ts';
import type { Workspace } from '../store/workspace.ts';
import { hasBody, isJson, maxBody, parseBody, readBody } from './body.ts';
import { isAnswered } from './finish.ts';
import type { FindRoute, Target } from './routes.ts';
import { breakOff, transmit } from './transmit.ts';

/** A call that was let in. */
interface Call {
  readonly workspace: Workspace;
  /** The id in the path; empty where the endpoint has none. */
  readonly id: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** Empty where the call came without a body. */
  readonly body: JsonObject;
}

export type Handler = (call: Call) => Outcome | Promise<Outcome>;

/** An answer as it goes over the wire. */
export interface Written {
  readonly status: number;
  readonly contentType: string;
  readonly content: string;
}

type Fields = Readonly<Record<string, string>>;

/** What the two versions do each in their own way. */
export interface Version {
  /** The ids of the endpoints it has handlers for. */
  readonly handled: readonly string[];
  readonly findRoute: FindRoute<Handler>;
  /** Why calls to this path are not served any more, if so. */
  switchedOff(path: string): Refusal | undefined;
  /** The active key that a request carries. */
  authenticate(req: IncomingMessage): Key | Refusal;
  /** Counts a call of this key, or says which limit it exceeds. */
  count(key: Key): Refusal | undefined;
  writeError(refusal: Refusal): Written;
  /** Fields that every answer to this path carries, given its endpoint and id where it has one. */
  fields(path: string, match: ReturnType<FindRoute<Handler>>): Fields;
}

export interface ServeOptions {
  readonly clock: Clock;
  readonly assumptions: Assumptions;
  readonly faults: Faults;
  /** Is given what a handler threw; the caller gets a 500. */
  readonly onError: (error: unknown) => void;
  /** What observers are told of the version besides its answers. */
  readonly about: JsonObject & { readonly api: 'v1' | 'v2' };
}

export type Serve = (req: IncomingMessage, res: ServerResponse, target: Target) => Promise<void>;

export const jsonType = 'application/json; charset=utf-8';

/** Publishes every answer, for whoever checks them; costs nothing where nobody does. */
const answers = channel('migrate-v2:sandbox:answer');

/** Serves one version: every request gets one answer, or its connection is cut; the promise never rejects. */
export function serveVersion(version: Version, { clock, assumptions, faults, onError, about }: ServeOptions): Serve {
  const failed = (error: unknown): Refusal => {
    onError(error);
    return { refused: 'serverFault' };
  };
  const serve: Serve = async (req, res, target) => {
    // RFC 9110 §9.3.2: HEAD is GET without the content, which node:http leaves out by itself.
    const method = req.method === 'HEAD' && assumptions.headLikeGet ? 'GET' : (req.method ?? '');
    const match = version.findRoute(method, target.path);
    const fault = faults.pick({ method, path: target.path, endpoint: match?.endpoint });
    if (fault?.kind === 'reset' && fault.at === 'request') return breakOff(res);
    const outcome =
      fault?.kind === 'error' ? refusalOf(fault, about.api) : await decide(version, req, { match, target, assumptions }).catch(failed);
    const { status, contentType, content } = write(version, outcome);
    const retryAfter = 'retryAfter' in outcome && { 'Retry-After': String(outcome.retryAfter) };
    const headers = {
      ...(hasContent(status) && { 'Content-Type': contentType, 'Content-Length': String(Buffer.byteLength(content)) }),
      // By the sandbox's own clock, like every other time in an answer.
      Date: new Date(clock.now()).toUTCString(),
      ...retryAfter,
      ...version.fields(target.path, match),
    };
    if (isAnswered(res)) return;
    if (answers.hasSubscribers) {
      // As sent, both: to a HEAD no content goes out.
      const sent = { method: req.method, content: req.method === 'HEAD' ? '' : content };
      answers.publish({ ...about, ...sent, path: target.path, status, contentType, headers, fault: fault?.kind });
    }
    await transmit(res, { status, headers, content }, fault, faults.over);
  };
  return (req, res, target) =>
    serve(req, res, target).catch((error: unknown) => {
      onError(error);
      res.destroy();
    });
}

interface Asked {
  readonly match: ReturnType<Version['findRoute']>;
  readonly target: Target;
  readonly assumptions: Assumptions;
}

/** All that the head of a request decides is decided before its body is read, and without waiting for anything. */
async function decide(version: Version, req: IncomingMessage, { match, target, assumptions }: Asked): Promise<Outcome> {
  const off = version.switchedOff(target.path);
  if (off !== undefined) return off;
  if (match === undefined) return notFound;
  const { endpoint, handler, id } = match;
  const key = version.authenticate(req);
  if ('refused' in key) return key;
  const pastLimit = version.count(key);
  if (pastLimit !== undefined) return pastLimit;
  if (key.access === 'read' && needsWrite(endpoint, assumptions)) return { refused: 'noPermission' };
  const call = { workspace: key.workspace, id, query: target.query };
  const bodyFollows = hasBody(req.headers);
  if (endpoint.body === 'none' || (endpoint.body === 'optional' && !bodyFollows)) return handler({ ...call, body: {} });
  if (!isJson(req.headers['content-type'])) return { refused: 'contentType' };
  const bytes = await readBody(req, maxBody);
  if (bytes === undefined) return { refused: 'bodyTooLarge' };
  const parsed = parseBody(bytes, true);
  return 'refused' in parsed ? parsed : handler({ ...call, body: parsed.body });
}

function needsWrite({ access, method }: Endpoint, { putNeedsWrite }: Assumptions): boolean {
  return access === 'write' && (method !== 'PUT' || putNeedsWrite);
}

function write(version: Version, outcome: Outcome): Written {
  if ('refused' in outcome) return version.writeError(outcome);
  const { status, body } = outcome;
  return { status, contentType: jsonType, content: hasContent(status) ? JSON.stringify(body) : '' };
}
