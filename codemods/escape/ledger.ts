/** Every suspicious literal ends in exactly one state (design.md §6.5). */
import { v1Auth } from '../../src/contract/auth.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { type Bases, matchRoute, matchUrl, routeHeads } from '../verdict/routes.ts';
import type { Finding, FindingCode, LedgerEntry } from '../model.ts';
import { nodesOfKind } from '../syntax/link.ts';
import type { LiteralNode, Node } from '../syntax/tree.ts';
import { type Literal, type State, changedState, entryFor } from './ledger-entry.ts';
import { oldTypes } from './old-types.ts';
import type { Escape } from './escapes.ts';
import { headerReads } from './reads.ts';
import { isRepeated } from './repeats.ts';
import { placesOf, type RequestSite } from '../verdict/request-sites.ts';
import { type ChangesByPlace, changesByPlace } from '../verdict/changes-by-place.ts';
import type { Change } from '../verdict/spans.ts';
import type { Place } from '../evaluate/budget.ts';
import type { CallGraph } from '../requests/call-graph.ts';

export function ledgerOf(
  ev: Evaluation,
  { expensive }: Pick<CallGraph, 'expensive'>,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
  refusedFor: (change: Change) => FindingCode | undefined,
  isCandidate: (file: string) => boolean,
  bases: Bases,
  reported: readonly Escape[],
): { readonly entries: LedgerEntry[]; readonly findings: Finding[] } {
  const foreign = new Map<Node, 'other-host'>();
  const person = new Map<Node, FindingCode>(reported.flatMap(({ node, code }) => (code === undefined ? [] : [[node, code]])));
  for (const site of sites) {
    for (const { node } of placesOf(site)) {
      if (site.verdict.kind === 'foreign' && site.verdict.hasLogin === true) person.set(node, 'authorization-present');
      else if (site.verdict.kind === 'foreign') foreign.set(node, 'other-host');
      else if (site.verdict.kind === 'unproven') person.set(node, 'base-not-proven');
      else if (site.verdict.kind === 'unknown-route' || site.verdict.kind === 'dynamic-path') person.set(node, site.verdict.kind);
    }
    if (site.verdict.kind === 'foreign' && site.verdict.hasLogin !== true)
      for (const { node } of site.keys) foreign.set(node, 'other-host');
  }
  // What some request uses is reported with the request.
  const consumed = new Set(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));
  const moved = changesByPlace(changes.all.filter((change) => refusedFor(change) === undefined));
  const isBesideMoved = besideMoved(moved);
  const isLoose = (literal: Suspicious): boolean =>
    isOurAddress(literal.node, bases) || isBesideMoved(literal) || (moved.all.length > 0 && mentionsOurs(literal.node, bases));
  const stateOf = (node: Node): State => {
    const theirs = foreign.get(node);
    if (theirs !== undefined) return ['foreign', theirs];
    const open = person.get(node);
    return open === undefined ? ['foreign', 'no-call'] : ['person', open];
  };
  const entries: LedgerEntry[] = [];
  const findings: Finding[] = [];
  const report = (code: FindingCode, entry: LedgerEntry, literal: Literal, detail: Finding['detail'] = {}): void => {
    entries.push(entryFor(literal, ['person', code]));
    findings.push({ code, ...literalPlace(entry), detail });
  };
  for (const module of ev.world.modules.values()) {
    if (!isCandidate(module.file)) continue;
    const served = servedIn(ev, module);
    for (const literal of suspicious(module)) {
      const call = expensive.size === 0 ? undefined : callAround(literal.node, expensive);
      const entry = entryFor(literal, changedState(literal, changes, refusedFor) ?? stateOf(literal.node));
      if (entry.reason !== 'no-call') entries.push(entry);
      else if (served.has(literal.node)) entries.push({ ...entry, reason: 'own-server' });
      else if (consumed.has(literal.node)) entries.push(entry);
      else if (call !== undefined) report('too-complex', entry, literal, expensiveIn(ev, { node: call, module }));
      else if (moved.all.length > 0 && isRepeated(literal.node, module) && !isForeignAddress(literal.node, bases))
        report('repeats-path', entry, literal);
      else if (!isLoose(literal)) entries.push(entry);
      else report('unconsumed', entry, literal);
    }
  }
  if (changes.all.length > 0) findings.push(...[...ev.world.modules.values()].flatMap(oldTypes));
  return { entries, findings };
}

/** The call with a literal in it of which it was too much to find out whether it is a request. */
function callAround(node: Node, calls: ReadonlySet<Node>): Node | undefined {
  let at: Node | undefined = node;
  while (at !== undefined && !calls.has(at)) at = at.parent;
  return at;
}

function expensiveIn(ev: Evaluation, call: Place): Finding['detail'] {
  const { place = call } = ev.budget.question(call, () => ev.evaluate(call.node, { module: call.module, frame: undefined }));
  return { at: `${place.module.file}:${place.module.position(place.node.start).line}` };
}

const literalPlace = ({ file, start, end, line, column }: LedgerEntry): Omit<Finding, 'code' | 'detail'> => ({
  file,
  start,
  end,
  line,
  column,
});

/** A command or a message with an address of ours, that calls beside it are moved from. */
const mentionsOurs = (node: Node, bases: Bases): boolean =>
  node.kind === 'string' && bases.v1.some((base) => node.value.indexOf(`${base}/v1/`) > 0);

/** A whole address of ours, which nothing but our service has. */
function isOurAddress(node: Node, bases: Bases): boolean {
  if (node.kind !== 'string') return false;
  const match = matchUrl(node.value, bases);
  return match.kind === 'ours' && (match.route !== undefined || /^\/v1\/?$/.test(match.path));
}

const isForeignAddress = (node: Node, bases: Bases): boolean => node.kind === 'string' && matchUrl(node.value, bases).kind === 'foreign';

/** An unused path in a table of paths that are moved: its first use would send v2's header to v1. */
function besideMoved(moved: ChangesByPlace): (literal: Suspicious) => boolean {
  const known = new Map<Node, boolean>();
  return ({ node, module }) => {
    const table = node.parent?.kind === 'property' && isRoute(node) ? node.parent.parent : undefined;
    if (table?.kind !== 'object') return false;
    const isMoved =
      known.get(table) ??
      moved.at(module, table.start, table.end).some(({ what, start }) => what === 'path' && table.start <= start && start < table.end);
    known.set(table, isMoved);
    return isMoved;
  };
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
  readonly module: SourceModule;
}

/** They are asked for of the same modules more than once. */
const known = new WeakMap<SourceModule, readonly Suspicious[]>();

/** Header names and paths of v1, wherever they stand. */
export function suspicious(module: SourceModule): readonly Suspicious[] {
  const found = known.get(module) ?? suspiciousIn(module);
  known.set(module, found);
  return found;
}

const isHeader = ({ name }: { readonly name?: string }): boolean => name?.toLowerCase() === v1Auth.field;

function suspiciousIn(module: SourceModule): Suspicious[] {
  const { program } = module.tree;
  const literals = [
    ...nodesOfKind(program, 'string').filter(({ value }) => isSuspicious(value)),
    ...nodesOfKind(program, 'literal').filter(isOfRoute),
    ...nodesOfKind(program, 'template').filter(({ texts }) => texts.some(({ value }) => isSuspicious(value))),
  ];
  const names = [...nodesOfKind(program, 'property').filter(isHeader), ...nodesOfKind(program, 'patternProperty').filter(isHeader)];
  return [
    ...literals.map((node): Suspicious => ({ node, module, start: node.start, end: node.end })),
    ...names.map((node): Suspicious => ({ node, module, start: node.keyStart, end: node.keyEnd })),
  ].toSorted((one, other) => one.start - other.start);
}

/** A regular expression that a path of v1 fits. */
export function isOfRoute({ value }: LiteralNode): boolean {
  const pattern = typeof value === 'object' && value !== null ? value.pattern : '';
  return holdsRoute(pattern.replaceAll('\\/', '/').replace(/(?:\$|\\b)$/, ''));
}

/** In the middle of a text: of SQL, of a command, of a message. */
const mention = new RegExp(`(?:${routeHeads.join('|')}|(?<![\\w-])${v1Auth.field})(?![\\w-])`, 'i');

/** What neither is without. */
const mark = new RegExp(`/v1|${v1Auth.field}`, 'i');

const isSuspicious = (text: string): boolean => mark.test(text) && (holdsRoute(text) || mention.test(text));

/** Whether a text holds a path of v1, and not only the header's name. */
export const isRoute = (node: Node): boolean =>
  (node.kind === 'string' && holdsRoute(node.value)) || (node.kind === 'template' && node.texts.some(({ value }) => holdsRoute(value)));

const holdsRoute = (text: string): boolean => [...text.matchAll(/\/v1(?=\/|$)/g)].some(({ index }) => isPath(text.slice(index)));

const beginsAsRoute = new RegExp(`^(?:${routeHeads.join('|')})(?:/|$)`);

const isPath = (path: string): boolean =>
  path === '/v1' || path === '/v1/' || matchRoute(path, undefined).length > 0 || beginsAsRoute.test(path);
