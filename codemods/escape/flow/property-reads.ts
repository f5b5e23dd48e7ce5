/** Every place that takes a property by its name: `object.name`, `{ name: local }`. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import { memoOf } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import { isPattern, namesIn } from '../../syntax/scopes.ts';
import type { CallNode, MemberNode, PatternName } from '../../syntax/tree.ts';
import type { Place } from '../../evaluate/budget.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import type { DataflowQuery } from './dataflow-query.ts';
import type { Propagation } from './propagation.ts';

export interface PropertyRead extends Place {
  /** The member expression that reads it, or the local name that a pattern gives it. */
  readonly node: MemberNode | PatternName;
}

export const propertyReads = memoOf(({ world }: Evaluation): ReadonlyMap<string, readonly PropertyRead[]> => {
  const found = new Map<string, PropertyRead[]>();
  const add = (name: string | undefined, field: PropertyRead): void => {
    const known = name === undefined ? undefined : found.get(name);
    if (known !== undefined) known.push(field);
    else if (name !== undefined) found.set(name, [field]);
  };
  for (const module of world.modules.values()) {
    for (const node of nodesOfKind(module.tree.program, 'member')) add(node.property, { node, module });
    for (const { name, target } of nodesOfKind(module.tree.program, 'patternProperty'))
      for (const node of isPattern(target) ? namesIn(target) : []) add(name, { node, module });
  }
  return found;
});

/** A class by its name is no instance of one: `Gateway.BASE_URL`. */
function isOfOther({ node, module }: PropertyRead): boolean {
  if (node.kind !== 'member') return true;
  const { object } = node;
  return object.kind === 'name' ? module.scopes.bindingOf(object)?.owner.kind !== 'class' : object.kind !== 'this';
}

/** The names by which something is taken of anything but `this`, and texts, which may be the name of a property. */
export const namesTaken = memoOf((ev: Evaluation): ReadonlySet<string> => {
  const taken = [...propertyReads(ev)].flatMap(([name, reads]) => (reads.some(isOfOther) ? name : []));
  const texts = [...ev.world.modules.values()].flatMap(({ tree }) => nodesOfKind(tree.program, 'string').map(({ value }) => value));
  return new Set([...taken, ...texts]);
});

/** `settings.get('texts.url')` gives what is there under a name that is written out, as `settings.texts.url` does, and nothing else of what it is asked of. */
export const isReadByName = (query: DataflowQuery, { module, isLost }: Propagation, { callee, args: [name] }: CallNode): boolean =>
  !isLost && name?.kind === 'string' && query.values({ node: callee, module }).flatMap(optionsOf).every(isGetOfWhole);

/** … where all that an object has is under names that are known: nothing was put into it by another. */
const isGetOfWhole = (callee: Value): boolean =>
  callee.type === 'method' &&
  callee.path.join('.') === 'get' &&
  callee.receiver.type === 'object' &&
  callee.receiver.unknown.length === 0 &&
  callee.receiver.entries.every((entry) => entry.name !== undefined);

/** What is left of the edits of what a place names when its properties are taken. */
export function readAt(query: DataflowQuery, { node, module }: Place): readonly Change[] {
  // What a function gives may hang on what it is given: `load(process.env)`.
  if (node.parent?.kind === 'call' && node.parent.callee === node) return query.carried({ node: node.parent, module });
  let carried = query.carried({ node, module });
  for (let at = node; at.parent?.kind === 'member' && at.parent.object === at && carried.length > 0; at = at.parent)
    carried = query.carried({ node: at.parent, module });
  return carried;
}
