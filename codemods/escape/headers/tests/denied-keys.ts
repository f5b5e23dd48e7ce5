/**
 * Tests that expect a call of another service to be without v1's header. Once our key goes in v2's, they no longer show that it is kept
 * from there.
 */
import type { SourceText } from '../../../evaluate/values/source-text.ts';
import { isDenied } from '../../../clients/testing/expected/expected-looks.ts';
import { isScript } from '../../../evaluate/module.ts';
import type { CallNode, Node } from '../../../syntax/tree.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';

export interface Denied {
  readonly node: Node;
  readonly module: SourceText;
}

/**
 * @returns where such tests name the header; of a service that gets a key of its own in that header, something else is meant, unless the test itself
 *   asks it without
 */
export function deniedElsewhere(sites: readonly RequestSite[]): readonly Denied[] {
  const others = sites.filter(({ verdict }) => verdict.kind === 'foreign');
  const asked = others.filter(({ request }) => !request.isMock);
  const keyed = new Set(asked.filter(({ keys }) => keys.length > 0).map(hostOf));
  const askedByTests = new Set(asked.filter(({ keys }) => keys.length === 0).map(placeOf));
  return others.flatMap((site) => {
    const { isMock, call, module, denies = [] } = site.request;
    if (!isMock || (keyed.has(hostOf(site)) && !askedByTests.has(placeOf(site)))) return [];
    const expectation = site.keys.length > 0 && isScript(module) ? expectationAround(call) : undefined;
    const isExpectation = expectation !== undefined && isScript(module) && isDenied(expectation, module);
    const named = isExpectation ? site.keys.map(({ key }) => key) : [];
    return [...named, ...denies].map((key) => ({ node: key?.source?.node ?? call, module: key?.source?.module ?? module }));
  });
}

const hostOf = ({ verdict }: RequestSite): string | undefined => (verdict.kind === 'foreign' ? verdict.host : undefined);
const placeOf = (site: RequestSite): string => `${site.request.module.file} ${hostOf(site)}`;

/** `expect(headers.has(name))` around what it reads, and as what `expect(headers).not.toHaveProperty(name)` begins with. */
function expectationAround(node: Node): CallNode | undefined {
  for (let at: Node | undefined = node; at?.kind === 'call' || at?.kind === 'member' || at?.kind === 'unary'; at = at.parent) {
    let first: Node = at;
    while (first.kind === 'member' || (first.kind === 'call' && first.callee.kind === 'member'))
      first = first.kind === 'member' ? first.object : first.callee;
    if (first.kind === 'call' && first.callee.kind === 'name' && first.callee.name === 'expect') return first;
    if (first.kind === 'name' && first.name === 'assert' && at.kind === 'call') return at;
  }
  return undefined;
}
