/**
 * What asks for the version at the end of a base, or takes it away, moves with the calls whose base came by there: all of them, or the question would be right for
 * some alone.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { type VersionEnd, versionEndIn, versionMoved } from '../../evaluate/values/version-ends.ts';
import { isWithin, walk } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { takesVersion } from '../bases/environment.ts';
import type { RequestSite } from '../request-sites.ts';
import type { Change } from './spans.ts';

interface Placed {
  readonly end: VersionEnd;
  readonly module: SourceModule;
  /** What the program does by the answer. */
  readonly branches: Node | undefined;
  /** undefined where it asks for any version. */
  readonly change: Change | undefined;
}

/** A question that stays, as the address of another service comes by there, too. */
export interface SharedEnd {
  readonly end: VersionEnd;
  readonly module: SourceModule;
  readonly changes: readonly Change[];
  readonly other: RequestSite;
}

export interface VersionEnds {
  readonly sites: RequestSite[];
  readonly shared: readonly SharedEnd[];
}

export function withVersionEnds(ev: Evaluation, sites: readonly RequestSite[]): VersionEnds {
  const ends = [...ev.world.modules.values()].flatMap(endsIn);
  if (ends.length === 0) return { sites: [...sites], shared: [] };
  const byPlace = sites.map((site) => ({ site, ways: waysOf(site) }));
  const beside = new Map<RequestSite, Change[]>();
  const shared: SharedEnd[] = [];
  for (const placed of ends) {
    const { end, module } = placed;
    const near = byPlace.flatMap(({ site, ways }) => (comesBy(ways, placed) ? site : []));
    const moving = near.filter(({ changes: [first] }) => first !== undefined);
    if (!moving.some((site) => needs(site, placed))) continue;
    const other = near.find(({ verdict: { kind } }) => kind === 'foreign' || kind === 'unproven');
    if (other !== undefined) shared.push({ end, module, changes: moving.flatMap((site) => site.changes.slice(0, 1)), other });
    else for (const site of moving) beside.set(site, [...(beside.get(site) ?? []), ...changesFor(site, placed)]);
  }
  return {
    sites: sites.map((site) => {
      const changes = beside.get(site);
      return changes === undefined ? site : { ...site, changes: [...site.changes, ...changes] };
    }),
    shared,
  };
}

const endsIn = (module: SourceModule): Placed[] =>
  module.calls.flatMap((call): Placed[] => {
    const end = versionEndIn(call);
    if (end === undefined) return [];
    const moved = versionMoved(end, module.text);
    return [{ end, module, branches: branchesOf(call), change: moved && { ...moved, module, what: 'path' } }];
  });

/**
 * Whether the version that a call moves is the one that is asked for: it is that of its base, or is put behind it by the answer. A pattern may take either away;
 * one that takes what stands elsewhere in its address away as it was, as `raw.endsWith('/v1') ? raw.slice(0, -3) : raw` does, is right as it is.
 */
function needs(site: RequestSite, { end, module, branches }: Placed): boolean {
  if (end.isCut && end.literal.kind === 'literal') return true;
  if (takesVersion(site)) return true;
  return site.changes.some(
    (change) =>
      change.what === 'path' &&
      ((change.module === module && branches !== undefined && branches.start <= change.start && change.end <= branches.end) ||
        /https?:\/\/[^\s'"`]+\/$/.test(change.module.text.slice(Math.max(0, change.start - maxBase), change.start))),
  );
}

/** Characters of a base before its version. */
const maxBase = 200;

/** What asks for the version, what is put behind an address by the answer, and the version in a base from which it was taken away. */
function changesFor(site: RequestSite, { end: { subject }, change, module, branches }: Placed): Change[] {
  if (change === undefined) return versionsCut(site);
  const behind = versionsIn(branches, module.text.slice(subject.start, subject.end), module);
  return [change, ...behind.map((start): Change => ({ ...change, start, end: start + 2, text: 'v2' })), ...versionsCut(site)];
}

/** `url + '/v1'`, `` `${url}/v1` ``, `url += '/v1'`: behind what is asked about, and nothing else. */
function versionsIn(branches: Node | undefined, subject: string, { text: source }: SourceModule): number[] {
  const found: number[] = [];
  const isOfSubject = ({ start, end }: Node): boolean => source.slice(start, end).includes(subject);
  const add = (start: number, value: string): void => {
    if (/^\/?v1\/?$/.test(value)) found.push(start + value.indexOf('v1'));
  };
  if (branches !== undefined)
    walk(branches, (node) => {
      const put = node.kind === 'concat' ? node.right : node.kind === 'assign' && node.operator === '+=' ? node.value : undefined;
      if (put?.kind === 'string' && isOfSubject(node)) add(put.start + put.quote.length, put.value);
      const last = node.kind === 'template' && isOfSubject(node) ? node.texts.at(-1) : undefined;
      if (last !== undefined) add(last.start, last.value);
      return true;
    });
  return found;
}

/** The conditional, or the `if`, whose test it is. */
function branchesOf(call: Node): Node | undefined {
  for (let at = call; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'conditional' || (parent.kind === 'other' && parent.what === 'IfStatement'))
      return (parent.kind === 'conditional' ? parent.test : parent.children[0]) === at ? parent : undefined;
    if (parent.kind !== 'unary' && parent.kind !== 'logical') return undefined;
  }
  return undefined;
}

/** Whatever the address of a request came through. */
const waysOf = ({ request: { url = [], prefixes } }: RequestSite): { readonly node: Node; readonly module: unknown }[] =>
  [...url, ...prefixes.flat()].flatMap((part) => [
    ...nodesOf(part.provenance),
    ...('text' in part && part.source !== undefined ? [part.source] : []),
    ...('unknownPart' in part && part.unknownPart.type === 'env' ? [part.unknownPart] : []),
  ]);

/** By a name wherever it is read, by a property where it is asked about and in what the program does by the answer. */
function comesBy(ways: ReturnType<typeof waysOf>, { end: { subject }, module, branches }: Placed): boolean {
  const binding = subject.kind === 'name' ? module.scopes.bindingOf(subject) : undefined;
  const written = (node: Node): string => module.text.slice(node.start, node.end);
  return ways.some(
    ({ node, module: where }) =>
      where === module &&
      (isWithin(subject, node) ||
        (branches !== undefined && isWithin(branches, node) && written(node) === written(subject)) ||
        (binding !== undefined && node.kind === 'name' && module.scopes.bindingOf(node) === binding)),
  );
}

/** The version in the text that an address begins with, where it was taken away before it came to the request. */
const versionsCut = ({ request: { url = [] } }: RequestSite): Change[] =>
  url.flatMap((part) => {
    if (!('text' in part) || part.source?.isExact !== true || part.source.node.kind !== 'string') return [];
    const { module, start, node } = part.source;
    const from = start + part.text.length;
    return /^\/v1\/?.$/s.test(module.text.slice(from, node.end))
      ? { module, start: from + 1, end: from + 3, text: 'v2', what: 'path' }
      : [];
  });
