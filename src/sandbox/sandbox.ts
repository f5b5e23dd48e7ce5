import type { IncomingMessage, ServerResponse } from 'node:http';
import { assume, type Assumptions } from '../contract/assumptions.ts';
import { checkContract } from '../contract/check.ts';
import { v1Endpoints, v2Endpoints } from '../contract/endpoints.ts';
import { systemClock, type Clock } from './clock.ts';
import { seedDemo, type Demo } from './demo.ts';
import type { ErrorDialect } from './dialects.ts';
import { parseTarget } from './http/routes.ts';
import { serveVersion } from './http/serve.ts';
import { createIds } from './ids.ts';
import { createOperations } from './operations.ts';
import { Store } from './store/store.ts';
import { createV1 } from './v1.ts';
import { createV2, notInTheCoreYet } from './v2.ts';

export interface SandboxOptions {
  /** The machine's clock where absent. */
  readonly clock?: Clock;
  /** Ids and keys follow from it: the same seed and the same calls give the same ones. */
  readonly seed?: string;
  /** How v2 writes its errors; like v1 where absent. */
  readonly dialect?: ErrorDialect;
  /** Answers to open questions in place of the assumed ones. */
  readonly assumptions?: Partial<Assumptions>;
  /** Is given what went wrong inside whenever a caller gets a 500 that api.md does not order. */
  readonly onError?: (error: unknown) => void;
}

export interface Sandbox {
  /** Answers requests for both versions; works with plain node:http. */
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
  readonly store: Store;
  readonly demo: Demo;
}

/**
 * The whole service in memory: v1 and v2 over one store, with a demo workspace in it.
 * @throws ContractError where the endpoint tables contradict themselves
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { clock = systemClock, seed = 'sandbox', dialect = 'v1', onError = () => undefined } = options;
  const assumptions = assume(options.assumptions);
  const store = new Store(clock, createIds(seed), assumptions);
  const operations = createOperations(store, assumptions);
  const v1 = createV1(store.keys, operations, assumptions);
  const v2 = createV2(store.keys, operations, assumptions, dialect);
  checkContract({ consumer: 'sandbox v1', endpoints: v1Endpoints, handled: v1.handled });
  checkContract({ consumer: 'sandbox v2', endpoints: v2Endpoints, handled: [...v2.handled, ...notInTheCoreYet] });

  const serveV1 = serveVersion(v1, { assumptions, onError });
  const serveV2 = serveVersion(v2, { assumptions, onError });
  return {
    handler(req, res) {
      const target = parseTarget(req.url ?? '');
      // What belongs to neither version is answered as v1 would: api.md shows the shape of v1's errors only.
      (/^\/v2(?:\/|$)/.test(target.path) ? serveV2 : serveV1)(req, res, target);
    },
    store,
    demo: seedDemo(store, clock),
  };
}
