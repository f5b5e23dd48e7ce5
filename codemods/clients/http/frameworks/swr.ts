/** SWR: https://swr.vercel.app/docs/api. A fetcher is called with the key; that of the page, where a hook has none of its own. */
import { asArguments } from '../../../evaluate/calls/callers.ts';
import type { ClientRule, RuleCall, Run } from '../../../evaluate/libraries/client-rule.ts';
import type { World } from '../../../evaluate/program.ts';
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { Frame } from '../../../evaluate/calls/frame.ts';
import { choiceOf, optionsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { Expression, OtherNode } from '../../../syntax/tree.ts';
import { cacheKey, givenTo } from '../../values/query-keys.ts';
import { made } from '../../shapes.ts';

const name = 'swr';

function call(call: RuleCall): Value | undefined {
  const [verb] = call.path;
  if (verb === 'useSWRConfig') return made(name, 'client', call, {});
  if (verb === 'mutate') return cacheKey(name, call, call.args[0], 'named');
  if (!isAsking(call)) return undefined;
  const url = choiceOf(keysOf(call));
  // Somebody asks for it, with whatever base and headers.
  const fetchers = fetchersOf(call);
  const asked = fetchers.length === 0 ? [made(name, 'request', call, { url })] : [];
  const all = [...asked, cacheKey(name, call, url, givenTo(fetchers)) ?? []].flat();
  return all.length === 0 ? undefined : choiceOf(all);
}

/** `useSWR(key, fetcher)`, `useSWRMutation`, `preload`: what is fetched is asked for by the key. */
function runs(call: RuleCall): Run[] {
  const { node, module } = call;
  const open = unknown(node, module);
  if (call.path[0] === 'useSWRConfig') return [];
  if (!isAsking(call)) return [{ fn: open, args: [] }];
  const fetchers = fetchersOf(call);
  const isMutation = node.callee.kind === 'name' && node.callee.name.endsWith('Mutation');
  return keysOf(call).flatMap((key) =>
    (fetchers.length === 0 ? [open] : fetchers).map((fn) => ({ fn, args: [...laidOut(key, fn), ...(isMutation ? [open] : [])] })),
  );
}

const isAsking = ({ path, on, args }: RuleCall): boolean =>
  on === undefined && path[0] !== 'mutate' && path[0] !== 'SWRConfig' && args.length > 0;

/** What is called with the key: the hook's own, one among its options, or that of the page. */
function fetchersOf({ args: [, given], ev, node, ...at }: RuleCall): readonly Value[] {
  const options = given === undefined ? [] : optionsOf(given).filter(({ type }) => type !== 'literal');
  const own = options.flatMap((each) => (each.type === 'object' ? optionsOf(ev.member(each, 'fetcher', node, at)) : [each]));
  const found = own.filter(({ type }) => type !== 'literal');
  return found.length > 0 ? found : fetchersOfPage(ev).flatMap(optionsOf);
}

/** What a key may be; one that is missing asks for nothing, so of `id && '/path'` it is the path. */
function keysOf({ ev, node, module, frame }: RuleCall): Value[] {
  const [key] = node.args;
  return key === undefined || key.kind === 'spread' ? [unknown(node, module)] : keysIn(ev, key, { module, frame });
}

function keysIn(ev: Evaluation, key: Expression, at: At): Value[] {
  if (key.kind === 'logical' && key.operator === '&&') return keysIn(ev, key.right, at);
  const options = optionsOf(ev.evaluate(key, at)).filter(({ type }) => type !== 'literal');
  const made = options.flatMap((each): readonly Value[] => {
    if (each.type === 'list') return [each];
    if (each.type !== 'function') return [];
    const args = asArguments(each.node.params.map((param) => unknown(param, each.module)));
    const frame: Frame = { owner: each.node, args, outer: each.frame ?? at.frame };
    return returnsOf(each.node).flatMap((returned) => keysIn(ev, returned, { module: each.module, frame }));
  });
  // A variable and its default stay beside each other: the one says what the other is for.
  const asked = options.filter(({ type }) => type !== 'list' && type !== 'function');
  return asked.length === 0 ? made : [choiceOf(asked), ...made];
}

/** Until SWR 2 a list was laid out for the fetcher. */
const laidOut = (key: Value, fn: Value): readonly Value[] =>
  key.type === 'list' && !key.isOpen && fn.type === 'function' && fn.node.params.length > 1 ? key.items : [key];

const known = new WeakMap<World, readonly Value[]>();

/** `<SWRConfig value={{ fetcher }}>`: of each that there is, as nothing says which one is around a component. */
function fetchersOfPage(ev: Evaluation): readonly Value[] {
  const before = known.get(ev.world);
  if (before !== undefined) return before;
  const found = [...ev.world.modules.values()].flatMap((module) => {
    if (!module.text.includes('SWRConfig')) return [];
    const at = { module, frame: undefined };
    return nodesOfKind(module.tree.program, 'other').flatMap(({ what, children: [tag, ...attributes] }) => {
      if (what !== 'JsxElement' || tag?.kind !== 'name') return [];
      const of = ev.evaluate(tag, at);
      if (of.type !== 'external' || of.source !== name || of.path[0] !== 'SWRConfig') return [];
      return attributes.flatMap(valueIn).map((value) => ev.member(ev.evaluate(value, at), 'fetcher', value, at));
    });
  });
  const fetchers = found.filter(({ type }) => type !== 'literal');
  known.set(ev.world, fetchers);
  return fetchers;
}

const valueIn = (attribute: OtherNode['children'][number]): OtherNode['children'] =>
  attribute.kind === 'other' && attribute.what === 'JsxAttribute'
    ? attribute.children.flatMap((value) => (value.kind === 'other' && value.what === 'JsxExpression' ? value.children : [value]))
    : [];

export const swrRule: ClientRule = {
  name,
  title: 'SWR',
  modules: [name, 'swr/infinite', 'swr/immutable', 'swr/mutation'],
  call,
  runs,
  // The fetcher of a page may have the base and the key, and its hooks nothing of v1.
  ambient: { mark: /\buseSWR|<SWRConfig\b/, reached: (text) => (text.includes('<SWRConfig') ? /\buseSWR/ : /<SWRConfig\b/) },
};
