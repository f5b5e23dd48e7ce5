/** What a test hands to code of the program and nobody can read: `new Client({ url: server.url })`. It is told of the test, and holds no program. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { Part } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { isStandIn, placesInTests } from '../../verdict/bases/stand-ins.ts';

/** Where a test does so, if it is that which keeps an address from being read. */
export function handedByTest(site: RequestSite): { readonly node: Node; readonly module: SourceText } | undefined {
  const { request, verdict } = site;
  const { url = [], isMock } = request;
  // Who answers at a server that the test starts is known.
  if (isMock || isStandIn(site) || (verdict.kind !== 'unproven' && verdict.kind !== 'dynamic-path')) return undefined;
  const unread = verdict.kind === 'unproven' ? url.slice(0, 1) : url;
  if (unread.some(isOfProgram)) return undefined;
  const places = placesInTests(request);
  return places.find(isMaking) ?? places.at(0);
}

/** Of a client, that is where it gets its address. */
const isMaking = ({ node }: { readonly node: Node }): boolean => node.kind === 'call' && node.isNew;

/** Whether it is the program itself that asks somebody else for it. */
function isOfProgram(part: Part): boolean {
  const value = 'unknownPart' in part ? part.unknownPart : undefined;
  const of = value?.type === 'method' ? value.receiver : value;
  if (of?.type === 'env') return !isTest(of.module);
  return of?.type === 'unknown' && of.node?.kind === 'call' && of.module !== undefined && !isTest(of.module);
}
