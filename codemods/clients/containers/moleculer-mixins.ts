/** Which services of Moleculer are made of which schemas: https://moleculer.services/docs/0.14/services.html#Mixins. */
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { type ObjectValue, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { memoOf } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { FunctionNode, Node, ObjectNode } from '../../syntax/tree.ts';
import { handlersNamedIn, isPlain, usedOtherwise } from './moleculer-uses.ts';

/** A schema that a service is made of, and what `broker.createService(schema, changes)` lays over it. */
export interface Service {
  readonly schema: ObjectValue;
  readonly changes?: Value | undefined;
}

/** A schema as it stands there. */
export interface Schema {
  readonly node: ObjectNode;
  readonly module: SourceModule;
}

interface Index {
  /** By the schema that they mix in, or that is changed. */
  readonly users: Map<Node, Service[]>;
  /** Functions that stand elsewhere, with the schemas that name them. */
  readonly handlers: Map<Node, Schema[]>;
  /** Whether some service is made of what nobody knows. */
  isOpen: boolean;
}

const named = /['"]moleculer(?:-[\w-]+)?['"]/;
/** Where the generator of Moleculer's projects puts services and mixins. */
const places = /(?:^|\/)(?:services|mixins)\/|\.(?:service|mixin)s?\.\w+$/;

const isUsedIn = memoOf(({ modules }: World): boolean => [...modules.values()].some(({ text }) => named.test(text)));

/** Whether some file is of a program that is made of services. */
export const hasServices = ({ world }: Evaluation): boolean => isUsedIn(world);

/** Whether the objects of a file with sections of a schema are schemas. */
export const isOfService = (ev: Evaluation, { file, text }: SourceModule): boolean =>
  hasServices(ev) && !file.endsWith('.vue') && (named.test(text) || places.test(file));

/** What a service is made of, what counts more comes later; undefined where not all of it is known. Packages mix in nothing that asks for ours. */
export function partsOf(ev: Evaluation, { schema, changes }: Service, within: readonly Node[] = []): readonly ObjectValue[] | undefined {
  if (within.includes(schema.node) || (changes !== undefined && changes.type !== 'object')) return undefined;
  const items = itemsOf(ev, schema);
  const mixins = items?.toReversed().map((item) => {
    if (item.type === 'external') return [];
    return item.type === 'object' ? partsOf(ev, { schema: item }, [...within, schema.node]) : undefined;
  });
  if (mixins === undefined || mixins.includes(undefined) || changesItself(schema)) return undefined;
  return [...mixins.flatMap((each) => each ?? []), schema, ...(changes === undefined ? [] : [changes])];
}

/** `merged(schema) { … }` may change all of it. */
const changesItself = ({ entries, unknown: open }: ObjectValue): boolean =>
  open.length > 0 || entries.some(({ name }) => name === undefined || name === 'merged');

/** The mixins of a schema; undefined where these are not all known. */
function itemsOf(ev: Evaluation, schema: ObjectValue): readonly Value[] | undefined {
  const entry = schema.entries.findLast(({ name }) => name === 'mixins');
  if (entry === undefined) return [];
  const list = entry.value();
  if (list.type === 'object') return [list];
  if (list.type !== 'list' || list.isOpen) return undefined;
  return list.items.map((item) => madeByPackage(ev, item) ?? item);
}

/** `DbService('contacts')` of a package. */
function madeByPackage(ev: Evaluation, item: Value): Value | undefined {
  if (item.type !== 'unknown' || item.node?.kind !== 'call' || item.module === undefined || !isScript(item.module)) return undefined;
  const of = ev.evaluate(item.node.callee, { module: item.module, frame: undefined });
  return of.type === 'external' ? of : undefined;
}

const indexes = new WeakMap<Evaluation, Index>();

function indexOf(ev: Evaluation): Index {
  const known = indexes.get(ev);
  if (known !== undefined) return known;
  // Whoever asks while it is made gets nothing for certain.
  const index: Index = { users: new Map(), handlers: new Map(), isOpen: true };
  indexes.set(ev, index);
  const isOpen = [...ev.world.modules.values()].map((module) => indexed(ev, module, index)).includes(true);
  index.isOpen = isOpen;
  return index;
}

/** @returns whether something there is mixed in that nobody knows */
function indexed(ev: Evaluation, module: SourceModule, { users, handlers }: Index): boolean {
  const at: At = { module, frame: undefined };
  let isOpen = false;
  const use = (of: Value, service: Service): void => {
    for (const each of optionsOf(of)) {
      if (each.type === 'object') listIn(users, each.node).push(service);
      else isOpen ||= each.type !== 'external';
    }
  };
  for (const node of nodesOfKind(module.tree.program, 'object')) {
    for (const handler of isOfService(ev, module) ? handlersNamedIn(node) : [])
      for (const each of optionsOf(ev.evaluate(handler, at)))
        if (each.type === 'function') listIn(handlers, each.node).push({ node, module });
    if (!node.properties.some((each) => each.kind === 'property' && each.name === 'mixins')) continue;
    const schema = ev.evaluate(node, at);
    const items = schema.type === 'object' ? itemsOf(ev, schema) : undefined;
    isOpen ||= items === undefined;
    if (schema.type === 'object') for (const item of items ?? []) use(item, { schema });
  }
  for (const place of usedOtherwise(ev, module, (each) => isOfService(ev, each)))
    for (const each of optionsOf(ev.evaluate(place, at)))
      if (each.type === 'object' || each.type === 'namespace') use(each, unseen(place, module));
  for (const { callee, args } of module.calls) {
    const [schema, changes] = callee.kind === 'member' && callee.property === 'createService' ? args : [];
    if (schema === undefined || changes === undefined) continue;
    for (const each of optionsOf(ev.evaluate(schema, at)))
      if (each.type === 'object') use(each, { schema: each, changes: ev.evaluate(changes, at) });
      else isOpen = true;
  }
  return isOpen;
}

function listIn<Item>(lists: Map<Node, Item[]>, key: Node): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** What is done with it there, nobody knows. */
const unseen = (node: Node, module: SourceModule): Service => {
  const schema: ObjectValue = { type: 'object', node, module, entries: [], unknown: [unknown(node, module)] };
  return { schema, changes: unknown(node, module) };
};

/** The schemas that name a function which stands elsewhere. */
export const schemasNaming = (ev: Evaluation, fn: FunctionNode): readonly Schema[] =>
  hasServices(ev) ? (indexOf(ev).handlers.get(fn) ?? []) : [];

/** The services that a schema is part of, itself where it is one; undefined where these are not all known. */
export function mixedInto(ev: Evaluation, { node: schema, module }: Schema): readonly Service[] | undefined {
  const { users, isOpen } = indexOf(ev);
  const own = ev.evaluate(schema, { module, frame: undefined });
  if (isOpen || own.type !== 'object' || !isPlain(schema)) return undefined;
  const found: Service[] = [{ schema: own }];
  for (const { schema: each } of found)
    for (const user of users.get(each.node) ?? [])
      if (!found.some((known) => known.schema.node === user.schema.node && known.changes === user.changes)) found.push(user);
  // What has no name runs as part of others alone.
  const isService = ({ schema: each }: Service): boolean => each.entries.some(({ name }) => name === 'name');
  const services = found.filter((each) => each.changes !== undefined || isService(each));
  return services.length === 0 ? found : services;
}
