/** One life of the sandbox: everything that a reset replaces and a snapshot holds. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Assumptions } from '../contract/assumptions.ts';
import { checkContract } from '../contract/check.ts';
import type { ErrorDialect, SuccessEnvelope } from '../contract/dialects.ts';
import { v1Endpoints, v2Endpoints } from '../contract/endpoints.ts';
import type { VirtualClock } from './clock.ts';
import { seedDemo, type Demo } from './demo.ts';
import { Faults } from './faults/faults.ts';
import { parseTarget } from './http/routes.ts';
import { serveVersion } from './http/serve.ts';
import { createIds } from './ids.ts';
import { Limits } from './limits.ts';
import { createOperations } from './operations.ts';
import { Store } from './store/store.ts';
import { createSunset } from './sunset.ts';
import { createV1 } from './v1.ts';
import { createV2 } from './v2.ts';
import type { AddressRules } from './webhooks/address.ts';
import { Deliveries } from './webhooks/deliveries.ts';
import { createEvents, type Events } from './webhooks/events.ts';
import { createWebhookOperations } from './webhooks/operations.ts';

/** What stays the same through every reset. */
export interface WorldOptions {
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
  /** How many records of each kind are kept. */
  readonly maxRecords: number;
  readonly onError: (error: unknown) => void;
}

export interface World {
  readonly store: Store;
  readonly limits: Limits;
  readonly deliveries: Deliveries;
  /** What happens in the workspaces and is delivered to their webhook endpoints. */
  readonly events: Events;
  readonly faults: Faults;
  readonly demo: Demo;
  /** Answers requests for both versions. */
  readonly serve: (req: IncomingMessage, res: ServerResponse) => void;
}

/** @throws ContractError where the endpoint tables contradict themselves */
export function createWorld(options: WorldOptions): World {
  const { clock, seed, assumptions, dialect, envelope, onError } = options;
  const nextId = createIds(seed);
  const store = new Store(clock, nextId, assumptions);
  const limits = new Limits(clock, assumptions);
  const faults = new Faults(seed);
  const operations = createOperations(store, assumptions);
  const webhooks = createWebhookOperations(store, options.addresses, assumptions);
  const { addresses, webhookTimeout: timeout, maxRecords } = options;
  const deliveries = new Deliveries({ clock, store, nextId, assumptions, addresses, timeout, maxRecords });
  const events = createEvents({ clock, store, nextId, assumptions, deliveries });
  const sunset = createSunset(clock, assumptions, options.deprecationHeaders);
  const v1 = createV1({ keys: store.keys, limits, sunset, operations, assumptions });
  const v2 = createV2({ keys: store.keys, limits, operations, webhooks, assumptions, dialect, envelope });
  checkContract({ consumer: 'sandbox v1', endpoints: v1Endpoints, handled: v1.handled });
  checkContract({ consumer: 'sandbox v2', endpoints: v2Endpoints, handled: v2.handled });

  const about = { assumptions, dialect, envelope };
  const serveV1 = serveVersion(v1, { assumptions, faults, onError, about: { api: 'v1', ...about } });
  const serveV2 = serveVersion(v2, { assumptions, faults, onError, about: { api: 'v2', ...about } });
  return {
    store,
    limits,
    deliveries,
    events,
    faults,
    demo: seedDemo(store, clock),
    serve(req, res) {
      const target = parseTarget(req.url ?? '');
      // What belongs to neither version is answered as v1 would: api.md shows the shape of v1's errors only.
      void (/^\/v2(?:\/|$)/.test(target.path) ? serveV2 : serveV1)(req, res, target);
    },
  };
}
