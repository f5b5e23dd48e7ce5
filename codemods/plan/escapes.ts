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
  const byModule = Map.groupBy(changes, ({ module }) => module);
  const names = namesToWatch(ev, covered);
  const found: Escape[] = [];
  for (const module of ev.world.modules.values()) {
    walk(module.tree.program, (node) => {
      if ((node.kind !== 'name' && node.kind !== 'member') || !names.has(nameOf(node)) || covered.has(node)) return;
      const carried = carries(ev.evaluate(node, { module, frame: undefined }), byModule);
      if (carried.length === 0 || !isUse(node, covered)) return;
      for (const change of carried) found.push({ change, node, module, name: nameOf(node) });
    });
  }
  return found;
}

const nameOf = (node: NameNode | MemberNode): string => (node.kind === 'name' ? node.name : (node.property ?? ''));

/** The names on proven ways, and what other files call them. */
function namesToWatch(ev: Evaluation, covered: ReadonlySet<Node>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of covered) if (node.kind === 'name' || node.kind === 'member') names.add(nameOf(node));
  for (const module of ev.world.modules.values()) {
    for (const [exported, target] of module.exports) {
      if ('reference' in target && names.has(target.reference.name)) names.add(exported);
      if ('declared' in target && names.has(target.declared.name)) names.add(exported);
    }
    for (const node of module.tree.program.body) {
      if (node.kind !== 'import') continue;
      for (const { imported, local } of node.specifiers) if (names.has(imported)) names.add(local.name);
    }
  }
  names.delete('');
  return names;
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

/** Calls that only show what they are given. */
const showing = /^(?:console|log|logger|debug|winston|pino|bunyan|expect|assert|print)$/i;

/** Whether a reference does something with the value by itself; binding, exporting and joining it is followed elsewhere. */
function isUse(reference: Node, covered: ReadonlySet<Node>): boolean {
  let at: Node = reference;
  for (let around = at.parent; around !== undefined; at = around, around = around.parent) {
    if (covered.has(around)) return false;
    switch (around.kind) {
      case 'concat':
      case 'template':
      case 'conditional':
      case 'await':
      case 'property':
        // A name that is computed from it stands in an object that goes elsewhere.
        if (around.kind === 'property' && around.computed === at) return true;
        continue;
      case 'object':
      case 'array':
      case 'spread':
        continue;
      case 'logical':
        // `base && …` asks whether it is there.
        if (around.operator === '&&' && around.left === at) return false;
        continue;
      case 'member':
        // A property of it is looked at by itself; writing one is part of it; a property that it names is not.
        if (around.object !== at) return true;
        return around.parent?.kind !== 'assign' && (around.computed !== undefined || isMethodUse(around));
      case 'assign':
        return around.target === at ? false : around.target.kind === 'member' && !isOwnField(around.target);
      case 'variable':
      case 'param':
      case 'classMember':
      case 'patternProperty':
      case 'return':
      case 'export':
      case 'exportDeclaration':
      case 'unary':
      case 'function':
        return false;
      case 'call':
        if (isListing(around)) continue;
        return around.callee !== at && !isShowing(around) && !isCommonJs(around);
      case 'other':
      case 'block':
        // A statement of its own, or a condition, does nothing with it.
        return around.kind === 'other' && around.what.startsWith('Jsx');
      case 'tagged':
      case 'binary':
        return true;
      default:
        return false;
    }
  }
  return false;
}

const isOwnField = (target: MemberNode): boolean =>
  target.object.kind === 'this' || (target.object.kind === 'name' && ['module', 'exports'].includes(target.object.name));

const methodUses = [
  'startsWith',
  'includes',
  'endsWith',
  'indexOf',
  'match',
  'test',
  'split',
  'delete',
  'has',
  'map',
  'forEach',
  'filter',
  'flatMap',
  'reduce',
  'some',
  'every',
  'find',
  'join',
  'sort',
];

/** `base.replace(…)` is followed; what nobody follows is a use. */
const isMethodUse = ({ parent, property }: MemberNode): boolean => parent?.kind === 'call' && methodUses.includes(property ?? '');

function isShowing({ callee }: CallNode): boolean {
  const root = rootOf(callee);
  return root.kind === 'name' && showing.test(root.name);
}

function rootOf(node: Node): Node {
  let at = node;
  while (at.kind === 'member' || at.kind === 'call') at = at.kind === 'member' ? at.object : at.callee;
  return at;
}

/** `Object.keys(headers)`: what is done with the list decides. */
const isListing = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' &&
  callee.object.kind === 'name' &&
  callee.object.name === 'Object' &&
  ['keys', 'values', 'entries'].includes(callee.property ?? '');

const isCommonJs = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && ['freeze', 'seal', 'assign'].includes(callee.property ?? '');
