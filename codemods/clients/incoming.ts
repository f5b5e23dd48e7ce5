/** Requests as mocks see them arrive: which headers are read of them, and what these are compared with. */
import { v1Auth } from '../../src/contract/auth.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { keysOf } from '../evaluate/keys.ts';
import { type Entry, type HttpValue, type ObjectValue, plainText, type Value } from '../evaluate/values.ts';
import type { CallNode, Expression, Node } from '../syntax/tree.ts';
import type { RuleCall } from '../evaluate/client-rule.ts';

/** The request that a mock gets, as a value. */
export function incomingRequest(
  client: string,
  { node, module }: { readonly node: Node; readonly module: At['module'] },
  about: Pick<HttpValue, 'url' | 'method' | 'base' | 'join'>,
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
  const isRead = /^headers\.(?:get|has)$/.test(path.join('.')) || ['header', 'get'].includes(path.join('.'));
  if (!isRead || header === undefined || on === undefined || plainText(header)?.toLowerCase() !== v1Auth.field) return undefined;
  // Whether it has one, no value decides.
  const compared = path.at(-1) === 'has' ? [unvalued(node)] : comparisonsOf(node, call, call.ev);
  const entries = compared.flatMap((each) => keysOf(header).map((key): Entry => ({ ...key, ...each, module, isLookup: true })));
  return {
    ...on,
    client,
    stage: 'request',
    node,
    module,
    headers: [...on.headers, { type: 'object', node, module, entries, unknown: [] }],
  };
}

type Compared = Pick<Entry, 'node' | 'valueNode' | 'value'>;

const equality = new Set(['===', '!==', '==', '!=']);
/** Functions that say whether two values are equal: of expectations with `expect`, and of `assert`. */
const equals = new Set(['toBe', 'toEqual', 'toStrictEqual', 'equal', 'equals', 'eq', 'eql', 'strictEqual', 'deepEqual', 'notEqual', 'is']);
/** Methods that look a text up among others. */
const lookups = new Set(['has', 'includes', 'indexOf', 'startsWith', 'match', 'test', 'get', 'split', 'slice', 'replace']);

const unvalued = (node: Node): Compared => ({ node, valueNode: undefined, value: () => ({ type: 'literal', value: undefined }) });

/** What a header's value is compared with; where it is only read, one comparison without an expression, as no value has to change. */
export function comparisonsOf(read: Node, at: At, ev: Evaluation): readonly Compared[] {
  const found = [...compared(read, at, ev)];
  return found.length > 0 ? found : [unvalued(read)];
}

function* compared(read: Node, at: At, ev: Evaluation): Generator<Compared> {
  const { parent } = read;
  if (parent === undefined) return;
  const withOther = (other: Expression): Compared => ({ node: parent, valueNode: other, value: () => ev.evaluate(other, at) });
  const open: Compared = { node: parent, valueNode: undefined, value: () => ({ type: 'unknown', node: parent, module: at.module }) };
  if (parent.kind === 'binary' && equality.has(parent.operator)) {
    const other = parent.left === read ? parent.right : parent.left;
    const isNothing = other.kind === 'literal' || (other.kind === 'name' && other.name === 'undefined');
    if (!isNothing) yield withOther(other);
  } else if (parent.kind === 'logical' || parent.kind === 'await') yield* compared(parent, at, ev);
  else if (parent.kind === 'variable' && parent.target.kind === 'patternName') {
    for (const reference of at.module.scopes.declaredBy(parent.target)?.references ?? []) yield* compared(reference, at, ev);
  } else if (parent.kind === 'call' && parent.callee !== read) {
    const other = expectedOf(parent, read);
    if (other !== undefined) yield withOther(other);
    else if (isLookup(parent)) yield open;
  } else if (parent.kind === 'member' && (parent.computed === read || lookups.has(parent.property ?? ''))) yield open;
}

const isLookup = ({ callee }: CallNode): boolean => callee.kind === 'member' && lookups.has(callee.property ?? '');

/** The other side of `expect(read).toBe(other)` and `assert.equal(read, other)`. */
function expectedOf(call: CallNode, read: Node): Expression | undefined {
  const { callee, args } = call;
  const other = args.find((arg) => arg !== read);
  if (callee.kind === 'member' && equals.has(callee.property ?? '') && other !== undefined && args[1] !== undefined)
    return other.kind === 'spread' ? undefined : other;
  let at: Node = call;
  while (at.parent?.kind === 'member' && at.parent.object === at) at = at.parent;
  const matcher = at.parent;
  if (at.kind !== 'member' || matcher?.kind !== 'call' || matcher.callee !== at || !equals.has(at.property ?? '')) return undefined;
  const [value] = matcher.args;
  return value === undefined || value.kind === 'spread' ? undefined : value;
}
