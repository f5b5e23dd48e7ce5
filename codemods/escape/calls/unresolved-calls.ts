/**
 * Calls that one of our clients may make, by their method and path, but whose receiver is not known: injected by a container, a context, a
 * decorator. If it is our client, its header would move without this path; so the client's calls stay until a person decides.
 */
import { requiredBy } from '../../syntax/required.ts';
import { basename, extname } from 'node:path';
import { declaredAs } from '../../evaluate/names/declared.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Finding } from '../../model.ts';
import { matchRoute, routeHeads } from '../../verdict/bases/routes.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { isLacking } from '../../evaluate/libraries/asked-for.ts';
import { optionsOf, partsOf, type Value } from '../../evaluate/values/values.ts';
import { memoOf } from '../../once.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';
import { isOfFile } from '../../evaluate/names/of-file.ts';
import { walk } from '../../syntax/link.ts';
import { Groups } from '../../verdict/changes/groups.ts';
import { isAsker } from '../servers/own-askers.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';

export interface UnresolvedCall {
  readonly call: CallNode;
  readonly module: SourceModule;
  /** The path as v1 lists it; undefined where it was too much to find out. */
  readonly route: string | undefined;
  /** Our requests that are made by a method of the same name. */
  readonly sites: readonly RequestSite[];
  /** What its receiver is imported by, where that leads to no file. */
  readonly imported?: { readonly node: Node; readonly specifier: string } | undefined;
}

const options = { placeholder: new RegExp(unknownPart) };

export function unresolvedCallsOf(ev: Evaluation, sites: readonly RequestSite[]): UnresolvedCall[] {
  const seen = new Set<Node>(sites.flatMap(({ request }) => [request.call, ...request.callers.map(({ node }) => node)]));
  const ours = sites.filter(({ verdict, request }) => verdict.kind === 'ours' && !request.isMock);
  if (ours.length === 0) return [];
  const related = relations(ev);
  const methods = methodsOf(ours, ({ file }) => related.of(file));
  return [...ev.world.modules.values()].flatMap((module) =>
    module.calls.flatMap((call): UnresolvedCall[] => {
      const method = methods.get(methodOf(call))?.get(related.of(module.file));
      if (method === undefined || seen.has(call)) return [];
      const place = { node: call, module };
      // Most calls by such a name ask for no path at all, as those of maps: then whose they are need not be found out.
      const asked = ev.budget.question(place, () => routeAsked(ev, call, module, method));
      if (asked.value === undefined && !(asked.isCut && mayNamePath(ev, call, module, method))) return [];
      const receiver = ev.budget.question(place, () => isUnresolved(ev, call, module));
      return receiver.value || receiver.isCut
        ? [{ call, module, route: asked.value, sites: method.sites, imported: importOf(ev, call, module) }]
        : [];
    }),
  );
}

/**
 * Whether a path of ours may be written where a call asks: of what is too much to find out, `row.get(column)` is no more than what nobody knows, and what
 * `/users/${id}` begins with says that it is none of v1's.
 */
function mayNamePath(ev: Evaluation, { args: [path] }: CallNode, module: SourceModule, { mayLackVersion }: Method): boolean {
  if (path === undefined || path.kind === 'spread') return false;
  const beginning = writtenBeginning(ev, path, module);
  if (/^(?:\w+:|\/\/)/.test(beginning)) return true;
  const rooted = `/${beginning.replace(/^\//, '')}`;
  if (beginning !== '') return routesBegin(rooted) || (mayLackVersion && routesBegin(`/v1${rooted}`));
  let isFound = isOfFile(path, module);
  walk(path, (node) => {
    isFound ||= (node.kind === 'string' || node.kind === 'template') && module.text.slice(node.start, node.end).includes('/');
    return !isFound && node.kind !== 'function';
  });
  return isFound;
}

/** What stands at the beginning of a text that is put together, as far as the syntax says; empty where something comes before it that has to be found out. */
function writtenBeginning(ev: Evaluation, path: Expression, of: SourceModule, steps = 0): string {
  const declared = steps < maxSteps ? declaredAs(ev, path, of) : undefined;
  if (declared === undefined) return '';
  const { node, module } = declared;
  if (node.kind === 'string') return node.value;
  if (node.kind === 'concat') return writtenBeginning(ev, node.left, module, steps + 1);
  const [text, expression] = node.kind === 'template' ? [node.texts[0]?.value ?? '', node.expressions[0]] : [''];
  return text === '' && expression !== undefined ? writtenBeginning(ev, expression, module, steps + 1) : text;
}

/** Constants that begin with each other: `${API}/users` where that is `${HOST}/api`, or a circle. */
const maxSteps = 8;

const routesBegin = (text: string): boolean => routeHeads.some((head) => head.startsWith(text) || text.startsWith(head));

/** Our requests by a method of one name, in files that imports join. */
interface Method {
  readonly sites: RequestSite[];
  /** Whether the path of one of them begins after its version, as that of a client does whose base ends in it. */
  mayLackVersion: boolean;
}

function methodsOf(sites: readonly RequestSite[], related: (module: SourceText) => string): Map<string | undefined, Map<string, Method>> {
  const methods = new Map<string | undefined, Map<string, Method>>();
  for (const site of sites) {
    const { call, callers, module } = site.request;
    const mayLackVersion = hasVersionInBase(site);
    for (const name of new Set([call, ...callers.map(({ node }) => node)].map(methodOf))) {
      if (name === undefined) continue;
      const byRelation = methods.get(name) ?? new Map<string, Method>();
      methods.set(name, byRelation);
      const method = byRelation.get(related(module)) ?? { sites: [], mayLackVersion };
      byRelation.set(related(module), method);
      method.sites.push(site);
      method.mayLackVersion ||= mayLackVersion;
    }
  }
  return methods;
}

/** Files that imports join, in whatever direction: a client gets from one to the other in no other way. */
export const relations = memoOf(({ world }: Evaluation): Groups => {
  const groups = new Groups();
  for (const module of world.modules.values()) {
    for (const specifier of specifiersOf(module)) {
      const target = world.resolve(module, specifier);
      if (target !== undefined) groups.join([module.file, target.file]);
    }
  }
  return groups;
});

const specifiersOf = ({ tree, calls, texts }: SourceModule): string[] => [
  ...tree.program.body.flatMap((node) =>
    (node.kind === 'import' || node.kind === 'export') && node.source !== undefined ? [node.source.value] : [],
  ),
  // `require('./x')` and `import('./x')`; what merely looks like a path resolves to nothing.
  ...(calls.length === 0
    ? []
    : texts.flatMap((node) => (node.kind === 'string' && node.parent?.kind === 'call' && node.value.startsWith('.') ? [node.value] : []))),
];

export const methodOf = (node: Node): string | undefined =>
  node.kind === 'call' && node.callee.kind === 'member' && !node.isNew ? node.callee.property : undefined;

/** The path that a call begins with, where v1 has it. */
function routeAsked(ev: Evaluation, { args: [path] }: CallNode, module: SourceModule, { mayLackVersion }: Method): string | undefined {
  if (path === undefined || path.kind === 'spread') return undefined;
  return optionsOf(ev.evaluate(path, { module, frame: undefined }))
    .map((value) => routeOf(value, mayLackVersion))
    .find((route) => route !== undefined);
}

/** Whether nothing says what it is called on, and it may be a client's. */
export function isUnresolved(ev: Evaluation, { callee, args: [, ...others] }: CallNode, module: SourceModule): boolean {
  const at = { module, frame: undefined };
  // A server of the user's own takes a path and a handler.
  if (others.some((arg) => arg.kind === 'function' || ev.evaluate(arg, at).type === 'function')) return false;
  if (callee.kind !== 'member') return false;
  const receiver = ev.evaluate(callee.object, at);
  return (
    (isUnknown(receiver) || isLacking(receiver, callee.object)) && !isOfOwnServer(receiver) && !comesFromPackage(ev, callee.object, module)
  );
}

/** `supertest(app)`: a server of the user's own is asked, whatever holds what asks it. */
const isOfOwnServer = (receiver: Value): boolean =>
  receiver.type === 'unknown' &&
  receiver.node !== undefined &&
  receiver.module !== undefined &&
  isScript(receiver.module) &&
  isAsker(receiver.node, receiver.module);

const hasVersionInBase = ({ request }: RequestSite): boolean =>
  (request.url ?? []).some((part) => 'text' in part && part.source !== undefined && isRoute(`/v1/${part.text.replace(/^\//, '')}`));

/** A global of the program's own, too: `globalThis.messaging`. */
export const isUnknown = (value: Value): boolean =>
  value.type === 'unknown' || value.type === 'method' || value.type === 'param' || (value.type === 'external' && !isOfPackage(value));
const isOfPackage = (value: Value): boolean => value.type === 'external' && value.source !== '';

/** `import { http } from '/opt/nodejs/client'`, `const { http } = require('/opt/nodejs/client')` */
function importOf({ world }: Evaluation, { callee }: CallNode, module: SourceModule): UnresolvedCall['imported'] {
  const root = rootOf(callee);
  const node = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  const specifier = node?.kind === 'import' ? node.source : requiredBy(node?.kind === 'variable' ? node.init : undefined);
  if (node === undefined || specifier === undefined || world.resolve(module, specifier.value) !== undefined) return undefined;
  return { node, specifier: specifier.value };
}

function rootOf(node: Node): Node {
  let root = node;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  return root;
}

function comesFromPackage(ev: Evaluation, node: Node, module: SourceModule): boolean {
  const root = rootOf(node);
  return root.kind === 'name' && optionsOf(ev.evaluate(root, { module, frame: undefined })).some(isOfPackage);
}

function routeOf(value: Value, mayLackVersion: boolean): string | undefined {
  if (value.type !== 'text') return undefined;
  const text = flat(partsOf(value));
  const path = mayLackVersion && text.startsWith('/') && !text.startsWith('/v1/') ? `/v1${text}` : text;
  return path.startsWith('/v1/') && isRoute(path) ? path.replaceAll(unknownPart, '…') : undefined;
}

const isRoute = (path: string): boolean => matchRoute(path, undefined, options).length > 0;

/** Whether a text is a path of v1's, with `…` for what is not known. */
export const isRouteOfV1 = (text: string): boolean =>
  text.startsWith('/v1/') && isRoute(text.replace(/[?#].*/s, '').replaceAll('…', unknownPart));

/** A call of what is imported by a name that leads to no file stays until the name does; of another nobody knows the base. */
export function unresolvedProblem({
  call,
  module,
  route,
  sites,
  imported,
}: UnresolvedCall): Pick<Finding, 'code' | 'detail'> & Pick<UnresolvedCall, 'module'> & { readonly node: Node } {
  if (route === undefined) return { code: 'too-complex', node: call, module, detail: {} };
  if (imported === undefined) return { code: 'base-not-proven', node: call, module, detail: { route } };
  const { node, specifier } = imported;
  const files = sites.map(({ request }) => request.module.file);
  const meant = files.find((file) => basename(file, extname(file)) === basename(specifier, extname(specifier)));
  const by = `${module.file}:${module.position(node.start).line}`;
  return { code: 'held-elsewhere', node, module, detail: { ...(meant !== undefined && { name: meant }), by, why: 'import' } };
}
