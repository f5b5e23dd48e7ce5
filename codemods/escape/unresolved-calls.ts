/**
 * Calls that look as if one of our clients made them, but whose receiver is not known: handed over by a container, a context, a
 * decorator. If it is our client, its header would move without this path; so the client's calls stay until a person looks.
 */
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { matchRoute } from '../verdict/routes.ts';
import { flat, hole } from '../evaluate/text.ts';
import { optionsOf, partsOf, type Value } from '../evaluate/values.ts';
import type { CallNode, Node } from '../syntax/tree.ts';
import { Groups } from '../verdict/groups.ts';
import type { Site } from '../verdict/request-sites.ts';

export interface Stray {
  readonly call: CallNode;
  readonly module: SourceModule;
  /** The path as v1 lists it. */
  readonly route: string;
  /** Our requests that are made by a method of the same name. */
  readonly sites: readonly Site[];
}

const options = { placeholder: new RegExp(hole) };

export function straysOf(ev: Evaluation, sites: readonly Site[]): Stray[] {
  const byMethod = new Map<string, Site[]>();
  const seen = new Set<Node>();
  for (const site of sites) {
    const calls = [site.request.call, ...site.request.callers.map(({ node }) => node)];
    for (const call of calls) seen.add(call);
    if (site.verdict.kind !== 'ours' || site.request.isMock) continue;
    for (const name of new Set(calls.map(methodOf))) if (name !== undefined) byMethod.set(name, [...(byMethod.get(name) ?? []), site]);
  }
  if (byMethod.size === 0) return [];
  const related = relations(ev);
  return [...ev.world.modules.values()].flatMap((module) =>
    module.calls.flatMap((call): Stray[] => {
      const ours = (byMethod.get(methodOf(call) ?? '') ?? []).filter(
        ({ request }) => related.of(module.file) === related.of(request.module.file),
      );
      if (ours.length === 0 || seen.has(call)) return [];
      const route = strayRoute(ev, call, module, ours);
      return route === undefined ? [] : [{ call, module, route, sites: ours }];
    }),
  );
}

/** Files that imports join, in whatever direction: a client gets from one to the other in no other way. */
function relations({ world }: Evaluation): Groups {
  const groups = new Groups();
  for (const module of world.modules.values()) {
    for (const specifier of specifiersOf(module)) {
      const target = world.resolve(module, specifier);
      if (target !== undefined) groups.join([module.file, target.file]);
    }
  }
  return groups;
}

const specifiersOf = ({ tree, calls, texts }: SourceModule): string[] => [
  ...tree.program.body.flatMap((node) =>
    (node.kind === 'import' || node.kind === 'export') && node.source !== undefined ? [node.source.value] : [],
  ),
  // `require('./x')` and `import('./x')`; what merely looks like a path resolves to nothing.
  ...(calls.length === 0
    ? []
    : texts.flatMap((node) => (node.kind === 'string' && node.parent?.kind === 'call' && node.value.startsWith('.') ? [node.value] : []))),
];

const methodOf = (node: Node): string | undefined =>
  node.kind === 'call' && node.callee.kind === 'member' && !node.isNew ? node.callee.property : undefined;

/** The path that a call on an unknown receiver begins with, where v1 has it. */
function strayRoute(ev: Evaluation, call: CallNode, module: SourceModule, ours: readonly Site[]): string | undefined {
  const at = { module, frame: undefined };
  const [path, ...others] = call.args;
  if (path === undefined || path.kind === 'spread' || call.callee.kind !== 'member') return undefined;
  // A server of the user's own takes a path and a handler.
  if (others.some((arg) => arg.kind === 'function' || ev.evaluate(arg, at).type === 'function')) return undefined;
  if (!isUnknown(ev.evaluate(call.callee.object, at)) || comesFromPackage(ev, call.callee.object, module)) return undefined;
  const mayLackVersion = ours.some(hasVersionInBase);
  return optionsOf(ev.evaluate(path, at))
    .map((value) => routeOf(value, mayLackVersion))
    .find((route) => route !== undefined);
}

/** Whether the path of a request begins after its version, as that of a client does whose base ends in it. */
const hasVersionInBase = ({ request }: Site): boolean =>
  (request.url ?? []).some((part) => 'text' in part && part.source !== undefined && isRoute(`/v1/${part.text.replace(/^\//, '')}`));

const isUnknown = ({ type }: Value): boolean => type === 'unknown' || type === 'method' || type === 'param';

function comesFromPackage(ev: Evaluation, node: Node, module: SourceModule): boolean {
  let root = node;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  return root.kind === 'name' && optionsOf(ev.evaluate(root, { module, frame: undefined })).some(({ type }) => type === 'external');
}

function routeOf(value: Value, mayLackVersion: boolean): string | undefined {
  if (value.type !== 'text') return undefined;
  const text = flat(partsOf(value));
  const path = mayLackVersion && text.startsWith('/') && !text.startsWith('/v1/') ? `/v1${text}` : text;
  return path.startsWith('/v1/') && isRoute(path) ? path.replaceAll(hole, '…') : undefined;
}

const isRoute = (path: string): boolean => matchRoute(path, undefined, options).length > 0;
