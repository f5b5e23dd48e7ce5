/** Other hosts that calls which move may ask as well, as something says that nobody here knows: `account.host ? `https://${account.host}` : BASE`. */
import { type Given, givenIn } from '../../evaluate/libraries/given.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { optionsOf, type Part, type Value } from '../../evaluate/values/values.ts';
import type { Request } from '../../requests/requests.ts';
import type { Finding } from '../../model.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../request-sites.ts';

type UnknownPart = Extract<Part, { readonly unknownPart: unknown }>;

/** @returns one finding for each place that says so; variables and options are told where they are set */
export function otherHostsOf(sites: readonly RequestSite[], groupOf: (site: RequestSite) => string | undefined): Finding[] {
  const found = sites.flatMap((site): Finding[] => {
    const group = site.verdict.kind === 'ours' && !site.request.isMock ? groupOf(site) : undefined;
    return group === undefined ? [] : site.byDefault.flatMap((other) => saidBy(other, group));
  });
  return [...new Map(found.map((each) => [`${each.file} ${each.start}`, each])).values()];
}

/**
 * Hosts that get a key of a store or an option as calls of ours do that move: a person has set one key for two services, or the service has a host that is not known.
 * @returns one finding for each call
 */
export function sharedKeysOf(sites: readonly RequestSite[], groupOf: (site: RequestSite) => string | undefined): Finding[] {
  const moved = new Map<string, string>();
  for (const site of sites) {
    const group = site.verdict.kind === 'ours' && !site.request.isMock ? groupOf(site) : undefined;
    if (group !== undefined) for (const name of keyNames(site)) moved.set(name, group);
  }
  if (moved.size === 0) return [];
  return sites.flatMap((site): Finding[] => {
    const { verdict, request } = site;
    const name =
      verdict.kind === 'foreign' && !verdict.isMadeUp && !request.isMock ? keyNames(site).find((each) => moved.has(each)) : undefined;
    const { call, module } = request;
    if (verdict.kind !== 'foreign' || name === undefined || isTest(module)) return [];
    const place = { file: module.file, start: call.start, end: call.end, ...module.position(call.start) };
    return [{ code: 'env-elsewhere', ...place, detail: { how: 'key', name, host: verdict.host, base: `https://${verdict.host}` } }];
  });
}

const keyNames = ({ keys }: RequestSite): string[] =>
  keys.flatMap((entry) => optionsOf(entry.value()).flatMap((value) => givenIn(value)?.name ?? []));

function saidBy({ url = [], isBesideTests }: Request, group: string): Finding[] {
  // What stands before it is the protocol, if anything.
  const part = url.find((each) => 'unknownPart' in each);
  if (part === undefined || !('unknownPart' in part)) return [];
  const named = storedIn(part.unknownPart) ?? givenIn(part.unknownPart);
  // What a package holds, or a program keeps for people, with the version in it is told where that is read.
  const isHost = (named?.setting !== undefined || named?.isStored === true) && flat(url).split(unknownPart)[1]?.startsWith('/v1/') === true;
  const read = named === undefined ? readOf(part, isBesideTests === true) : isHost ? named : undefined;
  if (read === undefined || isTest(read.module)) return [];
  const { node, module } = read;
  const { file, text } = module;
  const name = storedIn(part.unknownPart)?.name ?? text.slice(node.start, node.end);
  const place = { file, start: node.start, end: node.end, ...module.position(node.start) };
  // What others than tests give is as these have it: with the version of v1.
  const detail = { ...(isBesideTests !== true && { how: 'other' }), ...(name.length <= maxName && { name }) };
  return [{ code: 'env-elsewhere', ...place, detail, group }];
}

/** What people have saved, and the field of the form that they did so in. */
const storedIn = (value: Value): Given | undefined =>
  value.type === 'env' && value.isStored === true
    ? { name: value.name, node: value.node, module: value.module, isStored: true }
    : undefined;

/** The property that is read, or the call that gives it. */
function readOf(
  { unknownPart: value, provenance }: UnknownPart,
  isBesideTests: boolean,
): { readonly node: Node; readonly module: SourceText } | undefined {
  if (value.type === 'method') {
    const name = value.path.at(-1);
    // What a field has is what a constructor was given, or left out.
    const isRead = (node: Node): boolean => node.kind === 'member' && node.property === name && node.object.kind !== 'this';
    const isTaken = (node: Node): boolean =>
      node.kind === 'patternName' && (node.parent?.kind !== 'patternProperty' || node.parent.name === name);
    return nodesOf(provenance).find(({ node }) => isRead(node) || (isBesideTests && isTaken(node)));
  }
  if (value.type !== 'unknown' || value.node?.kind !== 'call' || value.module === undefined) return undefined;
  return { node: value.node, module: value.module };
}

/** An expression that is longer says less than its place. */
const maxName = 60;
