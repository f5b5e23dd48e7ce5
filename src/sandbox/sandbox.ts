import type { IncomingMessage, ServerResponse } from 'node:http';
import { assume, type Assumptions } from '../contract/assumptions.ts';
import type { ErrorDialect, SuccessEnvelope } from '../contract/dialects.ts';
import { deliveryRules } from '../contract/events.ts';
import { VirtualClock } from './clock.ts';
import type { Demo } from './demo.ts';
import type { Faults } from './faults/faults.ts';
import type { Store } from './store/store.ts';
import { createAddressRules } from './webhooks/address.ts';
import type { Deliveries } from './webhooks/deliveries.ts';
import type { Events } from './webhooks/events.ts';
import { createWorld } from './world.ts';

export interface SandboxOptions {
  /** ISO 8601 instant at which the clock stands still until it is turned; the machine's clock, running, where absent. */
  readonly clock?: string;
  /** Ids, keys and secrets follow from it: the same seed and the same calls give the same ones. */
  readonly seed?: string;
  /** How v2 writes its errors; like v1 where absent. */
  readonly dialect?: ErrorDialect;
  /** How v2 writes its successes; like v1 where absent. */
  readonly envelope?: SuccessEnvelope;
  /** Whether v1's answers carry Deprecation, Sunset and Link before the sunset; they do not where absent. */
  readonly deprecationHeaders?: boolean;
  /** Lets webhooks go to private addresses and over plain http, for receivers on this machine. */
  readonly allowPrivateWebhooks?: boolean;
  /** Milliseconds for a receiver of webhooks to answer, of real time even where the clock stands still; 8 seconds where absent (api.md §6). */
  readonly webhookTimeout?: number;
  /** Answers to open questions in place of the assumed ones. */
  readonly assumptions?: Partial<Assumptions>;
  /** Is given what went wrong inside whenever a caller gets a 500 that api.md does not order. */
  readonly onError?: (error: unknown) => void;
}

export interface Sandbox {
  /** Answers requests for both versions; works with plain node:http. */
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
  readonly clock: VirtualClock;
  readonly store: Store;
  /** What goes wrong on demand. */
  readonly faults: Faults;
  readonly deliveries: Deliveries;
  /** What happens in the workspaces and is delivered to their webhook endpoints. */
  readonly events: Events;
  readonly demo: Demo;
}

/** Bounds the memory of a sandbox that runs for long. */
const maxRecords = 10_000;

/**
 * The whole service in memory: v1 and v2 over one store, with a demo workspace in it.
 * @throws ContractError where the endpoint tables contradict themselves
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { seed = 'sandbox', dialect = 'v1', envelope = 'v1', deprecationHeaders = false, onError = () => undefined } = options;
  const clock = new VirtualClock(options.clock === undefined ? undefined : Date.parse(options.clock), onError);
  const world = createWorld({
    clock,
    seed,
    assumptions: assume(options.assumptions),
    dialect,
    envelope,
    deprecationHeaders,
    addresses: createAddressRules({ allowPrivate: options.allowPrivateWebhooks ?? false }),
    webhookTimeout: options.webhookTimeout ?? deliveryRules.timeout,
    maxRecords,
    onError,
  });
  const { store, faults, deliveries, events, demo } = world;
  return { handler: (req, res) => world.serve(req, res), clock, store, faults, deliveries, events, demo };
}
