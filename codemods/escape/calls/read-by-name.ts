/**
 * Requests whose base a factory or callback reads of what it is given, by the name that our base has elsewhere: `useFactory: (config) => ({ baseURL: config.baseUrl })`.
 * What is not known there may be what holds ours, and then it would move under them; so our calls stay until a person decides.
 */
import { v1Endpoints } from '../../../src/contract/endpoints.ts';
import { isScript } from '../../evaluate/module.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { UnresolvedCall } from './unresolved-calls.ts';

export function readByName(sites: readonly RequestSite[]): UnresolvedCall[] {
  const ours = sites.filter(({ verdict, request }) => verdict.kind === 'ours' && !request.isMock);
  if (ours.length === 0) return [];
  const byName = new Map<string, RequestSite[]>();
  for (const site of ours) for (const name of namesRead(site)) byName.set(name, [...(byName.get(name) ?? []), site]);
  return sites.flatMap(({ verdict, request: { call, module, isMock, url = [] } }): UnresolvedCall[] => {
    const [first] = url;
    if (verdict.kind !== 'unproven' || verdict.route === undefined || isMock || call.kind !== 'call' || !isScript(module)) return [];
    const name = first !== undefined && 'unknownPart' in first ? nameRead(first.unknownPart) : undefined;
    const alike = name === undefined ? undefined : byName.get(name);
    return alike === undefined ? [] : [{ call, module, route: v1Endpoints[verdict.route].path, sites: alike }];
  });
}

/** The properties that the base of a request was read by. */
function namesRead({ request: { url: [first] = [] } }: RequestSite): Set<string> {
  if (first === undefined) return new Set();
  return new Set(
    nodesOf(first.provenance).flatMap(({ node }) => (node.kind === 'member' && node.property !== undefined ? [node.property] : [])),
  );
}

/** The name that something is read by of a parameter whose function is handed to somebody where it is written. */
function nameRead(value: Value): string | undefined {
  for (const option of optionsOf(value)) {
    const of = option.type === 'method' ? option.receiver : undefined;
    if (option.type === 'method' && of?.type === 'unknown' && of.node?.kind === 'param' && isHandedOn(of.node.parent))
      return option.path.at(-1);
  }
  return undefined;
}

function isHandedOn(fn: Node | undefined): boolean {
  let at = fn;
  while (at?.parent?.kind === 'property' || at?.parent?.kind === 'object' || at?.parent?.kind === 'array') at = at.parent;
  return at?.parent?.kind === 'call' && at.parent.callee !== at;
}
