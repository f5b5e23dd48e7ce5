/** Modules of Nest: what stands in their lists, and whose HttpService their providers are given. */
import { lastName } from '../names.ts';
import { readsOf } from '../../evaluate/calls/by-name.ts';
import { callsOf } from '../../evaluate/calls/all-callers.ts';
import { classAround, functionAround } from '../../evaluate/calls/callees.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { isNullish } from '../../evaluate/language/or-default.ts';
import { optionsOf, type HttpValue, type Value } from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import type { Place } from '../../evaluate/budget.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { namesOf } from '../../evaluate/names/other-names.ts';
import type { CallNode, ClassNode, Expression, Node, ObjectNode } from '../../syntax/tree.ts';

/** What a module has in one of its lists; the list itself where there may be more in it. */
export function listed(ev: Evaluation, around: Node, list: string, at: At): Value[] {
  return optionsOf(ev.member(ev.evaluate(around, at), list, around, at)).flatMap((each) => {
    if (each.type === 'list') return [...each.items.flatMap(optionsOf), ...(each.isOpen ? [each] : [])];
    return isNullish(each) ? [] : [each];
  });
}

/** What says of a module what it has. */
export interface Lists extends At {
  readonly lists: ObjectNode;
  /** Whether a function gives it, so that nobody knows who imports it: `static forRoot(options) { return { module: …, imports: […] }; }`. */
  readonly isReturned: boolean;
}

/** The object that `@Module` is given; of what a dynamic module returns that, and what its class is declared with. */
export function modulesAround(ev: Evaluation, node: Node, module: SourceModule): readonly Lists[] {
  return standsIn(ev, node, module).flatMap((found) => {
    const decorators = found.isReturned ? (classAround(found.lists)?.decorators ?? []) : [];
    const declared = decorators.flatMap((each) => (isCallOf(each, 'Module') ? each.args : []));
    return [found, ...declared.flatMap((each) => (each.kind === 'object' ? [{ ...found, lists: each, isReturned: false }] : []))];
  });
}

/**
 * The lists that a node stands in, by the names of what it stands in until then: `const http = HttpModule.register(…)`.
 * @returns none where one of these names leads elsewhere
 */
function standsIn(ev: Evaluation, node: Node, module: SourceModule, above: readonly Node[] = []): readonly Lists[] {
  const at: At = { module, frame: undefined };
  let held = node;
  for (let around = node.parent; around !== undefined; held = around, around = around.parent) {
    if (around.kind === 'object' && (around.parent?.kind === 'call' || isReturned(around)))
      return [{ ...at, lists: around, isReturned: around.parent?.kind !== 'call' }];
    const named = namesFor(ev, held, at)?.filter((each) => each.node !== held && !above.includes(each.node));
    if (named === undefined) continue;
    const lists = held;
    const found = named.map((each) =>
      lists.kind === 'object' && isReturned(each.node)
        ? [{ ...at, lists, isReturned: true }]
        : standsIn(ev, each.node, each.module, [...above, lists]),
    );
    return found.some(({ length }) => length === 0) ? [] : found.flat();
  }
  return [];
}

/** Where else one has what stands in a variable or is returned; undefined for what does neither. */
function namesFor(ev: Evaluation, node: Node, at: At): readonly Place[] | undefined {
  const fn = isReturned(node) ? functionAround(node) : undefined;
  if (fn !== undefined) return callsOf(ev, fn);
  const { parent } = node;
  if (parent?.kind !== 'variable' || parent.init !== node) return undefined;
  const names = namesOf(ev, [{ node, at, isOwn: true }]).all.map((each) => ({ node: each.node, module: each.at.module }));
  const name = parent.target.kind === 'patternName' ? parent.target.name : '';
  return at.module.exports.has(name) ? [...names, ...(readsOf(ev.world, name) ?? []).filter(isOfFile)] : names;
}

/** Whether it is read of what a whole file exports: `shared.http` of `import * as shared`. */
const isOfFile = ({ node, module }: Place): boolean =>
  node.kind === 'member' && node.object.kind === 'name' && module.scopes.bindingOf(node.object)?.owner.kind === 'import';

const isReturned = (node: Node): boolean =>
  node.parent?.kind === 'return' || (node.parent?.kind === 'function' && node.parent.body === node && node.kind !== 'block');

/** Whether the module around has one of those who ask among its providers or controllers. */
export const isProvidedIn = (ev: Evaluation, around: readonly Lists[], askers: Askers): boolean =>
  around.some(
    (each) => askers.factories.has(each.lists) || providedIn(ev, each.lists, each).some((provided) => askers.classes.includes(provided)),
  );

const providedIn = (ev: Evaluation, around: ObjectNode, at: At): readonly ClassNode[] =>
  ['providers', 'controllers'].flatMap((list) =>
    listed(ev, around, list, at).flatMap((each) => {
      const of = each.type === 'object' ? ev.member(each, 'useClass', around, at) : each;
      return of.type === 'class' ? of.node : [];
    }),
  );

/**
 * Whether a class gets what a testing module has a provider for: one without imports makes those alone that stand in its lists.
 * @param node where the class asks
 */
export function isInTestingModule(ev: Evaluation, provider: ObjectNode, node: Node, at: At): boolean {
  const asking = classAround(node);
  if (asking === undefined) return true;
  const known = madeBeside.get(provider) ?? { classes: madeWith(ev, provider, at) };
  madeBeside.set(provider, known);
  return known.classes?.has(asking) ?? true;
}

/** Asked for once, as each class of a program may ask for what each of its tests provides. */
const madeBeside = new WeakMap<ObjectNode, { readonly classes: ReadonlySet<ClassNode> | undefined }>();

/** The classes that a testing module makes; undefined where these are not all that may ask. */
function madeWith(ev: Evaluation, provider: ObjectNode, at: At): ReadonlySet<ClassNode> | undefined {
  const lists = listsAround(provider, at);
  if (lists?.kind !== 'object' || lists.parent?.kind !== 'call' || lastName(lists.parent) !== 'createTestingModule') return undefined;
  const all = ['imports', 'providers', 'controllers'].map((name) => listed(ev, lists, name, at));
  const made = providedIn(ev, lists, at);
  const isKnown = all[0]?.length === 0 && all.flat().every(({ type }) => type === 'class' || type === 'object');
  return !isKnown || made.length === 0 || made.some(({ superclass }) => superclass !== undefined) ? undefined : new Set(made);
}

/** `createTestingModule({ providers: [provider] })`, or with what a constant holds that is used nowhere else. */
function listsAround({ parent: list }: ObjectNode, { module }: At): Node | undefined {
  const holder = list?.parent;
  if (holder?.kind !== 'variable' || holder.target.kind !== 'patternName') return holder?.parent;
  const [only, ...others] = module.scopes.declaredBy(holder.target)?.references ?? [];
  return others.length === 0 ? only?.parent?.parent : undefined;
}

/** Who is given the service by which a request is made: classes, and factories in the lists of modules. */
export interface Askers {
  readonly classes: readonly ClassNode[];
  /** The lists around each. */
  readonly factories: ReadonlySet<Node>;
}

export function askersOf({ origins }: HttpValue): Askers {
  const classes: ClassNode[] = [];
  const factories = new Set<Node>();
  for (const origin of origins) {
    let at = typeof origin === 'string' ? undefined : origin;
    for (; at !== undefined && at.kind !== 'class'; at = at.parent) if (at.kind === 'object') factories.add(at);
    if (at?.kind === 'class') classes.push(at);
  }
  return { classes, factories };
}

/** A class with `@Module({ … })`. */
interface NestModule extends At {
  readonly of: ClassNode;
  readonly lists: ObjectNode;
}

interface Modules {
  readonly byClass: ReadonlyMap<ClassNode, NestModule>;
  /** By the names that stand in their lists; under none where more may be laid out in these. */
  readonly byName: ReadonlyMap<string | undefined, readonly NestModule[]>;
}

const indexes = new WeakMap<Evaluation, Modules>();

function modulesOf(ev: Evaluation): Modules {
  const before = indexes.get(ev);
  if (before !== undefined) return before;
  const declared = [...ev.world.modules.values()].flatMap((module) =>
    module.classes.flatMap((of): NestModule[] => {
      const [lists] = of.decorators.flatMap((each) => (isCallOf(each, 'Module') ? each.args : []));
      return lists?.kind === 'object' ? [{ of, lists, module, frame: undefined }] : [];
    }),
  );
  const named = declared.flatMap((each) => [...namesIn(each.lists)].map((name) => ({ name, each })));
  const found: Modules = {
    byClass: new Map(declared.map((each) => [each.of, each])),
    byName: new Map([...Map.groupBy(named, ({ name }) => name)].map(([name, all]) => [name, all.map(({ each }) => each)])),
  };
  indexes.set(ev, found);
  return found;
}

function namesIn(lists: ObjectNode): ReadonlySet<string | undefined> {
  const names = new Set<string | undefined>();
  walk(lists, (node) => {
    if (node.kind === 'name') names.add(node.name);
    const isWritten = node.kind !== 'property' || node.value.kind === 'array';
    if (node.kind === 'spread' || (node.parent === lists && !isWritten)) names.add(undefined);
  });
  return names;
}

/** Whether all modules have what it exports, also those that never speak of it. */
export const isGlobal = (lists: ObjectNode): boolean =>
  lists.parent?.parent?.kind === 'class' && lists.parent.parent.decorators.some((each) => isCallOf(each, 'Global'));

const isCallOf = (node: Expression, name: string): node is CallNode => node.kind === 'call' && lastName(node) === name;

/**
 * Whether a module has one of the classes that imports the service which this call registers, from a module that exports it: Nest takes
 * the first that it finds, where nobody else is seen to export one.
 */
export function importedFrom(
  ev: Evaluation,
  node: CallNode,
  module: SourceModule,
  { classes, factories }: Askers,
): 'imported' | 'either' | undefined {
  const registering = new Set(standsIn(ev, node, module).map(({ lists }) => lists));
  if (registering.size === 0) return undefined;
  const { byClass, byName } = modulesOf(ev);
  const providing = classes.flatMap((user) =>
    [user.name?.name, undefined]
      .flatMap((name) => byName.get(name) ?? [])
      .filter((each) => providedIn(ev, each.lists, each).includes(user)),
  );
  const makers = factories.size > 0 ? [...byClass.values()].filter(({ lists }) => factories.has(lists)) : [];
  const importing = [...providing, ...makers].filter(({ lists }) => !registering.has(lists));
  const found = importing.map((each) => {
    const all = listed(ev, each.lists, 'imports', each).flatMap((value) => sources(ev, value, each.lists));
    if (all[0] === each.lists || !all.some((source) => registering.has(source))) return undefined;
    return all.every((source) => registering.has(source)) ? 'imported' : 'either';
  });
  return found.find((each) => each === 'either') ?? found.find((each) => each !== undefined);
}

/** The lists of those modules whose HttpService one gets by an import: its own where it imports Nest's. */
const sources = (ev: Evaluation, imported: Value, own: ObjectNode): readonly ObjectNode[] =>
  imported.type === 'class' ? exporters(ev, imported.node) : isHttpModule(imported) ? [own] : [];

/** The lists of those by which a module exports the service: its own, or of one whose module it exports again. */
function exporters(ev: Evaluation, of: ClassNode, above: readonly ClassNode[] = []): readonly ObjectNode[] {
  const own = modulesOf(ev).byClass.get(of);
  if (own === undefined || above.includes(of)) return [];
  return listed(ev, own.lists, 'exports', own).flatMap((each) => {
    if (each.type === 'class') return exporters(ev, each.node, [...above, of]);
    return isHttpModule(each) ? [own.lists] : [];
  });
}

/** Nest's own. */
const isHttpModule = (value: Value): boolean => (value.type === 'external' ? value.path[0] === 'HttpModule' : value.type === 'http');
