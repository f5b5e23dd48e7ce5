/** What is read of one item of a written list or table at a time: an address of one item and headers of another go together in no request. */
import { assignmentsOf } from '../evaluate/names/assignments.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { isOneWay, nodesOf, type Provenance } from '../evaluate/values/provenance.ts';
import { memoOf } from '../once.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Entry, Part } from '../evaluate/values/values.ts';
import { escaped } from '../find/words/literals.ts';
import type { Binding } from '../syntax/scopes.ts';
import type { MemberNode, Node, ObjectNode } from '../syntax/tree.ts';
import { areApart, isKept, type Place } from './branches.ts';
import { perItem } from '../syntax/item-methods.ts';
import { isTakenOnce } from './taken-once.ts';

/** An address, or a method or header. */
type Read = readonly Part[] | { readonly node?: Node; readonly module?: SourceText; readonly provenance?: Provenance };

interface Origin {
  /** Declarations of what holds one item at a time. */
  readonly holders: ReadonlyMap<Node, SourceModule>;
  readonly items: ReadonlyMap<Node, ReadonlySet<Node>>;
  /** Whether it is read in one way alone: by another it may be of another item. */
  readonly isPlain: boolean;
}

/** Whether an address and a method or header may be of one request, by the items and by the branches that they come from. */
export const mayMeet = (url: readonly Part[], other: Read): boolean =>
  goTogether(url, other) && !areApart(placesOnTheWay(url), () => placesOnTheWay(other));

/** Whether two values may be of one request: not, where one name holds what both are read of, and they stand in different items. */
export function goTogether(url: readonly Part[], other: Read): boolean {
  const one = originOf(url);
  if (one.holders.size === 0) return true;
  const { holders, items, isPlain } = originOf(other);
  if (!one.isPlain || !isPlain || ![...one.holders.keys()].some((holder) => holders.has(holder))) return true;
  const common = [...one.items].flatMap(([table, own]) => {
    const others = items.get(table);
    return others === undefined ? [] : [meet(own, others)];
  });
  return common.length === 0 || common.includes(true);
}

/** `cache.get(host)`: what was put there may have been another item's. */
const isOfMap = (node: Node): boolean => node.kind === 'call' && node.callee.kind === 'member' && node.callee.property === 'get';

/**
 * Whether a function of a row that gives a header is also read by the row's own name, or rows are put into its table: elsewhere it may be called for another
 * row's address.
 */
export function isRowTaken({ world }: Evaluation, { node, provenance }: Entry): boolean {
  if (!nodesOf(provenance).some((each) => rootOf(each.node) !== each.node)) return false;
  return tablesAround(node).some(({ table, item }) => {
    // A tuple is read by the name of its list, and a list that a loop alone goes through by none.
    if (table.parent?.kind === 'array' || (table.parent?.kind === 'variable' && table.parent.each === 'value')) return false;
    const holder = table.parent?.kind === 'variable' && table.parent.target.kind === 'patternName' ? table.parent.target.name : undefined;
    if (holder === undefined) return true;
    const row = item.kind === 'property' && item.name !== undefined ? escaped(item.name) : String.raw`\d+`;
    const member = String.raw`(?:\.[\w$]+|\[[^\]\n]*\])`;
    const taking = new RegExp(
      [
        String.raw`\b${holder}\s*(?:\?\.|\.)${row}\b|\b${holder}\s*(?:\?\.)?\[\s*['"\x60]?${row}['"\x60]?\s*\]`,
        String.raw`\{[^{}]*\b${row}\b[^{}]*\}\s*=\s*(?:\w+\.)?${holder}\b`,
        String.raw`\b${holder}\s*${member}+\s*=(?!=)|\b(?:assign|merge|set|unset|defineProperty)\w*\(\s*(?:\w+\.)?${holder}\b`,
      ].join('|'),
    );
    return [...world.modules.values()].some(({ text }) => taking.test(text));
  });
}

/** The name that a method is called on: `p.headers()` is of the item that `p` holds. */
function rootOf(node: Node): Node {
  let at = node.kind === 'call' && !node.isNew ? node.callee : node;
  if (at === node) return node;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'name' ? at : node;
}

const meet = (one: ReadonlySet<Node>, other: ReadonlySet<Node>): boolean => [...one].some((node) => other.has(node));

/**
 * Whether a program that is configured one way may ask one address, and configured another way the other: a name that holds the row of a table which the
 * environment says holds a stage of one service. What a caller, a loop or the program itself takes out of it may be any of several services.
 */
export function mayBeStages(one: readonly Part[], other: readonly Part[]): boolean {
  if (goTogether(one, other)) return true;
  const { holders } = originOf(other);
  return [...originOf(one).holders].every(([holder, module]) => !holders.has(holder) || isTakenOnce(holder, module));
}

/** Each address is compared with each header. */
const originOf = memoOf((read: Read): Origin => {
  const provenances = provenancesOf(read);
  const own = ownPlaces(read);
  const way = provenances.flatMap(nodesOf);
  const isKept = way.some(({ node }) => isOfMap(node));
  const places = [...way, ...own].map((place) => ({ ...place, node: isKept ? place.node : place.node && rootOf(place.node) }));
  const names = places.flatMap(({ node, module }) => {
    const isName = node?.kind === 'name' && module !== undefined && isScript(module);
    const binding = isName ? module.scopes.bindingOf(node) : undefined;
    return isName && binding !== undefined ? [{ node, binding, module }] : [];
  });
  const held = [
    ...names.flatMap(({ node, binding, module }) => (isHolder(binding) && isOutside(node) ? [[binding.owner, module] as const] : [])),
    ...places.flatMap(({ node, module }) => {
      const row = node?.kind === 'member' && module !== undefined && isScript(module) ? rowLookedUp(node, module) : undefined;
      return row === undefined ? [] : [row];
    }),
  ];
  // Most are read of no item, and may be of each: what else there is to know of them is asked by nobody.
  if (held.length === 0) return ofNoItem;
  const items = new Map<Node, Set<Node>>();
  // What is read by a name that stands there, `row.get.url`, is no item that something holds.
  const named = new Set(places.map(({ node }) => (node?.kind === 'member' ? node.property : undefined)));
  const isRead = (item: Node): boolean => item.kind === 'property' && item.name !== undefined && named.has(item.name);
  for (const { node } of places)
    for (const { table, item } of node === undefined ? [] : tablesAround(node))
      if (!isRead(item)) items.set(table, (items.get(table) ?? new Set()).add(item));
  const isWritten = names.some(({ node, binding }) => assignmentsOf(binding).all.length > 0 && isOutside(node));
  return {
    holders: new Map(held),
    items,
    isPlain: !isWritten && provenances.every(isOneWay),
  };
});

/** Where a value is written, and by what it came, if that is one way alone. */
const placesOnTheWay = memoOf((read: Read): readonly Place[] => {
  const provenances = provenancesOf(read);
  return [...ownPlaces(read), ...(provenances.every(isOneWay) ? provenances.flatMap(nodesOf) : [])];
});

const provenancesOf = (read: Read): readonly Provenance[] => (isParts(read) ? read.map(({ provenance }) => provenance) : [read.provenance]);

const ownPlaces = (read: Read): readonly Place[] =>
  isParts(read) ? read.flatMap((part) => ('text' in part ? (part.source ?? []) : [])) : [read];

const isOutside = (node: Node): boolean => tablesAround(node).length === 0;

const ofNoItem: Origin = { holders: new Map(), items: new Map(), isPlain: true };

const isParts = (read: Read): read is readonly Part[] => Array.isArray(read);

/** `for (const item of list)`, `list.map((item) => …)` and `const item = table[name]`: a name that holds one item at a time. */
function isHolder({ owner }: Binding): boolean {
  if (owner.kind === 'variable') return owner.each === 'value' || (owner.init?.kind === 'member' && owner.init.property === undefined);
  const call = owner.kind === 'param' && owner.parent?.kind === 'function' ? owner.parent.parent : undefined;
  return call?.kind === 'call' && call.callee.kind === 'member' && perItem.has(call.callee.property ?? '');
}

const lookedUp = memoOf((_table: Binding) => new Map<Binding, MemberNode>());

/** `table[name].url` beside `table[name].headers`: as neither name is given another value, all that is read so is of one item. The first place stands for all. */
function rowLookedUp(node: MemberNode, module: SourceModule): readonly [Node, SourceModule] | undefined {
  const { object, computed } = node;
  if (object.kind !== 'name' || computed?.kind !== 'name') return undefined;
  const [table, name] = [object, computed].map((each) => module.scopes.bindingOf(each));
  if (table === undefined || name === undefined || !isKept(table) || !isKept(name) || name.owner.kind === 'import') return undefined;
  const rows = lookedUp(table);
  const first = rows.get(name) ?? node;
  rows.set(name, first);
  return [first, module];
}

/** The lists and tables that a node stands in, each with its item. */
function tablesAround(node: Node): { readonly table: Node; readonly item: Node }[] {
  const found: { table: Node; item: Node }[] = [];
  for (let item = node; item.parent !== undefined; item = item.parent) {
    const { parent } = item;
    if (parent.kind === 'array' || (parent.kind === 'object' && isTable(parent))) found.push({ table: parent, item });
  }
  return found;
}

/** Whether all that an object holds, but for texts, are objects, or lists, that look alike: `{ send: { method, path }, … }`, `{ send: [method, path], … }`. */
function isTable({ properties }: ObjectNode): boolean {
  const rows = properties.filter((each) => each.kind !== 'property' || each.value.kind !== 'string');
  const [first, ...others] = rows.map((each) => new Set(each.kind === 'property' ? namesIn(each.value) : []));
  return others.length > 0 && others.every((names) => [...names].some((name) => first?.has(name)));
}

function namesIn(node: Node): string[] {
  if (node.kind === 'array') return node.elements.map((_, index) => String(index));
  return node.kind === 'object' ? node.properties.flatMap((each) => (each.kind === 'property' ? (each.name ?? []) : [])) : [];
}
