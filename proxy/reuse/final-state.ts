/** Whether an answer shows a state that is not left any more, as the configuration says of messages and campaigns. */
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import { readText } from '../content.ts';
import { readResponseHead } from '../response-head.ts';

/** The reads of one of what has a state (api.md §2: the delivery status of a message, details and stats of a campaign). */
export const showsState = (endpoint: V1EndpointId): boolean => endpoint === 'getMessage' || endpoint === 'getCampaign';

/**
 * Reads a body as far as its state.
 * @param fields of the answer, names and values in turn
 * @param longest bytes that are read at most, whatever the coding makes of them
 */
export async function isFinal(
  body: Buffer,
  { fields, states, longest }: { readonly fields: readonly string[]; readonly states: readonly string[]; readonly longest: number },
): Promise<boolean> {
  const read = await readText(body, readResponseHead(fields), longest);
  const state = 'text' in read ? stateIn(read.text) : undefined;
  return state !== undefined && states.includes(state);
}

/** The name of the field is not shown; what else could be meant makes it doubtful, and then it is none. */
const names = ['status', 'deliveryStatus', 'delivery_status'];

function stateIn(text: string): string | undefined {
  const whole = parsed(text);
  if (!isObject(whole)) return undefined;
  // The envelope may have a status of its own.
  const shown = 'data' in whole ? whole['data'] : whole;
  if (!isObject(shown)) return undefined;
  const found = new Set(names.flatMap((name) => (typeof shown[name] === 'string' ? [shown[name]] : [])));
  return found.size === 1 ? [...found][0] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
