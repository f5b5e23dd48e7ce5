/**
 * The order in which a call is checked, the same in both versions:
 * route (404), key (401), access (403), Content-Type (400), size (413), JSON (400), then what the handler says.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Assumptions } from '../../contract/assumptions.ts';
import type { Endpoint } from '../../contract/endpoints.ts';
import type { JsonObject } from '../json.ts';
import { notFound, type Outcome, type Refusal } from '../outcome.ts';
import type { Key } from '../store/keys.ts';
import type { Workspace } from '../store/workspace.ts';
import { hasBody, isJson, parseBody, readBody } from './body.ts';
import type { FindRoute, Target } from './routes.ts';

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

export type Handler = (call: Call) => Outcome;

/** An answer as it goes over the wire. */
export interface Written {
  readonly status: number;
  readonly contentType: string;
  readonly content: string;
}

/** What the two versions do each in their own way. */
export interface Version {
  /** The ids of the endpoints it has handlers for. */
  readonly handled: readonly string[];
  readonly findRoute: FindRoute<Handler>;
  /** The active key that a request carries. */
  authenticate(req: IncomingMessage): Key | Refusal;
  writeError(refusal: Refusal): Written;
}

export interface ServeOptions {
  readonly assumptions: Assumptions;
  /** Is given what a handler threw; the caller gets a 500. */
  readonly onError: (error: unknown) => void;
}

export type Serve = (req: IncomingMessage, res: ServerResponse, target: Target) => void;

export const jsonType = 'application/json; charset=utf-8';

/** Serves one version: every request gets one answer, whatever happens. */
export function serveVersion(version: Version, { assumptions, onError }: ServeOptions): Serve {
  const answer = (res: ServerResponse, decide: () => Outcome): void => {
    try {
      send(res, write(version, decide()));
    } catch (error) {
      onError(error);
      send(res, version.writeError({ refused: 'serverFault' }));
    }
  };
  return (req, res, target) => {
    const admitted = admit(version, req, target, assumptions);
    if ('refused' in admitted) {
      answer(res, () => admitted);
      return;
    }
    const { handler, call, bodyFollows } = admitted;
    if (!bodyFollows) {
      answer(res, () => handler(call));
      return;
    }
    readBody(req, (bytes) => answer(res, () => handleBody(handler, call, bytes)));
  };
}

interface Admitted {
  readonly handler: Handler;
  readonly call: Call;
  readonly bodyFollows: boolean;
}

const noBody: JsonObject = {};

/** All that the head of a request decides. */
function admit(version: Version, req: IncomingMessage, { path, query }: Target, assumptions: Assumptions): Admitted | Refusal {
  // RFC 9110 §9.3.2: HEAD is GET without the content, which node:http leaves out by itself.
  const method = req.method === 'HEAD' && assumptions.headLikeGet ? 'GET' : (req.method ?? '');
  const match = version.findRoute(method, path);
  if (match === undefined) return notFound;
  const { endpoint, handler, id } = match;
  const key = version.authenticate(req);
  if ('refused' in key) return key;
  if (key.access === 'read' && needsWrite(endpoint, assumptions)) return { refused: 'noPermission' };
  const bodyFollows = hasBody(req.headers);
  const wantsBody = endpoint.body === 'json' || (endpoint.body === 'optional' && bodyFollows);
  if (wantsBody && !isJson(req.headers['content-type'])) return { refused: 'contentType' };
  return { handler, call: { workspace: key.workspace, id, query, body: noBody }, bodyFollows: wantsBody };
}

function needsWrite({ access, method }: Endpoint, { putNeedsWrite }: Assumptions): boolean {
  return access === 'write' && (method !== 'PUT' || putNeedsWrite);
}

function handleBody(handler: Handler, call: Call, bytes: Buffer | undefined): Outcome {
  if (bytes === undefined) return { refused: 'bodyTooLarge' };
  const parsed = parseBody(bytes);
  return 'refused' in parsed ? parsed : handler({ ...call, body: parsed.body });
}

function write(version: Version, outcome: Outcome): Written {
  if ('refused' in outcome) return version.writeError(outcome);
  return { status: outcome.status, contentType: jsonType, content: JSON.stringify(outcome.body) };
}

function send(res: ServerResponse, { status, contentType, content }: Written): void {
  res.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(content) });
  res.end(content);
}
