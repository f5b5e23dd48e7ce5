/** Who gets what is put under a name. */
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { combined } from '../libraries/combined.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { memo } from '../../once.ts';
import { answering, type Ask, type AskNode, type Carrying, indexOf, type Placed, type Put } from '../libraries/provided.ts';
import { keyValue } from '../libraries/tokens.ts';
import { optionsOf } from '../values/values.ts';

export interface Takers {
  readonly places: readonly { readonly node: AskNode; readonly module: SourceModule }[];
  /** Whether others may get it, too: they ask by a name that is not known. */
  readonly isOpen: boolean;
}

/** Who gets what a node puts under a name; undefined where it puts nothing there that anybody gets. */
export function takersOf(ev: Evaluation, node: Node): Takers | undefined {
  const own = indexOf(ev).byNode.get(node);
  if (own === undefined) return undefined;
  const bySpace = asked.get(ev) ?? askedIn(ev);
  asked.set(ev, bySpace);
  const spaces = [...new Set(own.map(({ item }) => item.space))];
  const answers = spaces.flatMap((space) => [...(bySpace.get(space) ?? [])]);
  const places = answers.flatMap(([puts, asks]) => (puts !== undefined && own.some((put) => puts.has(put)) ? asks : []));
  const isOpen = answers.some(([puts]) => puts === undefined) || own.some((put) => isOfUnknownPackage(ev, put));
  const isForAll = places.length === 0 && own.some(({ item }) => item.isForAll === true);
  return places.length === 0 && !isOpen && !isForAll ? undefined : { places, isOpen: isOpen || isForAll };
}

type Asks = Placed<Ask, AskNode>[];

/** By what it is answered with, where that can be told. */
type Answered = ReadonlyMap<ReadonlySet<Placed<Put>> | undefined, Asks>;

const asked = new WeakMap<Evaluation, ReadonlyMap<string, Answered>>();

/** All places that ask, together with those that get the same. */
function askedIn(ev: Evaluation): ReadonlyMap<string, Answered> {
  const all = [...ev.world.modules.values()].flatMap((module) => asksIn(indexOf(ev).carrying, module));
  const setOf = memo((puts: readonly Placed<Put>[] | undefined) => puts && new Set(puts));
  const bySpace = Map.groupBy(all, ({ item }) => item.space);
  return new Map([...bySpace].map(([space, asks]) => [space, Map.groupBy(asks, ({ item, module }) => setOf(answering(ev, item, module)))]));
}

/** `{ provide: BASE_PATH, useValue: base }`: the package that has the token asks for it. */
function isOfUnknownPackage(ev: Evaluation, { item: { key }, module }: Placed<Put>): boolean {
  const options = typeof key === 'string' ? [] : optionsOf(keyValue(ev, key, { module, frame: undefined }));
  const { modules, isPlugIn } = combined(ev.rules);
  return options.some((each) => each.type === 'external' && each.source !== '' && !modules.has(each.source) && !isPlugIn(each.source));
}

function asksIn(carrying: readonly Carrying[], module: SourceModule): Placed<Ask, AskNode>[] {
  const { program } = module.tree;
  const nodes: readonly { readonly node: AskNode; readonly name: string | undefined }[] = [
    ...module.calls.map((node) => ({ node, name: undefined })),
    ...nodesOfKind(program, 'member').map((node) => ({ node, name: node.property })),
    ...[...nodesOfKind(program, 'param'), ...nodesOfKind(program, 'name')].map((node) => ({ node, name: undefined })),
    ...nodesOfKind(program, 'other').flatMap((node) => (node.what === 'YieldExpression' ? [{ node, name: undefined }] : [])),
    ...nodesOfKind(program, 'patternProperty').flatMap(({ name, target }) =>
      target.kind === 'patternName' ? [{ node: target, name }] : [],
    ),
  ];
  return nodes.flatMap(({ node, name }) =>
    carrying.flatMap(({ asks }) => {
      const item = asks?.(node, name, module);
      return item === undefined ? [] : [{ item, node, module }];
    }),
  );
}
