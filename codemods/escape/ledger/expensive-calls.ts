/** Literals in calls that were too much to follow: which of them these have nothing to do with, as far as what stands there says so. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { Node } from '../../syntax/tree.ts';
import type { Bases } from '../../verdict/routes.ts';
import { isForeignAddress } from './texts-of-ours.ts';
import { type Suspicious, textIn } from './suspicious.ts';

/** The nearest call that the literal may be for: none where it is a word in a sentence. */
export function expensiveAround(literal: Suspicious, expensive: ReadonlySet<Node>): Node | undefined {
  if (expensive.size === 0 || isInSentence(literal)) return undefined;
  let at: Node | undefined = literal.node;
  while (at !== undefined && !expensive.has(at)) at = at.parent;
  return at;
}

/** `invalid x-api-key`, which names no value: a line of a request has its header before a colon. */
function isInSentence({ node }: Suspicious): boolean {
  const text = textIn(node).trim();
  return node.kind === 'string' && sentence.test(text) && !/[:=/]/.test(text);
}

const sentence = new RegExp(`^(?=.*\\s).*(?<![\\w-])${v1Auth.field}(?![\\w-])`, 'i');

/** `fetch('https://api.other.example/search', { headers: { 'x-api-key': key } })`: whatever else it is given, it asks that host. */
export function isSentToOther({ node, module: { scopes } }: Suspicious, bases: Bases): boolean {
  for (let at: Node = node; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const call = at.parent;
    if (call.kind !== 'call' || call.args[1] !== at || call.callee.kind !== 'name' || call.callee.name !== 'fetch') continue;
    const [address] = call.args;
    const owner = address?.kind === 'name' ? scopes.bindingOf(address)?.owner : undefined;
    const written = owner?.kind === 'variable' && owner.declares === 'const' ? owner.init : address;
    return scopes.bindingOf(call.callee) === undefined && written !== undefined && isForeignAddress(written, bases);
  }
  return false;
}
