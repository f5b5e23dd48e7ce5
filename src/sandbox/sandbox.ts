import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ConfigError, messageOf } from '../config/errors.ts';
import { parseOptions } from '../config/parse.ts';
import { assume, type Assumptions } from '../contract/assumptions.ts';
import type { ErrorDialect, SuccessEnvelope } from '../contract/dialects.ts';
import { openapiDocument } from '../openapi/document.ts';
import type { Api, OpenApiDocument } from '../openapi/types.ts';
import { type ClockState, VirtualClock } from './clock/clock.ts';
import { createControl } from './control/control.ts';
import type { Dashboard } from './dashboard/dashboard.ts';
import type { Demo } from './instance/demo.ts';
import type { Faults } from './faults/faults.ts';
import { readInstant } from './clock/instants.ts';
import { Notice } from './notice.ts';
import { type ListenAddresses, type ListeningSandbox, listenSandbox, SandboxClosedError, type Served } from './server.ts';
import { readSnapshot, SnapshotError, type SandboxSnapshot, writeSnapshot } from './instance/snapshot.ts';
import type { Store } from './store/store.ts';
import { createAddressRules } from './webhooks/address.ts';
import type { Deliveries } from './webhooks/deliveries.ts';
import type { Events } from './webhooks/events.ts';
import { createInstance, type Instance, type InstanceOptions } from './instance/instance.ts';

/** Everything has the default that `migrate-v2 sandbox` has. */
export interface SandboxOptions {
  /**
   * The instant at which the clock stands still until it is turned: ISO 8601, a Date, or milliseconds since the epoch; the machine's clock,
   * running, where absent.
   */
  readonly clock?: string | number | Date | undefined;
  /** Ids, keys and secrets follow from it: the same seed and the same calls give the same ones. */
  readonly seed?: string;
  /** How v2 writes its errors; like v1 where absent. */
  readonly dialect?: ErrorDialect;
  /** How v2 writes its successes; like v1 where absent. */
  readonly envelope?: SuccessEnvelope;
  /** Whether v1's answers carry Deprecation, Sunset and Link, the 410 included; they do not where absent. */
  readonly deprecationHeaders?: boolean;
  /** Lets webhooks go to private addresses and over plain http, for receivers on this machine. */
  readonly allowPrivateWebhooks?: boolean;
  /** Milliseconds for a receiver of webhooks to answer, of real time even where the clock stands still; 8 seconds where absent (api.md §6). */
  readonly webhookTimeout?: number;
  /**
   * How many messages, contacts and campaigns are kept, 100,000 where absent; each counts once for every KiB begun of what it holds. The
   * oldest messages go first, across all workspaces, then other records. The log of deliveries keeps as many entries, and as many events
   * wait for a retry. Not bounded is what the people who run the sandbox make: workspaces, keys and faults; nor are webhook endpoints,
   * other than by the plan.
   */
  readonly maxRecords?: number;
  /** Answers to open questions in place of the assumed ones. */
  readonly assumptions?: Partial<Assumptions>;
  /** Is given what went wrong inside whenever a caller gets a 500 that api.md does not order. */
  readonly onError?: (error: unknown) => void;
  /**
   * Is told how many records, and events that wait for a retry, had to go because of `maxRecords`: when the first ones go, then at most
   * once a minute, and when the sandbox is closed.
   */
  readonly onEvict?: (count: number) => void;
}

export interface Sandbox extends AsyncDisposable {
  /**
   * Answers requests for both versions; works with plain node:http. In a framework, mount it before any body parser: a call whose body was
   * read before gets a 500, and `onError` an error with the code SANDBOX_BODY_CONSUMED.
   */
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
  /** Answers requests to the control surface, likewise. */
  readonly controlHandler: (req: IncomingMessage, res: ServerResponse) => void;
  readonly clock: VirtualClock;
  readonly store: Store;
  /** What goes wrong on demand. */
  readonly faults: Faults;
  readonly deliveries: Deliveries;
  /** What happens in the workspaces and is delivered to their webhook endpoints. */
  readonly events: Events;
  /** What people do in the web dashboard. */
  readonly dashboard: Dashboard;
  readonly demo: Demo;
  /** The OpenAPI document of one version. */
  describe(api: Api): OpenApiDocument;
  /**
   * Serves both versions, and the control surface apart from them.
   * @param addresses free ports of 127.0.0.1 where absent
   * @throws SandboxListenError where an address cannot be listened on, and then neither is; SandboxClosedError after `close`
   */
  listen(addresses?: Partial<ListenAddresses>): Promise<Served>;
  /**
   * Starts over, with the same demo keys and ids as at first. The clock goes back to how it started; deliveries, faults and what was put
   * on the clock's agenda are gone. A call under way is finished and answered in the life in which it began: what it wrote is gone with it.
   */
  reset(): void;
  /** All that the sandbox remembers, as plain JSON. It holds demo keys and signing secrets. */
  snapshot(): SandboxSnapshot;
  /**
   * Goes on from a snapshot of any sandbox: with the same answers, if the options are the same, and the same ids. Like `reset`, it leaves
   * everything behind that went on until then: deliveries, faults, calls under way, and what was put on the clock's agenda.
   * @throws SnapshotError (SNAPSHOT_INVALID) where it is none, and then nothing has changed
   */
  restore(snapshot: unknown): void;
  /** Gives up deliveries, lets requests in flight finish within 5 seconds, and stops serving for good. Nothing is left open. */
  close(): Promise<void>;
}

/**
 * The whole service in memory: v1 and v2 over one store, with a demo workspace in it.
 * @throws ConfigError that names the option which is not accepted; ContractError where the endpoint tables contradict themselves
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigError({ code: 'CONFIG_INVALID', key: 'options', problem: 'must be an object' });
  }
  const { clock, onError = () => undefined, onEvict = () => undefined, ...rest } = options;
  const settings = parseOptions('sandbox', rest);
  const start = clock === undefined ? undefined : startAt(clock);
  const evicted = new Notice(onEvict);
  return new LiveSandbox(start, evicted, {
    ...settings,
    clock: new VirtualClock(start, onError),
    assumptions: assume(settings.assumptions),
    addresses: createAddressRules({ allowPrivate: settings.allowPrivateWebhooks, timeout: settings.webhookTimeout }),
    onError,
    onEvict: evicted.add,
  });
}

/** @throws ConfigError */
function startAt(clock: string | number | Date): number {
  try {
    return readInstant(clock);
  } catch (cause) {
    throw new ConfigError({ code: 'CONFIG_INVALID', key: 'clock', problem: messageOf(cause), cause });
  }
}

const free = { host: '127.0.0.1', port: 0 };

class LiveSandbox implements Sandbox {
  readonly controlHandler: RequestListener;
  /** Milliseconds since the epoch; absent where the clock began with the machine's. */
  readonly #start: number | undefined;
  readonly #evicted: Notice;
  readonly #options: InstanceOptions;
  #instance: Instance;
  readonly #servers = new Set<Promise<ListeningSandbox>>();
  #closed: Promise<unknown> | undefined;

  constructor(start: number | undefined, evicted: Notice, options: InstanceOptions) {
    this.#start = start;
    this.#evicted = evicted;
    this.#options = options;
    this.#instance = createInstance(options);
    this.controlHandler = createControl(this, options.onError);
  }

  readonly handler: RequestListener = (req, res) => this.#instance.serve(req, res);

  get clock(): VirtualClock {
    return this.#options.clock;
  }
  get store(): Store {
    return this.#instance.store;
  }
  get faults(): Faults {
    return this.#instance.faults;
  }
  get deliveries(): Deliveries {
    return this.#instance.deliveries;
  }
  get events(): Events {
    return this.#instance.events;
  }
  get dashboard(): Dashboard {
    return this.#instance.dashboard;
  }
  get demo(): Demo {
    return this.#instance.demo;
  }

  describe(api: Api): OpenApiDocument {
    return openapiDocument(api, this.#options);
  }

  async listen({ listen = free, admin = free }: Partial<ListenAddresses> = {}): Promise<Served> {
    if (this.#closed !== undefined) throw new SandboxClosedError();
    const server = listenSandbox(this, { listen, admin }, this.#options);
    this.#servers.add(server);
    const { url, adminUrl } = await server;
    return { url, adminUrl };
  }

  reset(): void {
    this.#leave({ now: this.#start ?? Date.now(), frozen: this.#start !== undefined });
    this.#instance = createInstance(this.#options);
  }

  snapshot(): SandboxSnapshot {
    return writeSnapshot(this.clock.state(), this.#instance.snapshot());
  }

  restore(snapshot: unknown): void {
    const { clock, ...state } = readSnapshot(snapshot);
    try {
      this.#instance = createInstance(this.#options, state, () => this.#leave(clock));
    } catch (cause) {
      throw new SnapshotError([], messageOf(cause), cause);
    }
  }

  async close(): Promise<void> {
    this.#closed ??= this.#end();
    await this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Ends a life: nothing of it happens any more, and the clock shows the time of the next one. */
  #leave(clock: ClockState): void {
    this.#instance.stop();
    this.clock.clear();
    this.clock.show(clock);
  }

  async #end(): Promise<void> {
    // First: a request in flight may be one that waits for deliveries.
    this.#instance.stop();
    this.clock.clear();
    const opened = await Promise.allSettled(this.#servers);
    await Promise.all(opened.map((server) => server.status === 'fulfilled' && server.value.close()));
    this.#evicted.end();
  }
}
