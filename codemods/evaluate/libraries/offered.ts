/** Ways that a class offers and a program need not take: `MessagingModule.forRootAsync(…)` beside `MessagingModule.forRoot(…)`. */
import { nodesOfKind } from '../../syntax/link.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';
import { type Read, readsOf } from '../calls/by-name.ts';
import { functionAround } from '../calls/callees.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { World } from '../program.ts';
import { isTest } from './test-files.ts';
import { optionsOf, type Value } from '../values/values.ts';

interface Place {
  readonly node: Node;
  readonly module: SourceModule;
}

/** Methods that are called by each other further than this are not looked at. */
const maxDepth = 4;

/** Which of several places stand in methods that the program does not take, where it takes another: tests alone come there, or nobody. */
export function onlyOffered<P extends Place>(ev: Evaluation, places: readonly P[]): ReadonlySet<P> {
  const offered = new Set(places.length > 1 ? places.filter(({ node }) => isOffered(ev, node)) : []);
  return places.some((place) => !offered.has(place) && !isTest(place.module)) ? offered : new Set();
}

/** Whether it stands in a static method that the program does not name; frameworks call none of these by themselves. */
export function isOffered(ev: Evaluation, node: Node, depth = 0): boolean {
  const fn = functionAround(node);
  const member = fn?.parent;
  if (fn === undefined || member?.kind !== 'classMember' || !member.isStatic || member.role !== 'method' || member.name === undefined)
    return false;
  if (depth === maxDepth || wordsOf(ev.world).has(member.name)) return false;
  const reads = readsOf(ev.world, member.name);
  return reads?.every((read) => isTest(read.module) || !mayTake(ev, fn, read) || isOffered(ev, read.node, depth + 1)) ?? false;
}

/** What is taken out of a class otherwise than by its name (`const { forRoot } = Module`) may be any method that is called so. */
const mayTake = (ev: Evaluation, fn: FunctionNode, { node, module }: Read): boolean =>
  node.kind !== 'member' || optionsOf(ev.evaluate(node, { module, frame: undefined })).some((value) => mayBe(value, fn));

const mayBe = (value: Value, fn: FunctionNode): boolean =>
  value.type === 'function' ? value.node === fn : value.type !== 'external' && value.type !== 'literal';

const words = new WeakMap<World, ReadonlySet<string>>();

/** The texts of a program: `Module[way]` may be any method that one of them names. */
function wordsOf(world: World): ReadonlySet<string> {
  const known = words.get(world) ?? new Set([...world.modules.values()].flatMap(textsIn));
  words.set(world, known);
  return known;
}

const textsIn = (module: SourceModule): string[] =>
  isTest(module) ? [] : nodesOfKind(module.tree.program, 'string').map(({ value }) => value);
