/**
 * Hooks of a client that ask whether a request has Authorization: `if (config.headers.Authorization) await refresh()`. With the key in it, each has, and other
 * things come to pass than before.
 */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { Node } from '../../../syntax/tree.ts';
import { authorizationReads } from './authorization-reads.ts';

/** @returns where something hangs on it whether headers have Authorization */
export const authorizationReadsHolding = (ev: Evaluation): { readonly node: Node; readonly module: SourceModule }[] =>
  [...ev.world.modules.values()].flatMap((module) =>
    authorizationReads(module).flatMap(({ node, of }) => (isOfRequest(of) && isTested(node) ? { node, module } : [])),
  );

/** What a request that has failed, or was answered, was asked with is another matter: `error.config.headers`. */
const isOfRequest = (headers: Node): boolean =>
  headers.kind === 'member' &&
  headers.property === 'headers' &&
  !(headers.object.kind === 'member' && /^(?:config|request)$/.test(headers.object.property ?? ''));

const within: ReadonlySet<Node['kind']> = new Set(['member', 'call', 'unary', 'binary', 'logical']);

/** Whether something hangs on it, and it is not only shown. */
function isTested(node: Node): boolean {
  let at = node;
  while (at.parent !== undefined && within.has(at.parent.kind)) at = at.parent;
  const { parent } = at;
  if (parent?.kind === 'conditional') return parent.test === at;
  return parent?.kind === 'other' && parent.what === 'IfStatement' && parent.children[0] === at;
}
