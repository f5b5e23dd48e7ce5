/**
 * Keys that stand beside the name of their header, and not where the header is put together: `{ header: 'x-api-key', value: key }`. There they become tokens for all who
 * read them, so nothing but the header may.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript } from '../../evaluate/module.ts';
import { isSame } from '../../evaluate/same.ts';
import { type Entry, optionsOf } from '../../evaluate/values.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';
import type { Place } from '../../evaluate/budget.ts';
import type { ChangesByPlace } from '../../verdict/changes-by-place.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/spans.ts';
import { calledBy, paramsFor } from '../flow/arguments.ts';
import type { DataflowQuery } from '../flow/dataflow-query.ts';
import { propertyReads } from '../flow/property-reads.ts';
import type { Readers } from '../flow/readers.ts';

/** @returns where else each of them is read */
export function readBesideHeader(
  query: DataflowQuery,
  readers: Readers,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
): (Place & { readonly change: Change })[] {
  const entries = new Map(
    sites.flatMap(({ keys }) => keys.flatMap((entry) => (entry.put === undefined ? [] : [[entry.valueNode, entry] as const]))),
  );
  return [...entries].flatMap(([valueNode, entry]) => {
    if (valueNode === undefined || !isScript(entry.module)) return [];
    const isPart = ({ what, start, end }: Change): boolean => what === 'header value' && valueNode.start <= start && end <= valueNode.end;
    const change = changes.at(entry.module, valueNode.start, valueNode.end).find(isPart);
    if (change === undefined) return [];
    const value = optionsOf(entry.value());
    const isKey = (place: Place): boolean =>
      query.values(place).some((each) => optionsOf(each).some((option) => value.some((own) => isSame(own, option))));
    const reads =
      valueNode.parent?.kind === 'property'
        ? [...readsOf(query.ev, readers, valueNode.parent.name), ...askedFor(query.ev, valueNode.parent.name)]
        : receivers(query, readers, entry, valueNode);
    return reads.filter((place) => place.node !== entry.put?.node && isKey(place)).map((place) => ({ ...place, change }));
  });
}

/** What takes a property of this name. */
const readsOf = (ev: Evaluation, readers: Readers, name = ''): readonly Place[] =>
  (propertyReads(ev).get(name) ?? []).flatMap(({ node, module }) => {
    if (node.kind === 'member') return { node, module };
    const binding = module.scopes.declaredBy(node);
    return binding === undefined ? [] : readers.of(binding, module);
  });

/** What asks for it by a path that ends in its name: `config.get('messaging.key')`. */
const askedFor = ({ world }: Evaluation, name = ''): readonly Place[] =>
  [...world.modules.values()].flatMap((module) =>
    module.calls.flatMap((node) => {
      const [path] = node.args;
      return path?.kind === 'string' && path.value.split('.').at(-1) === name ? { node, module } : [];
    }),
  );

/** What a function does with what a call gives it. */
function receivers(query: DataflowQuery, readers: Readers, { node: call, module }: Entry, arg: Node): readonly Place[] {
  if (call.kind !== 'call' || !isScript(module)) return [];
  return query.values({ node: calledBy(call), module }).flatMap((callee) => {
    if (callee.type !== 'function' && callee.type !== 'class') return [];
    const { node, module: own } = callee;
    const fn = node.kind === 'function' ? node : node.members.find(({ role }) => role === 'constructor')?.value;
    if (fn?.kind !== 'function') return [];
    return paramsFor(fn, arg).flatMap(({ target }) =>
      namesIn(target).flatMap((name) => {
        const binding = own.scopes.declaredBy(name);
        return binding === undefined ? [] : readers.of(binding, own);
      }),
    );
  });
}
