/** Tables that mocks look answers up in: `{ 'GET https://…/contacts': ({ headers }) => json(…) }`. */
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { flat, mapText, sliceParts } from '../../evaluate/values/text.ts';
import { type Entry, type FunctionValue, optionsOf, type Value } from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import { variableOf } from '../../syntax/scopes.ts';
import type { CallNode, Expression, MemberNode, Node } from '../../syntax/tree.ts';
import type { Comparison } from '../../evaluate/libraries/client-rule.ts';
import { comparisonsOf } from './expected/compared-values.ts';
import { headerReadIn } from './expected/expected-headers.ts';
import { isInSmallLetters } from './expected/header-letters.ts';

/** An address without what stands before it: `'POST /v1/contacts'`. */
export const addressIn = (text: Value): Value =>
  mapText(text, (parts) => {
    const whole = flat(parts);
    return sliceParts(parts, /^(?:[A-Z]+:? +)?/.exec(whole)?.[0].length ?? 0, whole.length);
  });

/** The names that an answer stands under, also such as `` [`GET ${base}/contacts`] ``. */
export function addressesOf({ key, provenance, node, module }: Entry, ev: Evaluation): Value[] {
  if (key !== undefined) return [addressIn({ type: 'text', parts: [key], ...(provenance === undefined ? {} : { provenance }) })];
  if (node.kind !== 'property' || node.computed === undefined || !isScript(module)) return [];
  return optionsOf(ev.evaluate(node.computed, { module, frame: undefined })).flatMap((each) =>
    each.type === 'text' ? addressIn(each) : [],
  );
}

/**
 * What whoever calls a function of a test gives of what it compares: the table, with what is laid over it, or a pattern; the one address that is answered,
 * where that is what makes the mock, and not what a list is asked by: `const answer = (url, body) => vi.fn(async (asked) => (asked === url ? body : undefined))`.
 */
export const givenByCallers = ({ node, expected, isKey }: Comparison): Value[] =>
  optionsOf(expected).flatMap((option): readonly Value[] => {
    if (option.type === 'object') return isKey ? option.unknown.filter(({ type }) => type === 'param') : [];
    const isOfMaker = node.kind === 'binary' && option.type === 'param' && option.owner !== functionAround(node);
    return option.type === 'param' && (isKey || node.kind === 'call' || isOfMaker) ? [option] : [];
  });

/** v1's key, as functions that answer read it of what the mock gives them: `({ headers }) => headers['x-api-key'] === 'k'`. */
export function headersReadBy(entry: Entry, { ev, node, module }: Comparison): Value[] {
  const calls = callsOf(node, module);
  return optionsOf(entry.value()).flatMap((fn): Value[] => {
    if (fn.type !== 'function') return [];
    const entries = readsIn(fn, ev, (index, names) => {
      const given = calls.flatMap(({ args }) => args[index] ?? []);
      return given.some((arg) => arg.kind !== 'spread' && isInSmallLetters(arg, { ev, module, frame: undefined }, names));
    });
    return entries.length === 0 ? [] : [{ type: 'object', node: fn.node, module: fn.module, entries, unknown: [] }];
  });
}

/** `routes[name](request)`, `const route = routes[name]; … route(request)`, and of `routes.get(name)`. */
function callsOf(node: Node, { scopes }: SourceModule): CallNode[] {
  const looked = node.kind === 'member' && node.computed === undefined && node.parent !== undefined ? node.parent : node;
  const { parent } = looked;
  if (parent?.kind === 'call' && parent.callee === looked) return [parent];
  const binding = variableOf(looked, scopes);
  return (binding?.references ?? []).flatMap((each) => (each.parent?.kind === 'call' && each.parent.callee === each ? each.parent : []));
}

/** @param isSmall whether what a function gets has names of headers in small letters: in which of its parameters, under which names */
function readsIn(
  { node: fn, module }: FunctionValue,
  ev: Evaluation,
  isSmall: (index: number, names: readonly string[]) => boolean,
): Entry[] {
  const at = { ev, module, frame: undefined };
  const entries: Entry[] = [];
  walk(fn, (node) => {
    if (node.kind !== 'member' && node.kind !== 'call') return true;
    const [read, from] = [headerReadIn(node, at), paramOf(node, fn, module)];
    if (read === undefined || from === undefined) return true;
    const small = node.kind === 'call' || isSmall(from.index, from.names) ? { isLookup: true } : {};
    for (const compared of comparisonsOf(node, at, ev)) entries.push(...read.map((key): Entry => ({ ...key, ...small, ...compared })));
    return false;
  });
  return entries;
}

/** The parameter that the owner of a header is taken from, and the names that lead to it. */
function paramOf(
  read: MemberNode | CallNode,
  fn: Node,
  { scopes }: SourceModule,
): { readonly index: number; readonly names: string[] } | undefined {
  const names: string[] = [];
  let at: Expression = read.kind === 'call' ? read.callee : read;
  for (let isFirst = true; at.kind === 'member'; at = at.object, isFirst = false) if (!isFirst) names.unshift(at.property ?? '');
  const binding = at.kind === 'name' ? scopes.bindingOf(at) : undefined;
  const { owner } = binding ?? {};
  if (binding === undefined || owner?.kind !== 'param' || owner.parent !== fn || fn.kind !== 'function') return undefined;
  for (let named: Node | undefined = binding.declaration; named !== undefined && named !== owner; named = named.parent)
    if (named.kind === 'patternProperty') names.unshift(named.name ?? '');
  return { index: fn.params.indexOf(owner), names };
}
