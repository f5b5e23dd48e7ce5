/** One life of the sandbox: everything that a reset replaces and a snapshot holds. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Assumptions } from '../../contract/assumptions.ts';
import { checkContract } from '../../contract/check.ts';
import type { ErrorDialect, SuccessEnvelope } from '../../contract/dialects.ts';
import { v1Endpoints, v2Endpoints } from '../../contract/endpoints.ts';
import type { VirtualClock } from '../clock/clock.ts';
import { createDashboard, type Dashboard } from '../dashboard/dashboard.ts';
import { seedDemo, type Demo } from './demo.ts';
import { Faults, type FaultsState } from '../faults/faults.ts';
import { parseTarget } from '../http/routes.ts';
import { serveVersion } from '../http/serve.ts';
import { Ids, type IdsState } from '../values/ids.ts';
import { Limits, type LimitsState } from '../service/limits.ts';
import { createOperations } from '../service/operations.ts';
import type { StoreState } from '../store/saved.ts';
import { secretId } from '../store/secrets.ts';
import { Store } from '../store/store.ts';
import { createSunset } from '../api/sunset.ts';
import { createV1 } from '../api/v1.ts';
import { createV2 } from '../api/v2.ts';
import type { AddressRules } from '../webhooks/address.ts';
import { Deliveries, type DeliveriesState } from '../webhooks/deliveries.ts';
import { createEvents, type Events } from '../webhooks/events.ts';
import { createWebhookOperations, type WebhookOperations } from '../webhooks/operations.ts';

/** What stays the same through every reset. */
export interface InstanceOptions {
  readonly clock: VirtualClock;
  readonly seed: string;
  readonly assumptions: Assumptions;
  readonly dialect: ErrorDialect;
  readonly envelope: SuccessEnvelope;
  /** Whether v1's answers announce the sunset. */
  readonly deprecationHeaders: boolean;
  readonly addresses: AddressRules;
  /** Milliseconds of real time for a receiver of webhooks to answer. */
  readonly webhookTimeout: number;
  /** How many records are kept, of 1 KiB each; and how many entries of the deliveries' log. */
  readonly maxRecords: number;
  /** Is told how many records had to go to make room for others. */
  readonly onEvict: (count: number) => void;
  readonly onError: (error: unknown) => void;
}

/** All that an instance remembers. Plain JSON. */
export interface InstanceState {
  readonly ids: IdsState;
  readonly demo: Demo;
  readonly store: StoreState;
  readonly limits: LimitsState;
  readonly deliveries: DeliveriesState;
  readonly faults: FaultsState;
}

export interface Instance {
  readonly store: Store;
  readonly limits: Limits;
  readonly deliveries: Deliveries;
  /** What happens in the workspaces and is delivered to their webhook endpoints. */
  readonly events: Events;
  readonly faults: Faults;
  /** What people do in the web dashboard. */
  readonly dashboard: Dashboard;
  readonly demo: Demo;
  /** Answers requests for both versions. */
  readonly serve: (req: IncomingMessage, res: ServerResponse) => void;
  snapshot(): InstanceState;
  /** Gives up deliveries and delays, those under way too. Calls are still answered. */
  stop(): void;
}

/**
 * @param state what to go on with; the demo alone where absent
 * @param proven is called once the state was found good and before anything is done with it: then the clock must show its time
 * @throws ContractError where the endpoint tables contradict themselves; Error where the state breaks an invariant
 */
export function createInstance(options: InstanceOptions, state?: InstanceState, proven: () => void = () => undefined): Instance {
  const { clock, assumptions, addresses, webhookTimeout: timeout, maxRecords, onEvict } = options;
  const ids = state === undefined ? new Ids({ seed: options.seed, counts: {} }) : new Ids(state.ids, usedIds(state));
  const nextId = ids.next;
  const store = new Store({ clock, nextId, assumptions, maxRecords, onEvict }, state?.store);
  const limits = new Limits(clock, assumptions, state?.limits);
  const faults = new Faults(ids.seed, state?.faults);
  const demo = state?.demo ?? seedDemo(store, clock);
  const webhooks = createWebhookOperations(store, addresses, assumptions);
  const serve = createServe(options, { store, limits, faults, webhooks });
  proven();
  // Last, as it begins at once with what is due.
  const deliveries = new Deliveries({ clock, store, nextId, assumptions, addresses, timeout, maxRecords, onEvict }, state?.deliveries);
  const events = createEvents({ clock, store, nextId, assumptions, deliveries });
  return {
    store,
    limits,
    deliveries,
    events,
    faults,
    dashboard: createDashboard({ store, limits, deliveries, events, registry: webhooks, assumptions, demoId: demo.workspaceId }),
    demo,
    serve,
    snapshot: () => ({
      ids: ids.state(),
      demo,
      store: store.state(),
      limits: limits.state(),
      deliveries: deliveries.state(),
      faults: faults.state(),
    }),
    stop() {
      deliveries.stop();
      faults.stop();
    },
  };
}

/** Every id that may not be given out again. */
function usedIds({ store, deliveries }: InstanceState): ReadonlySet<string> {
  return new Set([
    ...[...store.workspaces, ...store.keys].map(({ id }) => id),
    ...store.records.map(({ record }) => ('messageId' in record ? record.messageId : record.id)),
    ...store.records.flatMap(({ record }) => ('secret' in record ? secretId(record.secret) : [])),
    ...deliveries.pending.map(({ raised }) => raised.id),
    ...deliveries.log.flatMap(({ entry: { id, eventId } }) => [id, eventId]),
    ...deliveries.notifications.map(({ entry }) => entry.id),
  ]);
}

interface ServeParts extends Pick<Instance, 'store' | 'limits' | 'faults'> {
  readonly webhooks: WebhookOperations;
}

function createServe(options: InstanceOptions, { store, limits, faults, webhooks }: ServeParts): Instance['serve'] {
  const { clock, assumptions, dialect, envelope, onError } = options;
  const { keys } = store;
  const operations = createOperations(store, assumptions);
  const sunset = createSunset(clock, assumptions, options.deprecationHeaders);
  const v1 = createV1({ keys, limits, sunset, operations, assumptions });
  const v2 = createV2({ keys, limits, operations, webhooks, assumptions, dialect, envelope });
  checkContract({ consumer: 'sandbox v1', endpoints: v1Endpoints, handled: v1.handled });
  checkContract({ consumer: 'sandbox v2', endpoints: v2Endpoints, handled: v2.handled });

  const about = { assumptions, dialect, envelope };
  const serveV1 = serveVersion(v1, { clock, assumptions, faults, onError, about: { api: 'v1', ...about } });
  const serveV2 = serveVersion(v2, { clock, assumptions, faults, onError, about: { api: 'v2', ...about } });
  return (req, res) => {
    const target = parseTarget(req.url ?? '');
    // What belongs to neither version is answered as v1 would: api.md shows the shape of v1's errors only.
    void (/^\/v2(?:\/|$)/.test(target.path) ? serveV2 : serveV1)(req, res, target);
  };
}
