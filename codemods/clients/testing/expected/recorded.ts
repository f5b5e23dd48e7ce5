/** What a mock recorded of the calls that it got, as expectations read it. */
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { type MethodValue, type Mock, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { Expression } from '../../../syntax/tree.ts';
import { takenFrom } from './captured.ts';

/** Where mock functions keep what they were called with … */
export const recordsOfFunctions = ['mock', 'args', 'calls', 'firstCall', 'secondCall', 'thirdCall', 'lastCall', 'getCall'] as const;

/** … and servers and adapters what they were asked. */
export const records: ReadonlySet<string> = new Set([...recordsOfFunctions, 'history', 'requests']);

/** `mock.history.get[0]` of an adapter for one instance of axios: what that instance sent, and no other. */
export function recordedOf(record: Value | undefined): Mock {
  if (record?.type === 'http') return { recordedOf: { origins: record.origins } };
  if (record?.type !== 'external' && (record?.type !== 'method' || record.receiver.type !== 'http')) return {};
  const method = record.path.at(-1) ?? '';
  const origin = record.type === 'external' ? record.source : undefined;
  return verbs.has(method) ? { recordedBy: { method: method.toUpperCase(), origin } } : {};
}

/** Methods of clients that ask by the method of HTTP that they are called after: `post.firstCall` of `sinon.stub(axios, 'post')`. */
const verbs: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'head']);

/** The mock, or the client's method, whose recorded calls a value is part of; undefined where it is none. */
export function recordOf(value: Value): Value | undefined {
  for (const each of optionsOf(value)) {
    if (each.type !== 'method' && each.type !== 'external') continue;
    const at = each.path.findIndex((part) => records.has(part));
    if (at === -1) continue;
    if (each.type === 'external') return { ...each, path: each.path.slice(0, at) };
    const receiver = each.receiver.type === 'http' ? (each.receiver.notes?.['of'] ?? each.receiver) : each.receiver;
    return at === 0 ? receiver : ({ ...each, receiver, path: each.path.slice(0, at) } satisfies MethodValue);
  }
  return undefined;
}

const maxSteps = 20;

/** … of which a value is read: `new Headers(fetchMock.mock.calls[0][1].headers).get('x-api-key')`. */
export function recordIn(node: Expression, call: RuleCall): Value | undefined {
  const within = (each: Expression): Expression | undefined => takenFrom(each, call.module) ?? listOf(each, call.module);
  let from = within(node);
  for (let steps = 0; from !== undefined && steps < maxSteps; steps++, from = within(from)) {
    const record = recordOf(call.ev.evaluate(from, call));
    if (record !== undefined) return record;
  }
  return undefined;
}

/** The list of which a function is given each item: `calls.find(([url]) => …)`. */
function listOf(node: Expression, module: SourceModule): Expression | undefined {
  const owner = node.kind === 'name' ? module.scopes.bindingOf(node)?.owner : undefined;
  const fn = owner?.kind === 'param' ? owner.parent : undefined;
  const call = fn?.parent;
  return call?.kind === 'call' && call.args[0] === fn && call.callee.kind === 'member' ? call.callee.object : undefined;
}
