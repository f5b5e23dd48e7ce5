/**
 * Mappings: JSONata expressions (https://docs.jsonata.org) that turn v1's queries and bodies into v2's and v2's answers into v1's,
 * for the day v2's real shapes are known. Where an endpoint has none, bytes pass as they are. In the configuration:
 *
 *     mappings:
 *       sendMessage:
 *         request:
 *           body: '$ ~> | $ | {"recipient": to}, "to" |'
 *         response:
 *           body: '{"messageId": data.id}'
 *       listContacts:
 *         request:
 *           query: '{"offset": ($number(page) - 1) * $number(limit), "limit": limit}'
 *         response:
 *           body: '{"contacts": [data.items.{"id": id, "phone": phone}]}'
 *
 * - A body is what its JSON says. A query is an object of names, each with a string or, where repeated, a list of strings;
 *   an expression may give numbers and booleans, too. Bytes that are no UTF-8 can be moved and cut, and go on as they came.
 * - JSONata takes a list of one for its element wherever a path or function produces it. Put `[ ]` around what must be a list,
 *   as above. Lists that are only moved stay lists.
 * - Numbers keep their value. Those that a JS number cannot hold (12345678901234567890, 1e400) can be moved, compared with `=`
 *   and written as text, also with `&`; to calculate with one is an error. `**` finds, besides the number, its text.
 * - An expression that gives nothing is an error (MAPPING_FAILED): nothing is sent by accident. Only of an empty query or of an absent
 *   optional body may nothing be left.
 */
import { z } from 'zod';
import { type V1EndpointId, endpointIds, v1Endpoints } from '../src/contract/endpoints.ts';
import { MappingError, type MappingErrorCode, type MappingWhere } from './mappings/error.ts';
import { compileExpression } from './mappings/expression.ts';
import { formatJson, parseJson } from './mappings/json.ts';
import { formatQuery, parseQuery } from './mappings/query.ts';

export { MappingError } from './mappings/error.ts';

/** JSONata by v1 endpoint. */
export type MappingConfig = { readonly [Id in V1EndpointId]?: EndpointMapping };

export interface EndpointMapping {
  readonly request?: { readonly query?: string; readonly body?: string };
  readonly response?: { readonly body?: string };
}

/** Text in, text out; rejects with a MappingError: MAPPING_INPUT or MAPPING_FAILED. */
export type TextMapping = (text: string) => Promise<string>;

export interface CompiledMapping {
  /** v2's query string from v1's, both without `?`. */
  readonly query?: TextMapping;
  readonly requestBody?: TextMapping;
  readonly responseBody?: TextMapping;
}

export interface Mappings {
  of(id: V1EndpointId): CompiledMapping | undefined;
}

/** The configuration file is checked only so far as to whose mapping it is; the rest is this module's matter. */
const mappingShape: z.ZodType<EndpointMapping> = z.strictObject({
  request: z.strictObject({ query: z.string().optional(), body: z.string().optional() }).optional(),
  response: z.strictObject({ body: z.string().optional() }).optional(),
});

/**
 * Compiles all mappings, so that a wrong one stops the start and not a call.
 * @throws MappingError MAPPING_INVALID: an endpoint or place that does not exist, or text that is not JSONata
 */
export function compileMappings(config: MappingConfig): Mappings {
  const compiled = new Map<string, CompiledMapping>();
  for (const [endpoint, mapping] of Object.entries(config)) {
    if (mapping !== undefined) compiled.set(endpoint, compileEndpoint(endpoint, mapping));
  }
  return { of: (id) => compiled.get(id) };
}

function compileEndpoint(endpoint: string, mapping: unknown): CompiledMapping {
  const ids = endpointIds(v1Endpoints);
  const id = ids.find((known) => known === endpoint);
  if (id === undefined) throw new MappingError('MAPPING_INVALID', { endpoint }, `v1 has no such endpoint; use one of ${ids.join(', ')}`);
  const shape = mappingShape.safeParse(mapping);
  if (!shape.success) {
    const text = 'give request.query, request.body or response.body, each a text, and nothing else';
    throw new MappingError('MAPPING_INVALID', { endpoint }, text, shape.error);
  }
  const { request, response } = shape.data;
  const { body } = v1Endpoints[id];
  const where = { endpoint, place: 'request.body' } as const;
  if (request?.body !== undefined && body === 'none') {
    throw new MappingError('MAPPING_INVALID', where, 'this endpoint has no request body; remove the expression');
  }
  return {
    ...(request?.query !== undefined && { query: queryMapping({ endpoint, place: 'request.query' }, request.query) }),
    ...(request?.body !== undefined && { requestBody: bodyMapping(where, request.body, body === 'optional') }),
    ...(response?.body !== undefined && { responseBody: bodyMapping({ endpoint, place: 'response.body' }, response.body, false) }),
  };
}

function queryMapping(where: MappingWhere, source: string): TextMapping {
  const evaluate = compileExpression(where, source);
  return async (raw) => {
    const input = orThrow('MAPPING_INPUT', where, () => parseQuery(raw));
    const output = await evaluate(input);
    if (output === undefined && raw === '') return '';
    return orThrow('MAPPING_FAILED', where, () => formatQuery(output));
  };
}

/** @param optional whether a body may be absent: the expression is then given nothing, and may give nothing. */
function bodyMapping(where: MappingWhere, source: string, optional: boolean): TextMapping {
  const evaluate = compileExpression(where, source);
  return async (text) => {
    const absent = optional && text === '';
    const input = absent ? undefined : orThrow('MAPPING_INPUT', where, () => parseJson(text));
    const output = await evaluate(input);
    if (output === undefined && absent) return '';
    return orThrow('MAPPING_FAILED', where, () => formatJson(output));
  };
}

const faults = {
  MAPPING_INPUT: 'what came in cannot be mapped: it is not JSON, or has a name that is reserved',
  MAPPING_FAILED: 'the expression gave nothing, or something that cannot be sent; make it cover every case',
} as const satisfies Partial<Record<MappingErrorCode, string>>;

function orThrow<T>(code: keyof typeof faults, where: MappingWhere, action: () => T): T {
  try {
    return action();
  } catch (error) {
    // The error itself may quote data.
    throw new MappingError(code, where, faults[code], error instanceof Error ? { code: error.name } : undefined);
  }
}
