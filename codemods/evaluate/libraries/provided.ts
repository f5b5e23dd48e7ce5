/**
 * What is put under a name in one place and asked for by that name in others: by containers, contexts, and frameworks that hand things from one
 * handler to the next. Whoever asks gets any of what is put under the name; where one of these is not known, nothing is.
 */
import type { ClientRule } from './client-rule.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { combined } from './combined.ts';
import { type SourceModule, speaksOf } from '../module.ts';
import { isTest } from './test-files.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import { none } from '../../syntax/lists.ts';
import type {
  AssignNode,
  CallNode,
  ExportDeclarationNode,
  Expression,
  MemberNode,
  NameNode,
  Node,
  ObjectNode,
  OtherNode,
  ParamNode,
  PatternName,
} from '../../syntax/tree.ts';
import { constructorOf } from '../classes/class-index.ts';
import { forAllCallers, type Whose } from '../calls/all-callers.ts';
import { forAllItems, isPerItem } from '../calls/item-frames.ts';
import { onlyOffered } from './offered.ts';
import { identityOf, type Key, keyValue, namedOf, type Token, tokenOf, tokenOfValue } from './tokens.ts';
import { isLacking, isMissing, isOfGlobal, isOpen, isPackages, isUnknown } from './asked-for.ts';
import { choiceOf, type ClassValue, type InstanceValue, optionsOf, through, unknown, type Value } from '../values/values.ts';

/** What may put something under a name. */
export type PutNode = CallNode | AssignNode | ObjectNode | OtherNode | ExportDeclarationNode;
/** What may ask for it: an element of a pattern by the name that it takes; `yield* Tag` of a program that runs generators. */
export type AskNode = CallNode | MemberNode | NameNode | PatternName | ParamNode | OtherNode;

export interface Named {
  /** Whose names they are: those of others are not meant. */
  readonly space: string;
  /** The name, or what gives it or a token: a symbol, a class, a context; of a type the name that it is declared by. */
  readonly key: Key;
  /** The container, where there may be several: that of another is not meant. */
  readonly holder?: Expression | undefined;
  /** Whether only the project's own containers are meant: no clients, and no functions of packages that a rule knows. */
  readonly isOwn?: boolean;
}

export interface Put extends Named {
  /** What is put there, or makes it. */
  readonly node: Node;
  /** What those get who ask for it, where that is something else. */
  readonly value?: (ev: Evaluation, at: At) => Value;
  /** Whether it lies there for all files of a program, whether or not one of them asks for it: `Vue.prototype.$api`. */
  readonly isForAll?: boolean;
  /** Whether who asks at a place may be given it. */
  readonly isFor?: (ev: Evaluation, node: Node, at: At) => boolean;
}

export interface Ask extends Named {
  /** What they get where nothing is put there. */
  readonly otherwise?: Expression | undefined;
  /** Whether a class that is asked for is made where nothing else is put there. */
  readonly isMade?: boolean;
  /** Whether it is asked of something of a package, which has by that name only what the program puts there: `Vue.prototype.$api`. */
  readonly isOfPackage?: boolean;
}

/** How a library keeps things under names. */
export interface Carrying {
  /** What a file holds in a project that uses it. */
  readonly where: RegExp;
  /** The global whose properties these are. */
  readonly global?: string;
  puts?(node: PutNode, module: SourceModule): readonly Put[];
  /** @param name what is taken, where a pattern may give it another name */
  asks?(node: AskNode, name: string | undefined, module: SourceModule): Ask | undefined;
}

export interface Placed<Item, At extends Node = Node> {
  readonly item: Item;
  readonly node: At;
  readonly module: SourceModule;
}

export interface Index {
  readonly carrying: readonly Carrying[];
  readonly puts: ReadonlyMap<string, readonly Placed<Put>[]>;
  readonly byNode: ReadonlyMap<Node, readonly Placed<Put>[]>;
  /** What stands for one question: the puts that it is answered by. */
  readonly questions: Map<string | Node, { readonly puts: readonly Placed<Put>[] }[]>;
  /** By what tells a name from others. */
  readonly answers: Map<Token, Answer[]>;
  /** Of puts whose names callers say. */
  readonly tokens: Map<Placed<Put>, readonly Token[] | undefined>;
}

/** What is put under a name of a container; undefined where it may be more than what can be told. */
interface Answer {
  readonly space: string;
  readonly container: Token | SourceModule;
  readonly isOfFunctions: boolean;
  readonly puts: readonly Placed<Put>[] | undefined;
}

const indexes = new WeakMap<Evaluation, Index>();

export function indexOf(ev: Evaluation): Index {
  const before = indexes.get(ev);
  if (before !== undefined) return before;
  const modules = [...ev.world.modules.values()];
  const carrying = usedIn(ev.rules, modules);
  const found = carrying.length === 0 ? [] : modules.flatMap((module) => putsIn(carrying, module));
  const index: Index = {
    carrying,
    puts: Map.groupBy(found, ({ item }) => item.space),
    byNode: Map.groupBy(found, ({ item }) => item.node),
    questions: new Map(),
    answers: new Map(),
    tokens: new Map(),
  };
  indexes.set(ev, index);
  return index;
}

/** The ways of keeping things that some file speaks of. */
const usedIn = (rules: readonly ClientRule[], modules: readonly SourceModule[]): Carrying[] =>
  rules.flatMap(({ carries }) => carries ?? []).filter(({ where }) => modules.some((module) => speaksOf(module, where)));

/** The places that are asked about. */
export interface Asked {
  /** Whether there are any in a file. */
  isIn(file: string): boolean;
  has(file: string, offset: number): boolean;
}

/** The words of the names under which some files put something. */
export function namesPutIn(rules: readonly ClientRule[], modules: readonly SourceModule[], asked: Asked): ReadonlySet<string> {
  const carrying = usedIn(rules, modules);
  const own = carrying.length === 0 ? [] : modules.filter(({ file }) => asked.isIn(file));
  const puts = own.flatMap((module) => putsIn(carrying, module).filter(({ node }) => asked.has(module.file, node.start)));
  return new Set(puts.flatMap(({ item }) => wordOf(item.key) ?? []).filter((word) => word !== ''));
}

function wordOf(key: Named['key']): string | undefined {
  if (typeof key === 'string') return key;
  if (key.kind === 'string') return key.value;
  if (key.kind === 'name' || key.kind === 'patternName') return key.name;
  // A context is known by the name that it is given.
  if (key.kind === 'call')
    return key.parent?.kind === 'variable' && key.parent.target.kind === 'patternName' ? key.parent.target.name : undefined;
  return key.kind === 'member' ? key.property : undefined;
}

/** Of each file: it is looked at once more for each round of names that others put something under, and by whoever asks for one. */
const putBy = new WeakMap<SourceModule, { readonly carrying: readonly Carrying[]; readonly found: readonly Placed<Put>[] }>();

function putsIn(carrying: readonly Carrying[], module: SourceModule): readonly Placed<Put>[] {
  const known = putBy.get(module);
  if (known?.carrying.length === carrying.length && known.carrying.every((each, index) => each === carrying[index])) return known.found;
  const { program } = module.tree;
  const found: Placed<Put>[] = [];
  for (const nodes of [
    module.calls,
    module.writes,
    nodesOfKind(program, 'object'),
    nodesOfKind(program, 'other'),
    nodesOfKind(program, 'exportDeclaration'),
  ])
    for (const node of nodes)
      for (const { puts } of carrying) for (const item of puts?.(node, module) ?? none) found.push({ item, node, module });
  putBy.set(module, { carrying, found });
  return found;
}

/** What a place gets that asks for something by its name; what was found out about it where nobody put anything there. */
export function orProvided(ev: Evaluation, found: Value, node: Node, name: string | undefined, at: At): Value {
  const isOfPackage = isPackages(found);
  const isAskedFor = isOfPackage || isOpen(found) || isLacking(found, node);
  if (!isAsking(node) || !(isAskedFor || isOfGlobal(found))) return found;
  for (const { asks, global } of indexOf(ev).carrying) {
    if (global === undefined ? !isAskedFor : !isOfGlobal(found, global)) continue;
    const ask = asks?.(node, name, at.module);
    const value = ask === undefined || (isOfPackage && ask.isOfPackage !== true) ? undefined : providedFor(ev, ask, node, at);
    if (value !== undefined) return choiceOf([value, ...optionsOf(found).filter(({ type }) => type === 'param')]);
  }
  return found;
}

/** Whether something is put for a parameter under what it is called itself. */
export const isPutByName = (ev: Evaluation, param: ParamNode, { module }: At): boolean =>
  indexOf(ev).carrying.some(({ asks }) => {
    const ask = asks?.(param, undefined, module);
    return typeof ask?.key === 'string' && putsFor(ev, ask, param, module)?.length !== 0;
  });

/** Whether a pattern takes a property by a name for a name of its own: `{ messaging: client }`. */
export const isTaken = ({ parent }: PatternName, name: string): boolean => parent?.kind === 'patternProperty' && parent.name === name;

const isAsking = (node: Node): node is AskNode =>
  node.kind === 'call' ||
  node.kind === 'member' ||
  node.kind === 'name' ||
  node.kind === 'patternName' ||
  node.kind === 'param' ||
  (node.kind === 'other' && node.what === 'YieldExpression');

/** What is put under a name, as far as that is known. */
export function providedFor(ev: Evaluation, ask: Ask, node: Node, at: At): Value | undefined {
  const { module, frame } = at;
  const puts = putsFor(ev, ask, node, module);
  if (puts === undefined) return undefined;
  // What a parameter takes for a name of its own is the same whoever stands behind those who put it there.
  const isOfParam = node.kind === 'patternName' || node.kind === 'param';
  const value = ev.remember(questionOf(ev, isOfParam ? `${ask.space} of a parameter` : ask.space, puts), { node, module }, frame, () => {
    const offered = onlyOffered(ev, puts);
    return choiceOf(puts.flatMap((put) => givenBy(ev, put, frame, { isOffered: offered.has(put), isWhole: isOfParam })));
  });
  const otherwise = ask.otherwise === undefined ? [] : optionsOf(ev.evaluate(ask.otherwise, at)).filter((option) => !isMissing(option));
  const made = ask.isMade === true && puts.every((put) => isTest(put.module)) ? madeOf(ev, ask, at) : [];
  const options = [...optionsOf(value), ...otherwise, ...made];
  if (options.length === 0 || options.some(isUnknown)) return undefined;
  // What a package has for the program is not what tests put in its place.
  const others = puts.every((put) => isTest(put.module)) && isOfPackage(ev, ask, at) ? [unknown(node, module)] : [];
  return through(choiceOf([...others, ...options]), node, module);
}

const putsFor = (ev: Evaluation, ask: Ask, node: Node, module: SourceModule): readonly Placed<Put>[] | undefined =>
  answering(ev, ask, module)?.filter((put) => put.item.isFor?.(ev, node, { module: put.module, frame: undefined }) !== false);

const isOfPackage = (ev: Evaluation, { key }: Ask, at: At): boolean =>
  typeof key !== 'string' && optionsOf(keyValue(ev, key, at)).every(({ type }) => type === 'external');

/** The class that is asked for, made with what is asked for in turn, or what a library gave the name to. */
function madeOf(ev: Evaluation, { key }: Ask, at: At): Value[] {
  if (typeof key === 'string') return [];
  const value = keyValue(ev, key, at);
  const named = namedOf(ev, key, value, at);
  return named === undefined ? optionsOf(value).flatMap((each) => (each.type === 'class' ? injectedInto(each) : [])) : [named];
}

/** An instance that a container makes: each parameter of its constructor is asked for. */
export const injectedInto = (of: ClassValue): InstanceValue => ({
  type: 'instance',
  of,
  args: constructorOf(of.node)?.params.map((param) => unknown(param, of.module)) ?? [],
});

/** The same question is asked in many places. */
function questionOf(ev: Evaluation, space: string, puts: readonly Placed<Put>[]): object {
  const { questions } = indexOf(ev);
  const known = questions.get(space) ?? [];
  questions.set(space, known);
  const before = known.find((each) => each.puts.length === puts.length && each.puts.every((put, index) => put === puts[index]));
  if (before !== undefined) return before;
  const made = { puts };
  known.push(made);
  return made;
}

/** What is put there before anybody has it is nothing; what tests put there and nobody knows stands for what the program does. */
function givenBy(ev: Evaluation, { item, module }: Placed<Put>, frame: At['frame'], whose: Whose): Value[] {
  const find = (within: At['frame']): Value =>
    item.value?.(ev, { module, frame: within }) ?? ev.evaluate(item.node, { module, frame: within });
  const value = forAllCallers(ev, frame, find, whose);
  return optionsOf(value).filter((option) => !isMissing(option) && !(isUnknown(option) && isTest(module)));
}

/** What is put under a name; undefined where it may be more than what can be told. Many places ask for the same, and get the same list. */
export function answering(ev: Evaluation, ask: Ask, module: SourceModule): readonly Placed<Put>[] | undefined {
  const token = tokenOf(ev, ask.key, module);
  if (isForeign(ev, ask, module)) return none;
  if (token === undefined) return undefined;
  const { answers } = indexOf(ev);
  const known = answers.get(token) ?? [];
  answers.set(token, known);
  const about = { space: ask.space, container: containerOf(ev, ask, module), isOfFunctions: isFunctions(ask) };
  const before = known.find(
    ({ space, container, isOfFunctions }) =>
      space === about.space && container === about.container && isOfFunctions === about.isOfFunctions,
  );
  if (before !== undefined) return before.puts;
  const puts = putUnder(ev, token, about);
  known.push({ ...about, puts });
  return puts;
}

function putUnder(ev: Evaluation, token: Token, { space, container, isOfFunctions }: Omit<Answer, 'puts'>): Answer['puts'] {
  const found: Placed<Put>[] = [];
  for (const put of indexOf(ev).puts.get(space) ?? []) {
    const other = containerOf(ev, put.item, put.module);
    // A container that is handed on may be any; of functions each belongs to its file.
    if (container !== other && ((container !== undefined && other !== undefined) || isOfFunctions || isFunctions(put.item))) continue;
    if (isForeign(ev, put.item, put.module)) continue;
    const given = tokensOf(ev, put);
    // What is put by the name of an item is that item's, and which of them it is nobody asks.
    const isItems = given?.includes(token) === true && indexOf(ev).tokens.has(put) && isPerItem(put.node);
    if (given === undefined || isItems) return undefined;
    if (given.includes(token)) found.push(put);
  }
  return found;
}

/** `getService('client')`: the file of the function has the names. */
const isFunctions = ({ holder }: Named): boolean => holder?.parent?.kind === 'call' && holder.parent.callee === holder;

/** `this.httpService.get(path)`, `registerAs('api', …)` of a package: called as containers are, and none of the project's own. */
function isForeign(ev: Evaluation, named: Named, module: SourceModule): boolean {
  const { holder, isOwn } = named;
  if (isOwn !== true || holder === undefined) return false;
  const value = ev.evaluate(holder, { module, frame: undefined });
  if (value.type === 'http') return true;
  const { modules, isPlugIn } = combined(ev.rules);
  return isFunctions(named) && value.type === 'external' && (modules.has(value.source) || isPlugIn(value.source));
}

/** Those of all who call the functions around a put, `models.forEach((each) => Container.set(each.name, each.model))`; undefined where these are not all known, were cut or hang on themselves. */
function tokensOf(ev: Evaluation, put: Placed<Put>): readonly Token[] | undefined {
  const { key } = put.item;
  const token = tokenOf(ev, key, put.module);
  if (token !== undefined) return [token];
  const { tokens } = indexOf(ev);
  if (typeof key === 'string' || tokens.has(put)) return tokens.get(put);
  tokens.set(put, undefined);
  const { cuts } = ev.budget;
  const names = optionsOf(forAllItems(ev, key, put.module, (at) => keyValue(ev, key, at)));
  const found = names.map((value) => tokenOfValue(ev, key, value, put.module));
  if (found.length > 0 && !found.includes(undefined) && ev.budget.cuts === cuts) tokens.set(put, found);
  return tokens.get(put);
}

/** Which container it is; undefined where it is known by its library alone, or not known. */
function containerOf(ev: Evaluation, { holder }: Named, module: SourceModule): Token | SourceModule {
  if (holder === undefined) return undefined;
  const value = ev.evaluate(holder, { module, frame: undefined });
  return value.type === 'function' || value.type === 'namespace' ? value.module : identityOf(value);
}
