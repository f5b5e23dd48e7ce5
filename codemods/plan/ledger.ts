/** Every suspicious literal ends in exactly one state (design.md §6.5). */
import { v1Auth } from '../../src/contract/auth.ts';
import type { Evaluation } from '../identify/evaluation.ts';
import type { SourceModule } from '../identify/module.ts';
import { type Bases, matchRoute, matchUrl } from '../identify/routes.ts';
import type { Finding, FindingCode, LedgerEntry } from '../model.ts';
import { walk } from '../syntax/link.ts';
import type { Node } from '../syntax/tree.ts';
import { headerReads } from './reads.ts';
import { placesOf, type Site } from './sites.ts';
import type { Change } from './spans.ts';

interface Literal {
  readonly module: SourceModule;
  readonly start: number;
  readonly end: number;
}

export function ledgerOf(
  ev: Evaluation,
  sites: readonly Site[],
  changes: readonly Change[],
  refusedFor: (change: Change) => FindingCode | undefined,
  isCandidate: (file: string) => boolean,
  bases: Bases,
): { readonly entries: LedgerEntry[]; readonly findings: Finding[] } {
  const foreign = new Map<Node, 'other-host'>();
  const person = new Map<Node, FindingCode>();
  for (const site of sites) {
    for (const { node } of placesOf(site)) {
      if (site.verdict.kind === 'foreign') foreign.set(node, 'other-host');
      else if (site.verdict.kind === 'unproven') person.set(node, 'base-not-proven');
      else if (site.verdict.kind === 'unknown-route' || site.verdict.kind === 'dynamic-path') person.set(node, site.verdict.kind);
    }
    if (site.verdict.kind === 'foreign') for (const { node } of site.keys) foreign.set(node, 'other-host');
  }
  // What some request uses is told with the request.
  const consumed = new Set(sites.flatMap((site) => [...placesOf(site)].map(({ node }) => node)));
  const moved = changes.filter((change) => refusedFor(change) === undefined);
  const entries: LedgerEntry[] = [];
  const findings: Finding[] = [];
  for (const module of ev.world.modules.values()) {
    if (!isCandidate(module.file)) continue;
    const served = servedIn(ev, module);
    for (const literal of suspicious(module)) {
      const entry = entryOf(literal, changes, refusedFor, foreign, person);
      if (entry.reason !== 'no-call') entries.push(entry);
      else if (served.has(literal.node)) entries.push({ ...entry, reason: 'own-server' });
      else if (consumed.has(literal.node) || !(isOurAddress(literal.node, bases) || isBesideMoved(literal, moved))) entries.push(entry);
      else {
        entries.push({ ...entry, state: 'person', reason: 'unconsumed' });
        findings.push({ code: 'unconsumed', ...literalPlace(entry), detail: {} });
      }
    }
  }
  if (changes.length > 0) findings.push(...[...ev.world.modules.values()].flatMap(typesIn));
  return { entries, findings };
}

/** `'x-api-key': string` in a type: the tree has no types, but what is moved may no longer be of this one. */
function typesIn(module: SourceModule): Finding[] {
  const nodes = suspicious(module);
  return [...module.text.matchAll(new RegExp(`(["'])${v1Auth.field}\\1\\??\\s*:`, 'gi'))].flatMap(({ index }): Finding[] => {
    const lineStart = module.text.lastIndexOf('\n', index) + 1;
    const isComment = /^\s*(?:\/\/|\*|\/\*)/.test(module.text.slice(lineStart, index + 1));
    if (isComment || nodes.some(({ start, end }) => start <= index && index < end)) return [];
    const end = index + v1Auth.field.length + 2;
    return [{ code: 'unconsumed', file: module.file, start: index, end, ...module.position(index), detail: {} }];
  });
}

const literalPlace = ({ file, start, end, line, column }: LedgerEntry): Omit<Finding, 'code' | 'detail'> => ({
  file,
  start,
  end,
  line,
  column,
});

/** A whole address of ours, which nothing but our service has. */
function isOurAddress(node: Node, bases: Bases): boolean {
  if (node.kind !== 'string') return false;
  const match = matchUrl(node.value, bases);
  return match.kind === 'ours' && (match.route !== undefined || /^\/v1\/?$/.test(match.path));
}

/** An unused path in a table of paths that are moved: whoever uses it next would ask v1 with v2's header. */
function isBesideMoved({ node, module }: Suspicious, changes: readonly Change[]): boolean {
  const table = node.parent?.kind === 'property' && isRoute(node) ? node.parent.parent : undefined;
  if (table?.kind !== 'object') return false;
  return table.properties.some((property) =>
    changes.some(
      ({ what, module: where, start }) => what === 'path' && where === module && property.start <= start && start < property.end,
    ),
  );
}

/** Paths that a server of the user's own defines, and headers that it reads. */
export function servedIn(ev: Evaluation, module: SourceModule): ReadonlySet<Node> {
  const served = new Set<Node>(headerReads(ev, module).flatMap(({ node, isServer }) => (isServer ? [node] : [])));
  for (const call of module.calls) {
    if (call.callee.kind !== 'member' || !definers.has(call.callee.property ?? '')) continue;
    const callee = ev.evaluate(call.callee, { module, frame: undefined });
    if (callee.type === 'method' && callee.receiver.type === 'http') continue;
    const [path] = call.args;
    if (path?.kind === 'object') for (const property of path.properties) if (property.kind === 'property') served.add(property.value);
    if (path !== undefined) served.add(path);
  }
  return served;
}

/** Methods by which servers take paths. */
const definers = new Set(['get', 'post', 'put', 'patch', 'delete', 'all', 'use', 'route', 'on']);

interface Suspicious extends Literal {
  readonly node: Node;
}

/** Header names and paths of v1, wherever they stand. */
export function suspicious(module: SourceModule): Suspicious[] {
  const found: Suspicious[] = [];
  walk(module.tree.program, (node) => {
    if (node.kind === 'string' && isSuspicious(node.value)) found.push({ node, module, start: node.start, end: node.end });
    if (node.kind === 'template' && node.texts.some(({ value }) => isSuspicious(value)))
      found.push({ node, module, start: node.start, end: node.end });
    if ((node.kind === 'property' || node.kind === 'patternProperty') && node.name?.toLowerCase() === v1Auth.field)
      found.push({ node, module, start: node.keyStart, end: node.keyEnd });
  });
  return found;
}

const isSuspicious = (text: string): boolean => text.toLowerCase() === v1Auth.field || holdsRoute(text);

/** Whether a text holds a path of v1, and not only the header's name. */
export const isRoute = (node: Node): boolean =>
  (node.kind === 'string' && holdsRoute(node.value)) || (node.kind === 'template' && node.texts.some(({ value }) => holdsRoute(value)));

function holdsRoute(text: string): boolean {
  const at = text.indexOf('/v1');
  if (at === -1) return false;
  const path = text.slice(at);
  return (
    path === '/v1' ||
    path === '/v1/' ||
    matchRoute(path, undefined).length > 0 ||
    /^\/v1\/(?:messages|contacts|campaigns)(?:\/|$)/.test(path)
  );
}

function entryOf(
  { node, module, start, end }: Suspicious,
  changes: readonly Change[],
  refusedFor: (change: Change) => FindingCode | undefined,
  foreign: ReadonlyMap<Node, string>,
  person: ReadonlyMap<Node, FindingCode>,
): LedgerEntry {
  const { line, column } = module.position(start);
  const place = { file: module.file, start, end, line, column };
  const change = changes.find((each) => each.module === module && start <= each.start && each.end <= end && each.what !== 'header value');
  if (change !== undefined) {
    const refused = refusedFor(change);
    return refused === undefined ? { ...place, state: 'rewritten', reason: change.what } : { ...place, state: 'person', reason: refused };
  }
  const theirs = foreign.get(node);
  if (theirs !== undefined) return { ...place, state: 'foreign', reason: theirs };
  const open = person.get(node);
  return open === undefined ? { ...place, state: 'foreign', reason: 'no-call' } : { ...place, state: 'person', reason: open };
}
