/** What a test asks without a key, to see that it is refused: `api.get('/v1/contacts').expect(401)`. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';

/** Both versions answer so, whatever else is asked. */
const unauthorized = 401;

export function isRefusedOnPurpose({ request, mayHoldKey, authorizations }: RequestSite): boolean {
  const { call, module, headers, unknownHeaders, callers } = request;
  if (!isTest(module) || mayHoldKey || authorizations.length > 0 || unknownHeaders.length > 0 || callers.length > 0) return false;
  return headers.every(({ name }) => name !== undefined) && isRefusal(chainOf(call));
}

/** The calls that a call is the beginning of. */
function chainOf(call: Node): CallNode[] {
  const { parent: member } = call;
  const next = member?.kind === 'member' && member.object === call ? member.parent : undefined;
  return next?.kind === 'call' && next.callee === member ? [next, ...chainOf(next)] : [];
}

/** What else is expected, as the answer's words, v2 says otherwise. */
function isRefusal(chain: readonly CallNode[]): boolean {
  // A plug-in may put in a key.
  if (chain.some(({ callee }) => callee.kind === 'member' && callee.property === 'use')) return false;
  const expected = chain.filter(({ callee }) => callee.kind === 'member' && callee.property === 'expect').map(({ args }) => args);
  return (
    expected.length > 0 && expected.every(([code, more]) => more === undefined && code?.kind === 'literal' && code.value === unauthorized)
  );
}
