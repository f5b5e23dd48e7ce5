/** What a test asks without a key, to see that it is refused: `api.get('/v1/contacts').expect(401)`. */
import { isCalledByTestsAlone } from '../../../clients/testing/libraries.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import type { SourceText } from '../../../evaluate/values/source-text.ts';
import type { CallNode, Expression, Node, SpreadNode } from '../../../syntax/tree.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import { statusesExpected } from './expected-statuses.ts';

/** Both versions answer so, whatever else is asked. */
const unauthorized = 401;

export function isRefusedOnPurpose({ request, mayHoldKey, authorizations }: RequestSite): boolean {
  const { call, module, headers, unknownHeaders, callers } = request;
  if (mayHoldKey || authorizations.length > 0 || unknownHeaders.length > 0 || callers.length > 0) return false;
  return headers.every(({ name }) => name !== undefined) && isSaid(call, module);
}

/** Whether a test sees to it that v1 refuses what it is sent as a Bearer token, which v2 lets in. */
export const isBearerRefused = ({ request: { call, module, callers } }: RequestSite): boolean =>
  [{ node: call, module }, ...callers].some(
    (asked) =>
      isCalledByTestsAlone(asked.module) &&
      (chainOf(asked.node).some(({ args: [code] }) => isUnauthorized(code)) ||
        (isScript(asked.module) && statusesExpected(asked.node, asked.module).some((statuses) => statuses.includes(unauthorized)))),
  );

const isSaid = (call: Node, module: SourceText): boolean =>
  (isTest(module) && isRefusal(chainOf(call))) || (isScript(module) && isExpectedToBe(call, module));

/** Whether a test says of the answer's status that it may be this one, and never another alone: what it expects of its words is told. */
function isExpectedToBe(call: Node, module: SourceModule): boolean {
  const all = statusesExpected(call, module);
  return all.length > 0 && all.every((statuses) => statuses.includes(unauthorized));
}

const isUnauthorized = (node: Expression | SpreadNode | undefined): boolean => node?.kind === 'literal' && node.value === unauthorized;

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
  return expected.length > 0 && expected.every(([code, more]) => more === undefined && isUnauthorized(code));
}
