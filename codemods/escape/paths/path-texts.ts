/** Texts, patterns and names of properties in code that say a path of v1. */
import { type SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { routeHeads } from '../../verdict/bases/routes.ts';
import { holdsRoute, isOfRoute, isRoute, patternOf } from '../ledger/suspicious.ts';

const isVersion = /^\/?v1\/?$/;
export const isVersionAlone = (node: Node): boolean => node.kind === 'string' && isVersion.test(node.value);

/** Texts, patterns and names of properties that are paths of v1, or begin or end as one. */
export const pathsIn = ({ calls, tree: { program }, text }: SourceModule): Node[] => [
  ...calls.flatMap(({ callee, args: [pattern] }) =>
    pattern !== undefined &&
    callee.kind === 'name' &&
    callee.name === 'RegExp' &&
    madeOfVersion.test(text.slice(pattern.start, pattern.end))
      ? [pattern]
      : [],
  ),
  ...nodesOfKind(program, 'string').filter((node) => isRoute(node) || isVersion.test(node.value) || isGlob.test(node.value)),
  ...nodesOfKind(program, 'template').filter(isRoute),
  ...nodesOfKind(program, 'literal').filter((node) => isOfRoute(node) || isGlob.test(patternOf(node))),
  ...nodesOfKind(program, 'property').filter(({ name = '' }) => mayBeOfRoute(name) || holdsRoute(name) || isGlob.test(name)),
];

/** `/v1`, `/v1/con`, which a path of ours may begin with; `/v1/documents`, as a description of the own server has it, is none of ours. */
const mayBeOfRoute = (name: string): boolean =>
  // `/v1(/.*)?`, `/v1/{*path}`
  /^\/v1\/?[^\w/]/.test(name) ||
  (name.startsWith('/v1') && routeHeads.some((head) => head.startsWith(name.replace(/\/$/, '')) || name.startsWith(head)));

/** ``new RegExp(`^/v1/(${names.join('|')})`)``, also where the slash is escaped. */
const madeOfVersion = /^(?:String\.raw)?['"`]\^?(?:\\*\/)?v1(?:\\*\/|\\|\(|\b)/;

/** `/v1/*`, `/v1/:path*`, `/v1/(messages|contacts)` */
const isGlob = /\/v1\/[*:([{]/;
