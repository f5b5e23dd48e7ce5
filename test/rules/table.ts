/** The rules of api.md, and the tests that hold the sandbox to them: one list for each of its sections, or two. */
import type { Row } from './row.ts';
import { authenticationRows } from './rows/authentication.ts';
import { dashboardRows } from './rows/dashboard.ts';
import { deliveryRows } from './rows/deliveries.ts';
import { v2EndpointRows } from './rows/endpoints-v2.ts';
import { endpointRows } from './rows/endpoints.ts';
import { errorRows } from './rows/errors.ts';
import { eventRows } from './rows/events.ts';
import { limitRows } from './rows/limits.ts';
import { resourceRows } from './rows/resources.ts';
import { serviceRows } from './rows/service.ts';
import { stateRows } from './rows/states.ts';
import { versioningRows } from './rows/versioning.ts';

/** The document that the table was made from. Whoever changes these has gone through it again. */
export const source = {
  sha256: '216189d9da479030cfeb8c93a8b634e953fac3c99e9150026f6c5281df20ceee',
  /** How many blocks each section has (see blocks.ts). */
  blocks: { 0: 2, 1: 6, 2: 20, 3: 5, 4: 33, 5: 8, 6: 29, 7: 13, 8: 15, 9: 4 },
} as const;

export const table: readonly Row[] = [
  ...serviceRows,
  ...resourceRows,
  ...dashboardRows,
  ...stateRows,
  ...endpointRows,
  ...v2EndpointRows,
  ...authenticationRows,
  ...eventRows,
  ...deliveryRows,
  ...errorRows,
  ...limitRows,
  ...versioningRows,
];
