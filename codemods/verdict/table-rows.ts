/** Rows of a table of paths that nobody here asks for: what a client looks up by a name that callers choose, it asks for as it asks for the others. */
import { isScript } from '../evaluate/module.ts';
import { nodesOf } from '../evaluate/provenance.ts';
import type { SourceText } from '../evaluate/source-text.ts';
import { walk } from '../syntax/link.ts';
import type { Node, StringNode } from '../syntax/tree.ts';
import { matchRoute } from './routes.ts';
import { placesOf, type RequestSite } from './request-sites.ts';
import type { Change } from './spans.ts';

/**
 * @returns the sites; those that take their path out of a table by a name which is no text there also change the rows that no request was seen to use. Left
 * behind, these would be asked of v1 with what v2 is sent
 */
export function withTableRows(sites: readonly RequestSite[]): readonly RequestSite[] {
  const used = new Set<Node>(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));
  return sites.map((site) => {
    const rows = site.request.isMock || site.verdict.kind !== 'ours' ? [] : rowsBeside(site, used);
    return rows.length === 0 ? site : { ...site, changes: [...site.changes, ...rows] };
  });
}

function rowsBeside({ request: { url = [] }, changes }: RequestSite, used: ReadonlySet<Node>): Change[] {
  return url.flatMap((part) => {
    if (!('text' in part) || part.source === undefined) return [];
    const { node, module, start } = part.source;
    const isMoved = changes.some(
      (change) => change.module === module && change.what === 'path' && node.start < change.start && change.end < node.end,
    );
    const table = isMoved ? tableAround(node) : undefined;
    if (table === undefined || !(nodesOf(part.provenance).some((step) => isLookup(step.node)) || isLookedInto(table, module))) return [];
    return pathsIn(table).flatMap((row): Change[] => {
      if (used.has(row) || row === node) return [];
      const version = row.start + (start - node.start);
      return module.text.startsWith('/v1/', version) ? [{ module, start: version + 1, end: version + 3, text: 'v2', what: 'path' }] : [];
    });
  });
}

const isWritten = ({ kind }: Node): boolean => kind === 'string' || kind === 'literal';

/** `paths[name]`, `paths.get(name)` */
function isLookup(node: Node): boolean {
  if (node.kind === 'member') return node.computed !== undefined && !isWritten(node.computed);
  const [name] = node.kind === 'call' && node.callee.kind === 'member' && node.callee.property === 'get' ? node.args : [];
  return name !== undefined && !isWritten(name);
}

/** Whether a name that is no text is looked up in what has the table. */
function isLookedInto(table: Node, module: SourceText): boolean {
  const { parent } = table;
  const holder = parent?.kind === 'call' && parent.isNew ? parent.parent : parent;
  if (holder?.kind !== 'variable' || holder.target.kind !== 'patternName' || !isScript(module)) return false;
  const references = module.scopes.declaredBy(holder.target)?.references ?? [];
  return references.some(({ parent: use }) => {
    const call = use?.kind === 'member' && use.property === 'get' ? use.parent : use;
    return call !== undefined && isLookup(call);
  });
}

/** The object or list farthest out that a row stands in. */
function tableAround(row: Node): Node | undefined {
  let found: Node | undefined;
  for (let at = row.parent; at !== undefined && /^(?:object|property|array)$/.test(at.kind); at = at.parent)
    found = at.kind === 'property' ? found : at;
  return found;
}

function pathsIn(table: Node): StringNode[] {
  const found: StringNode[] = [];
  walk(table, (node) => {
    if (node.kind === 'string' && matchRoute(node.value, undefined).length > 0) found.push(node);
    return node === table || node.kind === 'object' || node.kind === 'array' || node.kind === 'property';
  });
  return found;
}
