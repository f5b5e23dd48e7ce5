/** Tells what happened: one log line per call, one per failure, and the counters behind /metrics. Keys never come here in the clear. */
import type { Logger } from 'pino';
import { unlisted } from '../src/contract/endpoints.ts';
import { clientNames } from '../src/usage/client-name.ts';
import { type ClientProduct, clientProducts } from '../src/usage/client-product.ts';
import { type DeprecatedUse, daysUntil, recordedMethod, traceIdOf } from '../src/usage/deprecated-use.ts';
import { ignoredProducts, productNames } from '../src/usage/ignored.ts';
import { type KeyFingerprint, keyFingerprinter } from '../src/usage/key-fingerprint.ts';
import { ProvenKeys } from '../src/usage/proven-keys.ts';
import type { Kind } from '../src/usage/model.ts';
import { remembering } from '../src/usage/remembering.ts';
import type { Use } from '../src/usage/use.ts';
import { type Workspace, workspaceOfKey } from '../src/usage/workspaces.ts';
import { type Failure, failures } from './failures.ts';
import type { MappingError } from './mappings/error.ts';
import { ClientMetrics } from './metrics/clients.ts';
import { Metrics } from './metrics/metrics.ts';
import { recordMetrics } from './metrics/record.ts';
import type { ProxyOptions, UsageRecord } from './options.ts';
import type { Origins } from './origins.ts';
import type { KeyOwner, RecordedCall } from './recorded-call.ts';
import { isV1 } from './route.ts';

/** The log line of a call. One to v2 has the same properties, but for what only concerns v1. */
interface AccessLine extends Omit<DeprecatedUse, 'event' | 'outcome' | 'daysUntilSunset'> {
  readonly event: DeprecatedUse['event'] | 'passed_through';
  /** `passed`: v2's answer was relayed as it came. */
  readonly outcome: Kind['outcome'];
  readonly daysUntilSunset?: number;
}

const isDeprecatedUse = (line: AccessLine): line is AccessLine & DeprecatedUse => line.event === 'deprecated_use';

/** A call that is over, and is not recorded yet. */
interface Over {
  readonly call: RecordedCall;
  /** When it ended, in epoch milliseconds. */
  readonly at: number;
  /** In milliseconds. */
  readonly duration: number;
}

/** What calls need of a recorder. */
export type CallRecorder = Pick<
  Recorder,
  'identify' | 'clientOf' | 'pays' | 'payerOf' | 'record' | 'failure' | 'missingContact' | 'answerUnread' | 'mappingFailed'
> &
  Partial<Pick<Recorder, 'answering'>>;

export class Recorder {
  readonly metrics: Metrics;
  /** How a key is known, and whose it is. */
  readonly identify: (key: string) => KeyOwner;
  readonly #logger: Logger;
  readonly #origins: Origins;
  #client: ReturnType<typeof clientProducts>;
  readonly #productsWith: (further: readonly string[]) => ReturnType<typeof clientProducts>;
  readonly #provenKeys = new ProvenKeys();
  readonly #sunset: number;
  readonly #now: () => number;
  /** Recorded together at the end of a turn of the loop: the way is long, and cold each time among all else that a call does (bench/README.md). */
  #over: Over[] = [];
  /** Whether each is recorded as soon as it is over. */
  #isAtOnce = false;
  readonly #requestIdPrefix = `${crypto.randomUUID().slice(0, 8)}-`;
  #requests = 0;

  /** By the v2 keys of a key map: no more than it has. */
  readonly #payers = new Map<string, KeyOwner>();
  readonly #clientMetrics: ClientMetrics;
  readonly #usage: UsageRecord | undefined;
  /** To be called before the last of an answer leaves; undefined where the record need not know. */
  readonly answering: ((call: RecordedCall) => void) | undefined;
  readonly #telemetry: ProxyOptions['telemetry'];
  readonly #clientHeader: string | undefined;
  readonly #name: (value: string | undefined, keys: readonly string[]) => string | null;

  constructor(options: ProxyOptions, origins: Origins) {
    const { logger, hashSecret, clients, clientHeader, workspaces, ignore, metricsClients, usage, telemetry, assumptions, now } = options;
    this.#logger = logger;
    this.#origins = origins;
    this.identify = keyOwners(keyFingerprinter(hashSecret), workspaces);
    const shown = [...clients, ...ignoredProducts(ignore)];
    this.#productsWith = (further) => clientProducts([...shown, ...productNames(further)], hashSecret);
    this.#client = this.#productsWith([]);
    this.#clientHeader = clientHeader;
    this.#name = clientNames(hashSecret);
    this.#sunset = Date.parse(assumptions.sunsetAt);
    this.#now = now;
    this.metrics = new Metrics(this.#sunset, now);
    this.#clientMetrics = new ClientMetrics(this.metrics.registry, metricsClients, now);
    this.#usage = usage;
    this.#telemetry = telemetry;
    if (usage !== undefined && 'state' in usage) recordMetrics(this.metrics.registry, () => usage.state);
    if (usage?.answering !== undefined) {
      this.answering = (call) => this.#answering(call, usage);
      // One of several processes has few calls in a turn, and has told of each before: together they cost a call a seventh more there.
      this.#isAtOnce = true;
    }
    telemetry?.follow(this.metrics.registry);
  }

  /**
   * Records one answered (or abandoned) call. A request that is none – a load balancer's probe of `/` – is no use of v1, and a call to v2 is
   * no deprecated one: it only counts towards the limit that v1 calls of the same key meet on v2.
   */
  record(call: RecordedCall): void {
    if (call.route === undefined && !call.untranslated && !isV1(call.req.url ?? '')) return;
    this.#over.push(this.#overNow(call));
    if (this.#isAtOnce) this.#recordAll();
    else if (this.#over.length === 1) setImmediate(() => this.#recordAll());
  }

  /** From now on each call is recorded as soon as it is over: nothing may come after the last one. */
  drain(): void {
    this.#isAtOnce = true;
    this.#recordAll();
  }

  #recordAll(): void {
    const over = this.#over;
    this.#over = [];
    for (const each of over) this.#record(each);
  }

  #overNow(call: RecordedCall): Over {
    return { call, at: this.#now(), duration: performance.now() - call.startedAt };
  }

  #record(over: Over): void {
    const { call } = over;
    const product = this.#productOf(call);
    const use = this.#useOf(over, product);
    const outcome = call.untranslated && use.outcome === 'translated' ? 'passed' : use.outcome;
    const line = this.#log(call, use, outcome);
    if (call.untranslated) return this.#passed(call, use, outcome);
    this.metrics.call(use);
    this.#clientMetrics.call(use.key?.hash ?? '', product.named, use.client, use.workspace, use.at);
    this.#usage?.add(use, product.named, call);
    if (isDeprecatedUse(line)) this.#telemetry?.add(line, use);
  }

  #answering(call: RecordedCall, usage: UsageRecord): void {
    if (call.untranslated || (call.route === undefined && !isV1(call.req.url ?? ''))) return;
    const product = this.#productOf(call);
    usage.answering?.(this.#useOf(this.#overNow(call), product), product.named, call);
  }

  #passed({ head, code }: RecordedCall, use: Use, outcome: AccessLine['outcome']): void {
    this.metrics.passed(use, outcome);
    // What the budget refused costs nothing, but would without it: a plan is chosen by what is asked.
    if ((use.v2Calls === 0 && code !== failures.hourUsedUp.code) || use.key === undefined) return;
    const { fingerprint, workspace } = this.#payers.get(head.bearer ?? '') ?? { fingerprint: use.key, workspace: use.workspace };
    this.#usage?.add({ ...use, outcome: 'passed', key: fingerprint, workspace });
  }

  /** Records what asking v2 beside v1 has cost of v2's limit. It is no use of v1: that is the call which v1 answered. */
  recordQuestion(call: RecordedCall): void {
    const use = this.#useOf(this.#overNow(call), this.#productOf(call));
    if (use.v2Calls > 0) this.#usage?.add({ ...use, outcome: 'passed' });
  }

  /**
   * Notes that a v2 key stands for a v1 key: calls with either use up the same limit, and are recorded as of the same key from now on. Of several
   * v1 keys for one v2 key, that of the last call.
   */
  pays(v2Key: string, owner: KeyOwner): void {
    if (this.#payers.get(v2Key) !== owner) this.#payers.set(v2Key, owner);
  }

  /** Whose v1 key a v2 key stands for, as far as there was a call with it. */
  payerOf(v2Key: string): KeyOwner | undefined {
    return this.#payers.get(v2Key);
  }

  /** Shows further client products by their names. */
  nameClients(products: readonly string[]): void {
    this.#client = this.#productsWith(products);
  }

  /** The product of a call's User-Agent, for rules: what may be shown of it is not known before the call has been answered. */
  clientOf(call: Pick<RecordedCall, 'head'>): string {
    return this.#productOf(call).named;
  }

  #productOf({ head }: Pick<RecordedCall, 'head'>): ClientProduct {
    return this.#client(head.userAgent, head.bearer === undefined ? head.keys : [...head.keys, head.bearer]);
  }

  #useOf({ call, at, duration }: Over, { listed, named }: ClientProduct): Use {
    const { req, res, head, key, route, outcome, v2Calls, untranslated } = call;
    const endpoint = route?.label ?? unlisted;
    const status = res.headersSent ? res.statusCode : 0;
    const isProven = key !== undefined && this.#provenKeys.isProven(key.fingerprint.hash, { endpoint, status, outcome }, untranslated);
    // Each property by its name, here and in the log line: `...` makes an object property by property, which costs a call half a microsecond.
    return {
      at,
      endpoint,
      status,
      outcome,
      method: recordedMethod(req.method),
      duration,
      v2Calls,
      key: key?.fingerprint,
      workspace: key?.workspace ?? null,
      client: isProven ? named : listed,
      name: this.#clientHeader === undefined ? null : this.#name(fieldOf(req.rawHeaders, this.#clientHeader), head.keys),
      resource: req.method === 'GET' ? req.url : undefined,
      address: this.#origins.clientOf(req),
    };
  }

  #log(call: RecordedCall, use: Use, outcome: AccessLine['outcome']): AccessLine {
    const { head, code, untranslated } = call;
    const { endpoint, method, status, duration, key, workspace, client, at } = use;
    const line: AccessLine = {
      event: untranslated ? 'passed_through' : 'deprecated_use',
      endpoint,
      method,
      status,
      outcome,
      duration: Math.round(duration * 100) / 100,
      key: key?.prefix,
      keyHash: key?.hash,
      workspace: workspace ?? undefined,
      client,
      daysUntilSunset: untranslated ? undefined : daysUntil(this.#sunset, at),
      requestId: this.#requestIdPrefix + ++this.#requests,
      traceId: traceIdOf(head.traceparent),
      code,
    };
    this.#logger.info(line);
    return line;
  }

  /** Says why a call failed. Only codes are logged: messages of parsers and sockets can quote what the client sent. */
  failure(call: RecordedCall, failure: Failure, cause: NodeJS.ErrnoException): void {
    this.#logger.warn({
      event: 'call_failed',
      endpoint: call.route?.label ?? unlisted,
      code: failure.code,
      cause: cause.code ?? cause.name,
    });
  }

  /** A request that the listener refused before there was a call. */
  refused(failure: Failure, cause: string): void {
    this.#logger.info({ event: 'request_refused', status: failure.status, code: failure.code, cause });
    this.metrics.refused(failure.code);
  }

  /** A v1 409 without the contact that v1 would have carried: the gap is named, never filled with a guess. */
  missingContact(call: RecordedCall, reason: string): void {
    this.#logger.warn({
      event: 'existing_contact_missing',
      endpoint: call.route?.label ?? unlisted,
      reason,
      hint: 'v2 did not show the existing contact; set mappings or assumptions.contactSearchParameter',
    });
  }

  /** A call that v2 carried out and that was answered as a success, although what v2 answered could not be read. */
  answerUnread(call: RecordedCall, failure: Failure, cause: NodeJS.ErrnoException): void {
    this.#logger.error({
      event: 'answer_unread',
      endpoint: call.route?.label ?? unlisted,
      code: failure.code,
      cause: cause.code ?? cause.name,
      hint: 'v2 carried the call out, and its answer could not be read; the client was told of success alone, without the ids that v2 gave',
    });
  }

  /** A mapping that does not fit what it was given: a request is refused then, of an answer v2's own body is relayed. */
  mappingFailed(call: RecordedCall, { code, place, message }: MappingError): void {
    // Its message is made to be logged: see MappingError.
    this.#logger.error({ event: 'mapping_failed', endpoint: call.route?.label ?? unlisted, place, code }, message);
  }

  /** The state of the deprecation, once per start. */
  start(): void {
    const days = daysUntil(this.#sunset, this.#now());
    if (this.#now() >= this.#sunset)
      this.#logger.warn({ event: 'sunset_passed', daysUntilSunset: days }, 'v1 is past its sunset; the proxy goes on translating to v2');
    else if (days < 30)
      this.#logger.warn(
        { event: 'sunset_near', daysUntilSunset: days },
        `v1 is switched off in ${days} days; move the remaining clients to v2`,
      );
  }
}

/** Finds the owners of keys. */
function keyOwners(fingerprint: (key: string) => KeyFingerprint, workspaces: readonly Workspace[]): (key: string) => KeyOwner {
  const workspaceOf = workspaceOfKey(workspaces);
  return remembering((key) => {
    const found = fingerprint(key);
    return { fingerprint: found, workspace: workspaceOf(key, found.hash)?.name ?? null };
  });
}

/** The first value of a header field; the name is in lower case. */
function fieldOf(raw: readonly string[], name: string): string | undefined {
  for (let i = 0; i < raw.length; i += 2) if (raw[i]?.toLowerCase() === name) return raw[i + 1];
  return undefined;
}
