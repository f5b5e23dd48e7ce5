/** Literals in calls that were too much to follow: which of them these have nothing to do with, as far as what stands there says so. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import type { Finding } from '../../model.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import { type Suspicious, textIn } from './suspicious.ts';
import { beginningOf, isPathOfOthers } from './written-addresses.ts';
import { verbs } from '../../clients/shapes.ts';

/** The nearest call that the literal may be for: none where it is a word in a sentence. */
export function expensiveAround(literal: Suspicious, expensive: Pick<ReadonlySet<Node>, 'has' | 'size'>): Node | undefined {
  if (expensive.size === 0 || isInSentence(literal)) return undefined;
  let at: Node | undefined = literal.node;
  while (at !== undefined && !expensive.has(at)) at = at.parent;
  return at;
}

/** What of such a call is too much. */
export function expensiveIn(ev: Evaluation, call: Place): Finding['detail'] {
  const { place = call } = ev.budget.question(call, () => ev.evaluate(call.node, { module: call.module, frame: undefined }));
  return { at: `${place.module.file}:${place.module.position(place.node.start).line}` };
}

/** `invalid x-api-key`, which names no value: a line of a request has its header before a colon. */
function isInSentence({ node }: Suspicious): boolean {
  const text = textIn(node).trim();
  return node.kind === 'string' && sentence.test(text) && !/[:=/]/.test(text);
}

const sentence = new RegExp(`^(?=.*\\s).*(?<![\\w-])${v1Auth.field}(?![\\w-])`, 'i');

/**
 * `fetch('https://api.other.example/search', { headers: { 'x-api-key': key } })`, `request.get('/api/v1/teams', { headers })`: whatever else it is given, it asks that host, or
 * for a path that v1 has not.
 */
export function isSentToOther({ node, module }: Suspicious, bases: Bases, world: World): boolean {
  for (let at: Node = node; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const call = at.parent;
    const isAsking = call.kind === 'call' && call.args.slice(1).some((arg) => arg === at) && asks(call, module);
    const [address] = isAsking ? call.args : [];
    if (address === undefined) continue;
    const written = beginningOf({ node: address, module }, world);
    return isPathOfOthers(written) || (written.isWhole && matchUrl(written.text, bases).kind === 'foreign');
  }
  return false;
}

/** `fetch(…)` of the platform, and a method of HTTP on whatever it is. */
const asks = ({ callee }: CallNode, { scopes }: SourceModule): boolean =>
  callee.kind === 'name'
    ? callee.name === 'fetch' && scopes.bindingOf(callee) === undefined
    : callee.kind === 'member' && (callee.property === 'fetch' || verbs.has(callee.property ?? ''));
