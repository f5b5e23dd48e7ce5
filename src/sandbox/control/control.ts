/** The control surface: what the dashboard, the clock and the faults can do, over HTTP and in JSON, for the own machine only. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { z } from 'zod';
import { DashboardError } from '../dashboard/error.ts';
import { roles } from '../dashboard/keys.ts';
import { valid } from '../dashboard/valid.ts';
import { FaultRuleError } from '../faults/rule.ts';
import { finish, isAnswered } from '../http/finish.ts';
import { parseTarget } from '../http/routes.ts';
import type { RefusedRow } from '../http/listener.ts';
import { jsonType } from '../http/serve.ts';
import { ClockError } from '../clock/instants.ts';
import { SnapshotError } from '../instance/snapshot.ts';
import { maxSnapshot, readJson, writeSnapshot } from './body.ts';
import { ControlError } from './error.ts';
import { guard } from './guard.ts';
import { type ControlCall, type ControlHandlers, createHandlers } from './handlers.ts';
import { match } from './match.ts';
import { type ControlRoute, type RouteId, routes } from './routes.ts';
import type { ControlTarget } from './target.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/**
 * Answers the requests of the admin port.
 * @param onError is given what failed inside; the caller gets a 500 that says no more
 * @param largest bytes of a snapshot, in an answer as in a request
 */
export function createControl(target: ControlTarget, onError: (error: unknown) => void, largest = maxSnapshot): RequestListener {
  const handlers = createHandlers(target);
  return async (req, res) => {
    const { status, text, fields } = await answer(handlers, req, largest).catch((error: unknown) => refusal(error) ?? fail(error, onError));
    if (isAnswered(res)) return;
    res.writeHead(status, {
      'Content-Type': jsonType,
      'Content-Length': Buffer.byteLength(text),
      Date: new Date(target.clock.now()).toUTCString(),
      ...fields,
    });
    finish(res, text);
  };
}

/** Indented and ended, for people who read it in a terminal. */
function write(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The role of the user who acts; the sandbox takes the caller's word for it. */
const roleField = 'Dashboard-Role';
const head = z.object({ [roleField]: z.enum(roles).default('owner') });

async function answer(handlers: ControlHandlers, req: IncomingMessage, largest: number): Promise<Answer> {
  guard(req.headers);
  const { path, query } = parseTarget(req.url ?? '');
  const { id, route, at } = match(req.method ?? '', path);
  const content = await handle(handlers, id, await readCall(id, { req, at, query, largest }));
  return { status: route.status ?? 200, text: id === 'snapshot' ? writeSnapshot(content, largest) : write(content) };
}

/** Calls and handlers of one row fit together; TypeScript can follow that as long as the row has a name. */
function handle<Id extends RouteId>(handlers: ControlHandlers, id: Id, call: ControlCall<Id>): unknown {
  return handlers[id](call);
}

interface Unread {
  readonly req: IncomingMessage;
  readonly at: Readonly<Record<string, string>>;
  readonly query: string;
  readonly largest: number;
}

/** Checks a request against its row. @throws what `refusal` knows */
async function readCall<Id extends RouteId>(id: Id, { req, at, query, largest }: Unread): Promise<ControlCall<Id>> {
  const route: ControlRoute = routes[id];
  const call = {
    at,
    role: valid(head, { [roleField]: req.headers[roleField.toLowerCase()] })[roleField],
    query: route.query && valid(route.query, Object.fromEntries(new URLSearchParams(query))),
    body: route.body && valid(route.body, await readJson(req, route, largest)),
  };
  // A parse edge: the schemas and names of this very row have made the call.
  return call as ControlCall<Id>;
}

/** What a caller did wrong; undefined where it was not the caller. */
function refusal(error: unknown): Answer | undefined {
  if (error instanceof ControlError) return { ...refused(error), fields: error.fields };
  if (error instanceof DashboardError) return refused(error);
  if (error instanceof ClockError || error instanceof FaultRuleError) return refused(new ControlError('INVALID', error.message));
  if (error instanceof SnapshotError) return refused(new ControlError(error.code, error.message));
  return undefined;
}

function refused({ status, code, message }: ControlError | DashboardError): Answer {
  return { status, text: write({ error: { code, message } }) };
}

const unasked: Readonly<Record<RefusedRow, ControlError>> = {
  badRequest: new ControlError('INVALID', 'What came is not one request of HTTP/1.1, with Host and a body as its head says; send one'),
  notFound: new ControlError('NOT_FOUND', 'The control surface is no proxy; docs/sandbox.md lists the paths that it has'),
};

/** What the listener says where there is no request to answer. */
export function writeRefused(row: RefusedRow): string {
  return refused(unasked[row]).text;
}

function fail(error: unknown, onError: (error: unknown) => void): Answer {
  onError(error);
  return { status: 500, text: write({ error: { code: 'INTERNAL', message: 'The sandbox failed; its log says why' } }) };
}
