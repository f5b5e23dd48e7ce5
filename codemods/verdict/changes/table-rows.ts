/** Rows of a table of paths that nobody here asks for: what a client looks up by a name that callers choose, it asks for as it asks for the others. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import { placesOf, type RequestSite } from '../request-sites.ts';
import { matchRoute } from '../bases/routes.ts';
import type { Change } from './spans.ts';

/**
 * @returns the sites; those that take their path out of a table by a name which is no text there also change the rows that no request was seen to use. Left
 * behind, these would be asked of v1 with what v2 is sent
 */
export function withTableRows(ev: Evaluation, sites: readonly RequestSite[]): readonly RequestSite[] {
  const used = new Set<Node>(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));
  return sites.map((site) => {
    const rows = site.request.isMock || site.verdict.kind !== 'ours' ? [] : rowsBeside(ev, site, used);
    return rows.length === 0 ? site : { ...site, changes: [...site.changes, ...rows] };
  });
}

function rowsBeside(ev: Evaluation, { request: { url = [] }, changes }: RequestSite, used: ReadonlySet<Node>): Change[] {
  return url.flatMap((part) => {
    if (!('text' in part) || part.source === undefined) return [];
    const { node, module, start } = part.source;
    const isMoved = changes.some(
      (change) => change.module === module && change.what === 'path' && node.start < change.start && change.end < node.end,
    );
    const table = isMoved
      ? tableOf(
          ev,
          node,
          nodesOf(part.provenance).map(({ node: step, module: by }) => ({ step, by })),
          module,
        )
      : undefined;
    return table === undefined
      ? []
      : rowsOf(table, node).flatMap((row) => changeOf(row, { used, node, module, offset: start - node.start }));
  });
}

function changeOf(
  row: Node | undefined,
  {
    used,
    node,
    module,
    offset,
  }: { readonly used: ReadonlySet<Node>; readonly node: Node; readonly module: SourceText; readonly offset: number },
): Change[] {
  if (row?.kind !== 'string' || row === node || used.has(row) || matchRoute(row.value, undefined).length === 0) return [];
  const version = row.start + offset;
  return module.text.startsWith('/v1/', version) ? [{ module, start: version + 1, end: version + 3, text: 'v2', what: 'path' }] : [];
}

interface Step {
  readonly step: Node;
  readonly by: SourceText;
}

/** The table that a row is looked up in by what no text says: in the code that asks, or in the file of the table. */
function tableOf(ev: Evaluation, row: Node, steps: readonly Step[], module: SourceText): Node | undefined {
  const around = new Set(tablesAround(row));
  const asked = steps.flatMap(({ step, by }) => {
    const held = heldIn(step);
    return held === undefined || !isScript(by) ? [] : literalsOf(ev, held, by);
  });
  return asked.find((each) => around.has(each)) ?? [...around].find((each) => isScript(module) && isLookedInto(each, module));
}

/** `paths` of `paths[name]` and `paths.get(name)` */
function heldIn(node: Node): Node | undefined {
  if (node.kind === 'member') return node.computed === undefined || isWritten(node.computed) ? undefined : node.object;
  const callee = node.kind === 'call' && node.callee.kind === 'member' && node.callee.property === 'get' ? node.callee : undefined;
  const [name] = node.kind === 'call' ? node.args : [];
  return callee === undefined || name === undefined || isWritten(name) ? undefined : callee.object;
}

const isWritten = ({ kind }: Node): boolean => kind === 'string' || kind === 'literal';

const literalsOf = (ev: Evaluation, node: Node, module: SourceModule): Node[] =>
  optionsOf(ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined })).value).flatMap((value) =>
    value.type === 'object' ? value.node : [],
  );

/** Objects and lists of pairs that a row stands in, innermost first. */
function tablesAround(row: Node): Node[] {
  const found: Node[] = [];
  for (let at = row.parent; at !== undefined && /^(?:object|property|array)$/.test(at.kind); at = at.parent)
    if (at.kind !== 'property') found.push(at);
  return found;
}

/** Whether a name that is no text is looked up in what has the table, in its file. */
function isLookedInto(table: Node, { scopes }: SourceModule): boolean {
  const { parent } = table;
  const holder = parent?.kind === 'call' && parent.isNew ? parent.parent : parent;
  if (holder?.kind !== 'variable' || holder.target.kind !== 'patternName') return false;
  const references = scopes.declaredBy(holder.target)?.references ?? [];
  return references.some((each) => [each.parent, each.parent?.parent].some((use) => use !== undefined && heldIn(use) === each));
}

/** What stands in the other rows of a table where a path stands in its own. */
function rowsOf(table: Node, path: Node): (Node | undefined)[] {
  const way: Node[] = [];
  for (let at: Node | undefined = path; at !== undefined && at !== table; at = at.parent) way.unshift(at);
  const [own, ...within] = way;
  const rows: readonly (Node | undefined)[] = table.kind === 'object' ? table.properties : table.kind === 'array' ? table.elements : [];
  return rows.map((row) => (row === own ? undefined : alongside(own, row, within)));
}

/** Goes from one row to where another leads to. */
function alongside(own: Node | undefined, row: Node | undefined, way: readonly Node[]): Node | undefined {
  let [at, other] = [own, row];
  for (const next of way) {
    other = childBeside(at, other, next);
    at = next;
  }
  return other;
}

function childBeside(at: Node | undefined, other: Node | undefined, next: Node): Node | undefined {
  if (at?.kind === 'property' && other?.kind === 'property') return at.value === next ? other.value : undefined;
  if (at?.kind === 'array' && other?.kind === 'array') return other.elements[at.elements.findIndex((each) => each === next)];
  if (at?.kind !== 'object' || other?.kind !== 'object' || next.kind !== 'property') return undefined;
  return other.properties.find((each) => each.kind === 'property' && each.name === next.name);
}
