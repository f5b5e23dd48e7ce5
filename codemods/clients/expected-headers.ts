/** Headers as expectations name them: read of what a mock recorded, or listed with matchers for values. */
import { v1Auth } from '../../src/contract/auth.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { keysOf } from '../evaluate/keys.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, type Value } from '../evaluate/values.ts';
import { headersOf } from '../evaluate/writes.ts';
import { walk } from '../syntax/link.ts';
import type { Expression, NameNode, Node } from '../syntax/tree.ts';

/** What an expectation takes for headers, if it names v1's key among them. */
export function expectedHeaders(value: Value): Value[] {
  return optionsOf(value).flatMap((each) => {
    const object = headersOf(each);
    return object?.entries.some(({ name }) => name?.toLowerCase() === v1Auth.field) === true ? [withoutMatchers(object)] : [];
  });
}

/** Matchers say of a key nothing that the scheme before it changes; a pattern of it may. */
export function withoutMatchers(value: Value, isPart = false): Value {
  const matched = (entry: Entry): Entry => {
    const matcher = isPart ? 'part' : matcherIn(entry.valueNode);
    if (matcher === undefined) return entry;
    return matcher === 'stringMatching' || (isPart && entry.valueNode?.kind === 'literal')
      ? { ...entry, valueNode: undefined, value: () => ({ type: 'unknown', node: entry.node, module: entry.module }) }
      : { ...entry, value: () => ({ type: 'literal', value: undefined }) };
  };
  const plain = (each: Value): Value =>
    each.type === 'object' ? ({ ...each, entries: each.entries.map(matched) } satisfies ObjectValue) : each;
  return choiceOf(optionsOf(value).map(plain));
}

const matchers = new Set(['any', 'anything', 'stringContaining', 'stringMatching']);

const matcherIn = (node: Expression | undefined): string | undefined =>
  node?.kind === 'call' && node.callee.kind === 'member' && matchers.has(node.callee.property ?? '') ? node.callee.property : undefined;

type Key = Pick<Entry, 'name' | 'key' | 'provenance' | 'isLookup'>;

/** `init.headers['x-api-key']` and `new Headers(init.headers).get('x-api-key')`: the name, if it is v1's. */
export function headerReadIn(node: Expression, at: At & { readonly ev: Evaluation }): readonly Key[] | undefined {
  const isGet = node.kind === 'call' && node.callee.kind === 'member' && node.callee.property === 'get';
  const name = isGet ? node.args[0] : node.kind === 'member' ? node.computed : undefined;
  if (name === undefined || name.kind === 'spread' || !/headers/i.test(at.module.text.slice(node.start, name.start))) return undefined;
  const keys = keysOf(at.ev.evaluate(name, at)).filter((key) => key.name?.toLowerCase() === v1Auth.field);
  return keys.length === 0 ? undefined : keys.map((key) => (isGet ? { ...key, isLookup: true } : key));
}

/** Whether a value was captured by a function that got it as an argument: `calls.push({ url, init })`, `seen = request`. */
export function isCaptured(node: Node, module: SourceModule): boolean {
  const root = rootOf(node);
  const binding = root.kind === 'name' ? module.scopes.bindingOf(root) : undefined;
  if (binding?.owner.kind !== 'variable') return false;
  const { init } = binding.owner;
  if (init !== undefined && binding.owner.target.kind !== 'patternName') return isCaptured(init, module);
  if (init !== undefined && (init.kind === 'member' || init.kind === 'name')) return isCaptured(init, module);
  return binding.references.some((reference) => keepsParam(reference, module));
}

function rootOf(node: Node): Node {
  let at = node;
  for (;;) {
    if (at.kind === 'member') at = at.object;
    else if (at.kind === 'call' && at.isNew && at.args[0] !== undefined) at = at.args[0];
    else if (at.kind === 'call') at = at.callee;
    else return at;
  }
}

function keepsParam(reference: NameNode, module: SourceModule): boolean {
  const { parent } = reference;
  const pushed = parent?.kind === 'member' && parent.property === 'push' ? parent.parent : undefined;
  if (pushed?.kind === 'call') return pushed.args.some((arg) => holdsParam(arg, module));
  return parent?.kind === 'assign' && parent.target === reference && holdsParam(parent.value, module);
}

function holdsParam(node: Node, module: SourceModule): boolean {
  let found = false;
  walk(node, (each) => {
    if (each.kind === 'name' && module.scopes.bindingOf(each)?.owner.kind === 'param') found = true;
    return each.kind !== 'function';
  });
  return found;
}
