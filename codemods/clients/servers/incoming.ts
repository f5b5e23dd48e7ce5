/** Requests as mocks see them arrive: which headers are read of them, and what these are compared with. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import type { At } from '../../evaluate/evaluation.ts';
import { keysOf } from '../../evaluate/names/computed-names.ts';
import { type Entry, type HttpValue, type ObjectValue, plainText, type Value } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { unvalued } from '../testing/expected/compared.ts';
import { comparisonsOf } from '../testing/expected/compared-values.ts';
import { recordNamed } from '../testing/expected/record-names.ts';

/** The request that a mock gets, as a value. */
export function incomingRequest(
  client: string,
  { node, module }: { readonly node: Node; readonly module: At['module'] },
  about: Pick<HttpValue, 'url' | 'method' | 'base' | 'join' | 'mock'>,
): HttpValue {
  return { type: 'http', client, stage: 'client', node, module, origins: [], headers: [], mock: {}, ...about };
}

/** An object with these properties and others. */
export function objectOf(
  values: Readonly<Record<string, Value>>,
  { node, module }: { readonly node: Node; readonly module: At['module'] },
): ObjectValue {
  const entries = Object.entries(values).map(([name, value]): Entry => ({
    name,
    key: undefined,
    node,
    module,
    valueNode: undefined,
    value: () => value,
  }));
  return { type: 'object', node, module, entries, unknown: [{ type: 'unknown', node, module }] };
}

/** `request.headers.get('x-api-key')`, and `has`: a request that is expected to have the header. */
export function readHeader(client: string, call: RuleCall): HttpValue | undefined {
  const { path, args, on, node, module } = call;
  const [header] = args;
  const isRead = /^headers\.(?:get|has)$/.test(path.join('.')) || ['header', 'get', 'headerValue'].includes(path.join('.'));
  if (!isRead || header === undefined || on === undefined || !isKeyHeader(plainText(header))) return undefined;
  // Whether it has one, no value decides.
  const compared = path.at(-1) === 'has' ? [unvalued(node, module)] : comparisonsOf(node, call, call.ev);
  const [name] = node.args;
  const named = name === undefined || name.kind === 'spread' ? {} : { nameNode: name };
  const entries = compared.flatMap((each) => keysOf(header).map((key): Entry => ({ ...key, ...each, ...named, isLookup: true })));
  return {
    ...on,
    client,
    stage: 'request',
    node,
    module,
    headers: [...on.headers, { type: 'object', node, module, entries, unknown: [] }],
    mock: { ...on.mock, record: recordNamed(node, call, node) },
  };
}
