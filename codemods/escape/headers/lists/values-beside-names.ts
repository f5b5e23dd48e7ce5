/**
 * Keys that stand beside the name of their header, and not where the header is put together: `{ header: 'x-api-key', value: key }`. There they become tokens for all who
 * read them, so nothing but the header may.
 */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { classAround } from '../../../evaluate/calls/callees.ts';
import { isScript, moduleOf, type SourceModule } from '../../../evaluate/module.ts';
import { isSame } from '../../../evaluate/values/same.ts';
import { constructorRunBy } from '../../../evaluate/classes/subclasses.ts';
import { type Entry, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import { namesIn } from '../../../syntax/scopes.ts';
import type { FunctionNode, Node } from '../../../syntax/tree.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { ChangesByPlace } from '../../../verdict/changes/changes-by-place.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import { calledBy, paramsFor, takesArguments } from '../../flow/functions/arguments.ts';
import { isOfAnotherKind } from './rows-of-a-kind.ts';
import type { DataflowQuery } from '../../flow/dataflow-query.ts';
import { propertyReads } from '../../flow/property-reads.ts';
import type { Readers } from '../../flow/readers.ts';

/** @returns where else each of them is read */
export function readBesideHeader(
  query: DataflowQuery,
  readers: Readers,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
): (Place & { readonly change: Change })[] {
  const own = sites.filter(({ verdict: { kind } }) => kind !== 'foreign' && kind !== 'unproven');
  const entries = own.flatMap(({ keys }) => keys.filter(({ put, valueNode }) => put !== undefined && valueNode !== undefined));
  return [...Map.groupBy(entries, ({ valueNode }) => valueNode)].flatMap(([valueNode, same]) => {
    const [entry] = same;
    if (valueNode === undefined || entry === undefined || !isScript(entry.module)) return [];
    const isPart = ({ what, start, end }: Change): boolean => what === 'header value' && valueNode.start <= start && end <= valueNode.end;
    const change = changes.at(entry.module, valueNode.start, valueNode.end).find(isPart);
    if (change === undefined) return [];
    const headers = new Set(same.map(({ put }) => (put?.node.kind === 'await' ? put.node.argument : put?.node)));
    return usesOf(query, readers, entry, valueNode)
      .filter(({ node }) => !headers.has(node))
      .map((place) => ({ ...place, change }));
  });
}

/** What is done with a key that is given beside its name, by whatever other names it goes. */
function usesOf(query: DataflowQuery, readers: Readers, entry: Entry, valueNode: Node): Place[] {
  const maker = makerOf(valueNode, entry.node);
  const value = optionsOf(entry.value());
  const isKey = (option: Value): boolean => (option.type === 'function' ? option.node === maker : value.some((own) => isSame(own, option)));
  const given = maker ?? valueNode;
  const { module } = entry;
  const waiting: Place[] =
    given.parent?.kind === 'property'
      ? [...readsOf(query.ev, readers, given.parent.name), ...askedFor(query.ev, given.parent.name)]
      : isScript(module)
        ? [...receivers(query, readers, { node: entry.node, module }, given).places]
        : [];
  const seen = new Set<Node>();
  const uses: Place[] = [];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (seen.has(place.node) || isWritten(place.node) || isOfAnotherKind(query.ev.world, entry.node, place.node, place.module)) continue;
    seen.add(place.node);
    const holder = holderOf(place.node);
    if (holder !== undefined && !seen.has(holder)) uses.push(...readByAnyName(holder, place.module));
    if (holder !== undefined) seen.add(holder);
    if (!query.values(place).some((each) => optionsOf(each).some(isKey))) continue;
    const read = maker === undefined ? place : calledAt(place);
    const copies = copiesOf(query, readers, read);
    if (copies === undefined) uses.push(read);
    else waiting.push(...copies);
  }
  return uses;
}

/** Of `value: () => env.KEY` the function, of which each call gives the key. */
function makerOf(valueNode: Node, around: Node): FunctionNode | undefined {
  let at = valueNode.parent;
  while (at !== undefined && at !== around && at.kind !== 'function') at = at.parent;
  return at?.kind === 'function' ? at : undefined;
}

/** The class of whose instance it is a field. */
const holderOf = (node: Node): Node | undefined => (node.kind === 'member' && node.object.kind === 'this' ? classAround(node) : undefined);

/** `this[name]`, and `JSON.stringify(this)` */
const readByAnyName = (of: Node, module: SourceModule): readonly Place[] =>
  nodesOfKind(module.tree.program, 'this').flatMap((node: Node) => {
    const { parent } = node;
    if (parent === undefined || classAround(node) !== of) return [];
    if (parent.kind === 'member') return parent.object === node && parent.computed !== undefined ? { node: parent, module } : [];
    const isGiven = (parent.kind === 'call' && parent.callee !== node && !isBound(parent.callee)) || parent.kind === 'spread';
    return isGiven ? { node, module } : [];
  });

/** `run.call(this)`, `run.bind(this)` */
const isBound = (callee: Node): boolean => callee.kind === 'member' && ['call', 'apply', 'bind'].includes(callee.property ?? '');

const isWritten = (node: Node): boolean => node.parent?.kind === 'assign' && node.parent.target === node;

const calledAt = ({ node, module }: Place): Place =>
  node.parent?.kind === 'call' && node.parent.callee === node ? { node: node.parent, module } : { node, module };

/** Who reads what a place only hands on to a field, a constant or a function: `this.key = options.key`. @returns undefined where it does more */
function copiesOf(query: DataflowQuery, readers: Readers, { node, module }: Place): readonly Place[] | undefined {
  const { parent } = node;
  if (parent?.kind === 'assign' && parent.value === node && parent.target.kind === 'member' && parent.target.object.kind === 'this')
    return parent.parent?.kind === 'other' && parent.parent.what === 'ExpressionStatement' && parent.target.property !== undefined
      ? readsOf(query.ev, readers, parent.target.property)
      : undefined;
  if (parent?.kind === 'classMember' && parent.value === node && parent.name !== undefined) return readsOf(query.ev, readers, parent.name);
  if (parent?.kind === 'variable' && parent.init === node && parent.declares === 'const' && parent.target.kind === 'patternName') {
    const binding = module.scopes.declaredBy(parent.target);
    return binding && readers.of(binding, module);
  }
  if (parent?.kind !== 'call' || parent.callee === node) return undefined;
  const { places, isAll } = receivers(query, readers, { node: parent, module }, node);
  return isAll ? places : undefined;
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

/** Where functions read what a call gives them, and whether these are all that may get it. */
function receivers(
  query: DataflowQuery,
  readers: Readers,
  { node: call, module }: Place,
  arg: Node,
): { readonly places: readonly Place[]; readonly isAll: boolean } {
  if (call.kind !== 'call') return { places: [], isAll: false };
  const callees = query.values({ node: calledBy(call), module });
  const functions = callees.flatMap((callee) => {
    if (callee.type !== 'function' && callee.type !== 'class') return [];
    const fn = callee.type === 'class' ? constructorRunBy(query.ev, callee) : callee.node;
    const own = moduleOf(fn, callee.module);
    return fn.kind === 'function' && isScript(own) ? { fn, own } : [];
  });
  const places = functions.flatMap(({ fn, own }) =>
    paramsFor(fn, arg).flatMap(({ target, isField }) =>
      namesIn(target).flatMap((name) => {
        const binding = own.scopes.declaredBy(name);
        const fields = isField ? readsOf(query.ev, readers, name.name) : [];
        return binding === undefined ? fields : [...readers.of(binding, own), ...fields];
      }),
    ),
  );
  const isAll = functions.length === callees.length && functions.length > 0 && functions.every(({ fn }) => !takesArguments(fn));
  return { places, isAll };
}
