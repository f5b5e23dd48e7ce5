/**
 * Maps of the program's own that begin empty and are asked by what a function is given, as a cache by paths or a limiter by addresses has one: they find what they
 * were given by the same key, whatever that is. So it must be the same in all places: each key that may be one of v1's moves along, and nobody else has the map.
 */
import { readsOf } from '../../../evaluate/calls/by-name.ts';
import { classAround } from '../../../evaluate/calls/callees.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { flat, unknownPart } from '../../../evaluate/values/text.ts';
import { optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import { requiredBy } from '../../../syntax/required.ts';
import type { CallNode, MemberNode, Node } from '../../../syntax/tree.ts';
import { isMemoryCache } from '../../../clients/memory-caches.ts';
import type { DataflowQuery } from '../dataflow-query.ts';
import { isExported } from '../readers.ts';

const asking = /^(?:get|set|has|add|delete|del|peek)$/;
const keepsKeys = /^(?:clear|values)$/;
/** A path of v1 where a path begins; what is not known may be one. */
const mayBeOfV1 = new RegExp(`^(?:https?://[^/]*)?/?(?:v1(?![\\w-])|${unknownPart})`, 'i');

const isHost = new RegExp(`^(?:https?://[^/]*|${unknownPart})?$`, 'i');

/** Whether a call asks such a map by a parameter. */
export function isKeyOfOwnMap(query: DataflowQuery, { callee, args: [key] }: CallNode, at: Node, module: SourceModule): boolean {
  // `url.href` of a parameter is as good as a path that is one.
  const given = at.kind === 'member' ? at.object : at;
  if (key !== at || given.kind !== 'name' || callee.kind !== 'member' || !asking.test(callee.property ?? '')) return false;
  if (module.scopes.bindingOf(given)?.owner.kind !== 'param') return false;
  const places = placesOf(query, callee.object, module);
  return places !== undefined && places.every((place) => isAskedAlike(query, place, module));
}

/** Where a map is named that begins empty; undefined where it is none, begins with something, or others have it, too. */
function placesOf({ ev: { world } }: DataflowQuery, map: Node, module: SourceModule): readonly Node[] | undefined {
  if (map.kind === 'name') {
    const binding = module.scopes.bindingOf(map);
    const isOwn = binding?.owner.kind === 'variable' && isEmptyMap(binding.owner.init, module) && !isExported(binding, module);
    return isOwn ? binding.references : undefined;
  }
  return map.kind === 'member' && map.object.kind === 'this' && map.property !== undefined ? placesOfField(map, map.property) : undefined;

  function placesOfField(field: MemberNode, name: string): readonly Node[] | undefined {
    const of = classAround(field);
    const mentions = nodesOfKind(module.tree.program, 'member').filter(
      (node) => node.object.kind === 'this' && node.property === name && classAround(node) === of,
    );
    const isField = of?.members.some((member) => member.name === name && isEmptyMap(member.value, module)) === true;
    const isRead = ({ node }: { readonly node: Node }): boolean => mentions.some((each) => each === node);
    // A private field may be asked of another instance, too: `other.#items`.
    const named = nodesOfKind(module.tree.program, 'member').filter(({ property }) => property === name);
    const isOwn = name.startsWith('#') ? named.every((node) => isRead({ node })) : readsOf(world, name)?.every(isRead) === true;
    return isOwn && (isField || mentions.some(isMade)) ? mentions.filter((node) => !isMade(node)) : undefined;
  }

  /** `this.items = new Map()` */
  function isMade(node: Node): boolean {
    return node.parent?.kind === 'assign' && node.parent.target === node && isEmptyMap(node.parent.value, module);
  }
}

/** `new Map()`, or a cache in memory that asks nobody for what it has not: `new LRUCache({ max: 200 })` */
function isEmptyMap(node: Node | undefined, { scopes }: SourceModule): boolean {
  if (node?.kind !== 'call' || !node.isNew || node.callee.kind !== 'name') return false;
  const { callee, args } = node;
  const binding = scopes.bindingOf(callee);
  if (binding === undefined) return args.length === 0 && /^(?:Map|Set)$/.test(callee.name);
  const { owner } = binding;
  const specifier = owner.kind === 'import' ? owner.source : requiredBy(owner.kind === 'variable' ? owner.init : undefined);
  return specifier !== undefined && isMemoryCache(specifier.value) && args.every(isOfValues);
}

/** Options that say how much is kept, and for how long; others may be functions that are given keys. */
const isOfValues = (arg: Node): boolean =>
  arg.kind === 'literal' ||
  (arg.kind === 'object' &&
    arg.properties.every((each) => each.kind === 'property' && limits.test(each.name ?? '') && each.value.kind !== 'function'));

const limits = /^(?:max|ttl|std|check|allowStale|updateAge|useClones)/;

/** Whether a key moves along, or is none of v1's. What a method has that nobody calls is no key at all. */
function isAskedAlike(query: DataflowQuery, { parent: method }: Node, module: SourceModule): boolean {
  if (method?.kind !== 'member') return false;
  const call = method.parent?.kind === 'call' && method.parent.callee === method ? method.parent : undefined;
  if (!asking.test(method.property ?? '')) return keepsKeys.test(method.property ?? '');
  const isAlike = (value: Value): boolean => {
    if (value.type !== 'text') return value.type === 'param' || query.carriedBy([value]).length > 0;
    // A path that begins with a parameter is known where somebody gives that.
    const open = value.parts.findIndex((part) => 'unknownPart' in part && part.unknownPart.type === 'param');
    if (open !== -1 && isHost.test(flat(value.parts.slice(0, open)))) return true;
    return query.carriedBy([value]).length > 0 || !mayBeOfV1.test(flat(value.parts)) || query.isElsewhere(value.parts);
  };
  return call?.args[0] !== undefined && query.values({ node: call.args[0], module }).flatMap(optionsOf).every(isAlike);
}
