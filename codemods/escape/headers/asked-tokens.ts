/**
 * Hooks of a client that ask whether a request has Authorization: `if (config.headers.Authorization) await refresh()`. With the key in it, each has, and other
 * things come to pass than before.
 */
import { v2Auth } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { walk } from '../../syntax/link.ts';
import type { MemberNode, Node } from '../../syntax/tree.ts';

const isToken = (name: string | undefined): boolean => name?.toLowerCase() === v2Auth.field.toLowerCase();

/** @returns where something hangs on it whether headers have Authorization */
export function askedTokens(ev: Evaluation): { readonly node: MemberNode; readonly module: SourceModule }[] {
  const found: { node: MemberNode; module: SourceModule }[] = [];
  for (const module of ev.world.modules.values()) {
    walk(module.tree.program, (node) => {
      if (node.kind === 'member' && asksToken(node) && isOfRequest(node.object) && isTested(node)) found.push({ node, module });
      return true;
    });
  }
  return found;
}

/** `headers.Authorization`, `headers.has('authorization')` */
function asksToken({ property, parent }: MemberNode): boolean {
  const [name] = parent?.kind === 'call' && /^(?:has|get)$/.test(property ?? '') ? parent.args : [];
  return isToken(property) || (name?.kind === 'string' && isToken(name.value));
}

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
