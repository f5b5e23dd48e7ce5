/** The proxy as a library: a `(req, res)` handler for node:http, Express and Fastify, and the pieces the standalone server adds to it. */
import { EventEmitter } from 'node:events';
import { hostname } from 'node:os';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { checkContract } from '../src/contract/check.ts';
import { type V1ErrorRowId, errorRows } from '../src/contract/errors.ts';
import { endpointIds, v1Endpoints, v2Endpoints } from '../src/contract/endpoints.ts';
import { HourlyBudget } from './budget/budget.ts';
import { Call } from './call.ts';
import { AnswerComparer } from './compare/comparer.ts';
import { Connections } from './connections.ts';
import type { OwnContext, RollingOut } from './context.ts';
import { deprecationFields } from './deprecation.ts';
import { hangUp } from './drain-request.ts';
import { translatedRows } from './errors/translate.ts';
import type { FailureId } from './failures.ts';
import { localRows } from './v1-rules.ts';
import { compileMappings } from './mappings.ts';
import type { ProxyOptions } from './options.ts';
import { Origins } from './origins.ts';
import { PassingRelay, admit, passThrough, purposeOf } from './passthrough.ts';
import { answerOn } from './passthrough/tunnel.ts';
import { Upgrades, isHandshake } from './passthrough/upgrades.ts';
import { Recorder } from './record.ts';
import { expecting } from './request-body.ts';
import { isV1, isV2 } from './route.ts';
import { RoadLog } from './road-log.ts';
import { Stages } from './stages.ts';
import { Reuse } from './reuse/reuse.ts';
import { toldWrites } from './reuse/told-writes.ts';
import { unheard } from './reuse/writes.ts';
import { sparedMetrics } from './metrics/spared.ts';
import { roadMetrics } from './metrics/road.ts';
import { UnderWay } from './under-way.ts';
import { type Sender, Upstream } from './upstream.ts';
import { V1Probe } from './v1-probe.ts';
import { validateRequest } from './request-validation.ts';
import { refuseInBrownout } from './refuse.ts';
import { ObservingRelay } from './observe.ts';
import { decide, nameRefused, serveV1 } from './v1.ts';
import { within } from './within.ts';

export interface MigrationProxy {
  /** Serves a request when it is its turn. As Express middleware, requests that belong to neither version go to `next`. */
  handler(req: IncomingMessage, res: ServerResponse, next?: () => void): void;
  /**
   * Serves a request whose turn it is.
   * @returns the call, for whoever has to end it because its connection is broken
   */
  serve(req: IncomingMessage, res: ServerResponse): Call | undefined;
  /** The same for the server's `checkContinue` event, so that 100 is only sent where the body will be read. */
  checkContinue(req: IncomingMessage, res: ServerResponse): Call | undefined;
  /** Answers a request that the listener could not accept. */
  refuse(req: IncomingMessage, res: ServerResponse, failure: FailureId): Call | undefined;
  /** For the server's `upgrade` event: only `/v2` can be upgraded; paths of neither version are left to its other listeners, if any. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Stops taking calls (503), lets those in flight finish, and closes the connections to v2, upgraded ones too.
   * @param patience milliseconds after which calls in flight are given up; without it, they end by their own timeouts
   */
  close(patience?: number): Promise<void>;
  /** Breaks upgraded connections, and those that are still to be. */
  abandon(): void;
  readonly context: OwnContext;
}

/**
 * Creates the proxy.
 * @throws ContractError where the endpoint and error tables contradict themselves; MappingError where a mapping cannot be compiled
 */
export function createProxy(options: ProxyOptions): MigrationProxy {
  checkOwnContract();
  const origins = new Origins(options);
  const recorder = new Recorder(options, origins);
  const upstream = new Upstream(options);
  const budget = new HourlyBudget(options, recorder.identify, recorder.metrics);
  const paid = budget.before(upstream);
  const spared = sparedMetrics(recorder.metrics.registry);
  const { replicas = [] } = options;
  const silent = unheard(() => Math.max(replicas.length, budget.ledger.replicas));
  const writes = options.writes ?? (options.notes === undefined ? silent : toldWrites(options.notes, silent));
  const reuse = options.budget.enabled ? new Reuse(paid, { now: options.now, writes, spared }) : undefined;
  const alone: OwnContext = {
    options,
    assumptions: options.assumptions,
    upstream: reuse ?? paid,
    connections: upstream,
    budget,
    reuse,
    origins,
    mappings: compileMappings(options.mappings),
    recorder,
    deprecation: deprecationFields(options.assumptions, options.v2Base),
    rollout: undefined,
    underWay: new UnderWay(),
    draining: false,
  };
  const context: OwnContext = { ...alone, rollout: rollingOut(alone) };
  recorder.metrics.gauge(
    'migrate_v2_upstream_calls_in_flight',
    'Calls that wait for v2 or for a connection to it',
    () => upstream.inFlight,
    'sum',
  );
  const upgrades = new Upgrades(options, origins);
  const upgradesOfV1 = options.v1Base === undefined ? undefined : new Upgrades(options, origins, options.v1Base);
  // Those of a server that is not the proxy's own.
  const connections = new Connections(options.bodyTimeout);

  const handler: MigrationProxy['handler'] = (req, res, next) => {
    const target = req.url ?? '';
    // A client that left while others had the request: nobody is there to be answered.
    if (res.closed) return;
    if (next !== undefined && !isV1(target) && !isV2(target)) next();
    else connections.serve(serve, req, res);
  };
  const serve: MigrationProxy['serve'] = (req, res) => {
    const untranslated = isV2(req.url ?? '');
    const call = new Call(req, res, context, untranslated);
    if (untranslated) passThrough(call);
    else serveV1(call);
    return call;
  };
  const refuse: MigrationProxy['refuse'] = (req, res, failure) => {
    const untranslated = isV2(req.url ?? '');
    const call = new Call(req, res, context, untranslated);
    if (untranslated) admit(call);
    else nameRefused(call);
    call.fail(failure);
    return call;
  };
  const end = async (patience?: number): Promise<void> => {
    context.draining = true;
    recorder.drain();
    budget.drain();
    options.keyMap?.close();
    connections.close();
    const over = context.underWay.over();
    await (patience === undefined ? over : within(patience, over));
    upgrades.close();
    upgradesOfV1?.close();
    context.rollout?.stages.close();
    await Promise.all([upstream.close(), context.rollout?.v1.close(), context.rollout?.comparer.close()]);
    await budget.close();
  };
  let ended: Promise<void> | undefined;
  const upgrade: MigrationProxy['upgrade'] = (req, socket, head) => {
    const target = req.url ?? '';
    // Behind the last answer of a connection nothing is processed (RFC 9112 §9.6).
    if (!socket.writable) socket.destroy();
    // Left to others. Node has taken its own listeners away: until they add theirs, a client could end the process with a reset.
    else if (!isV2(target) && !isV1(target) && !isOnlyListener(req, upgrade)) socket.on('error', () => undefined);
    else if (connections.leaveHttp(socket, () => hangUp(socket))) return;
    else if (isV2(target)) serveUpgrade(req, socket, head);
    else if (context.rollout !== undefined) serveV1Upgrade(context.rollout, req, socket, head);
    else socket.destroy();
  };
  const serveV1Upgrade = ({ stages }: RollingOut, req: IncomingMessage, duplex: Duplex, head: Buffer): void => {
    const answer = answerOn(req, duplex);
    if (answer === undefined) return;
    const call = new Call(req, answer.res, context);
    const passed = validateRequest(req, call.head);
    const key = nameRefused(call);
    if ('refused' in passed) return call.abandon(passed.refused);
    const { stage, refusal } = decide(call, stages, key);
    if (refusal !== undefined) return refuseInBrownout(call, refusal);
    // v2 has nothing to translate it to, so that it is a call like any other.
    if (stage === 'translate' || upgradesOfV1 === undefined) return serveV1(call);
    if (!isHandshake(call)) return call.abandon('badRequest');
    if (context.draining) return call.fail('draining');
    call.version = 'v1';
    call.outcome = stage === 'compare' ? 'compared' : 'observed';
    const relay = new ObservingRelay(call);
    relay.follow(upgradesOfV1.send(call, passed.target, answer.socket, head, relay));
  };
  const serveUpgrade: MigrationProxy['upgrade'] = (req, duplex, head) => {
    const answer = answerOn(req, duplex);
    if (answer === undefined) return;
    const call = new Call(req, answer.res, context, true);
    const passed = admit(call);
    if ('refused' in passed) return call.abandon(passed.refused);
    // Node asks about an expectation only where nothing is to be upgraded.
    if (!/^(?:100-continue)?$/i.test(req.headers.expect ?? '')) return call.abandon('expectation');
    // http-proxy-3 closes the connection on anything else without a word, and sends the length of a body without the body.
    if (!isHandshake(call)) return call.abandon('badRequest');
    if (context.draining) return call.fail('draining');
    const relay = new PassingRelay(call);
    const way: Sender = { send: (_request, receiver) => upgrades.send(call, passed.target, answer.socket, head, receiver) };
    relay.follow(budget.before(way).send({ method: 'GET', path: passed.target, fields: [], body: null, purpose: purposeOf(call) }, relay));
  };

  return {
    handler,
    serve,
    checkContinue(req, res) {
      expecting.add(req);
      return serve(req, res);
    },
    refuse,
    upgrade,
    close: (patience) => (ended ??= end(patience)),
    abandon: () => {
      upgrades.close();
      upgradesOfV1?.close();
    },
    context,
  };
}

/** What calls need of a roll-out; nothing where there is none. */
function rollingOut(context: OwnContext): RollingOut | undefined {
  const { options, assumptions, recorder } = context;
  const { rollout, v1Base, logger, now, usage, replica = hostname(), baseline = new Map(), guard } = options;
  if (rollout === undefined || v1Base === undefined) return undefined;
  const road = new RoadLog({ store: usage, replica, logger, now });
  const stages = new Stages({
    rules: rollout,
    road,
    logger,
    sunset: Date.parse(assumptions.sunsetAt),
    now,
    baseline,
    guard,
    named: (clients) => recorder.nameClients(clients),
  });
  roadMetrics(recorder.metrics, stages);
  const v1 = new Upstream(options, 'v1', v1Base);
  const probe = new V1Probe(v1, assumptions.sunsetStatus, now);
  return { stages, v1, probe, comparer: new AnswerComparer(context, { stages, v1Base, serve: serveV1 }) };
}

/** Whether a server has no other listener that would ever close the connection of an upgrade. */
function isOnlyListener({ socket }: IncomingMessage, listener: MigrationProxy['upgrade']): boolean {
  const server = 'server' in socket ? socket.server : undefined;
  return server instanceof EventEmitter && server.listeners('upgrade').every((other) => other === listener);
}

function checkOwnContract(): void {
  const required = Object.entries(errorRows).flatMap(([id, row]) => (row.where === 'v1' ? [id] : []));
  const mapped: V1ErrorRowId[] = [...translatedRows, ...localRows];
  checkContract({
    consumer: 'proxy',
    endpoints: v1Endpoints,
    successors: v2Endpoints,
    handled: endpointIds(v1Endpoints),
    rows: { required, mapped },
  });
}
