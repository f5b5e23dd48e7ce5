/**
 * Whether what is edited is used by anything but the requests that are proven: a constant that is also compared, handed to
 * code that was not read, or stored somewhere. Every reference that carries an edited literal has to be on some proven way.
 */
import type { Evaluation } from '../identify/evaluation.ts';
import type { SourceModule } from '../identify/module.ts';
import { optionsOf, partsOf, type Value } from '../identify/values.ts';
import { walk } from '../syntax/link.ts';
import type { CallNode, MemberNode, NameNode, Node } from '../syntax/tree.ts';
import type { Change } from './spans.ts';
import { placesOf, type Site } from './sites.ts';
import { useOf } from './uses.ts';

export interface Escape {
  readonly change: Change;
  readonly node: Node;
  readonly module: SourceModule;
  /** The name that is used. */
  readonly name: string;
}

/** @param sites all requests: what those of others share with ours is told as such */
export function escapesOf(ev: Evaluation, sites: readonly Site[], changes: readonly Change[]): Escape[] {
  const covered = new Set<Node>();
  for (const site of sites) {
    for (const { node } of placesOf(site)) covered.add(node);
    covered.add(site.request.call);
    for (const { node } of site.request.callers) covered.add(node);
  }
  const requests = new Set([...covered, ...sites.flatMap(({ request: { call } }) => (call.kind === 'call' ? chainOf(call) : []))]);
  const byModule = Map.groupBy(changes, ({ module }) => module);
  const found: Escape[] = [];
  const looked = new Set<Node>();
  const references = referencesByName(ev, covered);
  // Names lead to names: a set that grows while it is walked.
  const names = new Set([...covered].flatMap((node) => (isReference(node) ? [nameOf(node)] : [])));
  for (const name of names) {
    for (const alias of aliasesOf(ev, name)) names.add(alias);
    for (const { node, module } of references.get(name) ?? []) {
      if (looked.has(node)) continue;
      looked.add(node);
      const carried = carries(ev.evaluate(node, { module, frame: undefined }), byModule);
      const use = carried.length === 0 ? undefined : useOf(node, requests);
      if (use?.kind === 'named') for (const next of use.names) names.add(next);
      if (use?.kind === 'use') found.push(...carried.map((change) => ({ change, node, module, name })));
    }
  }
  return found;
}

/** The calls before a call that make the request with it: `wretch(url).headers(headers).get()`. */
function chainOf(call: Node): Node[] {
  const before = call.kind === 'call' && call.callee.kind === 'member' ? call.callee.object : undefined;
  return before?.kind === 'call' ? [before, ...chainOf(before)] : [];
}

type Reference = NameNode | MemberNode | CallNode;
const isReference = (node: Node): node is Reference => node.kind === 'name' || node.kind === 'member' || node.kind === 'call';

/** A call goes by the name of what it calls. */
function nameOf(node: Reference): string {
  if (node.kind === 'name') return node.name;
  if (node.kind === 'member') return node.property ?? '';
  return isReference(node.callee) ? nameOf(node.callee) : '';
}

/** Everything that may be a reference to a value, but for what requests are known to come through. */
function referencesByName(
  ev: Evaluation,
  covered: ReadonlySet<Node>,
): Map<string, { readonly node: Reference; readonly module: SourceModule }[]> {
  const found = new Map<string, { node: Reference; module: SourceModule }[]>();
  for (const module of ev.world.modules.values()) {
    walk(module.tree.program, (node) => {
      if (!isReference(node) || covered.has(node)) return;
      const name = nameOf(node);
      const known = found.get(name);
      if (known !== undefined) known.push({ node, module });
      else if (name !== '') found.set(name, [{ node, module }]);
    });
  }
  return found;
}

/** What other files call a name. */
function aliasesOf(ev: Evaluation, name: string): string[] {
  return [...ev.world.modules.values()].flatMap(({ exports, tree }) => [
    ...[...exports].flatMap(([exported, target]) => {
      const own =
        'reference' in target
          ? target.reference.name
          : 'declared' in target
            ? target.declared.name
            : 'name' in target
              ? target.name
              : undefined;
      return own === name ? [exported] : [];
    }),
    ...tree.program.body.flatMap((node) =>
      node.kind === 'import' ? node.specifiers.flatMap(({ imported, local }) => (imported === name ? [local.name] : [])) : [],
    ),
  ]);
}

function carries(value: Value, byModule: ReadonlyMap<SourceModule, readonly Change[]>, depth = 2): Change[] {
  return optionsOf(value).flatMap((option) => {
    if (option.type === 'text') {
      return partsOf(option).flatMap((part) =>
        'hole' in part || part.source === undefined
          ? []
          : within(byModule, part.source.module, part.source.start, part.source.start + part.text.length),
      );
    }
    if (option.type !== 'object') return [];
    return option.entries.flatMap(({ key, value }) => [
      ...(key?.source === undefined ? [] : within(byModule, key.source.module, key.source.start, key.source.start + key.text.length)),
      // The paths in a table of endpoints, and those a level below.
      ...(depth === 0 ? [] : carries(value(), byModule, depth - 1)),
    ]);
  });
}

const within = (
  byModule: ReadonlyMap<SourceModule, readonly Change[]>,
  module: SourceModule,
  from: number,
  to: number,
): readonly Change[] => (byModule.get(module) ?? []).filter(({ start, end }) => from < end && start < to);
