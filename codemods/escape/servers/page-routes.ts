/** Addresses of pages of the user's own, as the router of a page lists them: nobody asks a service by these. */
import { pageRouters } from '../../clients/servers/frameworks.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { CallNode, Node, VariableNode } from '../../syntax/tree.ts';

/** What a route says of where it is, and to where it leads. */
const places = /^(?:path|alias|redirect|redirectTo)$/;
/** What has routes in it. */
const holders = /^(?:routes|children|redirect|alias)$/;

/** `createRouter({ routes: [{ path: '/v1/contacts', component }] })`, `const routes: Routes = […]`: the path of a page, not of a request. */
export function isRouteOfPage(literal: Node, module: SourceModule): boolean {
  const { parent } = literal;
  const isPlace = literal.kind === 'string' && (isNamed(parent, places) || (parent?.kind === 'array' && isNamed(parent.parent, holders)));
  return isPlace && isOfRouter(literal, module);
}

const isNamed = (node: Node | undefined, names: RegExp): boolean => node?.kind === 'property' && names.test(node.name ?? '');

/** Whether a list of routes around something is the router's alone. */
function isOfRouter(inside: Node, module: SourceModule): boolean {
  let at = inside;
  for (let { parent } = inside; parent !== undefined; parent = at.parent) {
    if (parent.kind === 'call') return parent.callee !== at && comesOfRouter(rootOf(parent), module);
    if (parent.kind === 'variable') return parent.init === at && isListOfRoutes(parent, module);
    const isHeld =
      parent.kind === 'object' || parent.kind === 'array' || (parent.kind === 'property' && (at === inside || isNamed(parent, holders)));
    if (!isHeld) return false;
    at = parent;
  }
  return false;
}

/** A list that its type says to be routes, or that goes nowhere but to a router. */
function isListOfRoutes({ target, init, declares }: VariableNode, module: SourceModule): boolean {
  if (target.kind !== 'patternName' || declares !== 'const') return false;
  const [, type] = annotation.exec(module.text.slice(target.end, init?.start)) ?? [];
  if (type !== undefined && isImported(type, module)) return true;
  const { references = [] } = module.scopes.declaredBy(target) ?? {};
  return references.length > 0 && !module.exports.has(target.name) && references.every((each) => isOfRouter(each, module));
}

/** `: Routes`, `: RouteRecordRaw[]`, `: readonly RouteObject[]`, `: Array<RouteRecordRaw>` */
const annotation = /^\s*:\s*(?:readonly\s+|(?:Readonly)?Array<)?(\w+)/;

/** `createRouter` of a call, `RouterModule` of `RouterModule.forRoot(…)`. */
const rootOf = ({ callee }: CallNode): Node => (callee.kind === 'member' ? callee.object : callee);

const comesOfRouter = (root: Node, module: SourceModule): boolean => root.kind === 'name' && isImported(root.name, module);

function isImported(name: string, { scopes }: SourceModule): boolean {
  const owner = scopes.top(name)?.owner;
  return owner?.kind === 'import' && pageRouters.test(owner.source.value);
}
