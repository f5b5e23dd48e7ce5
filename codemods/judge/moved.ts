/** What is moved, and how texts beside it name that. */
import { type V1EndpointId, v1Endpoints } from '../../src/contract/endpoints.ts';
import type { Call } from '../model.ts';

/** A call that is moved, by this run or one before. */
export type Moved = Pick<Call, 'file' | 'endpoint'>;

/** A route as text has it: from its first slash to its last segment; an id has a digit, or the sign of a placeholder, as no word has. */
export const routeIn = (endpoint: V1EndpointId): RegExp =>
  new RegExp(`(?<![\\w.-])${v1Endpoints[endpoint].path.replaceAll(/:\w+/g, '[^/\\s`\'"]*[\\d:{<$_…][^/\\s`\'"]*')}(?![\\w/-])`);
