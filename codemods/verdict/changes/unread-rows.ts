/**
 * Rows of a table of paths that nobody reads, where all that are read move: `Endpoint.ListMessages` of an enum, `routes.contacts.list` of an object. Left
 * behind, the first use of one would send v2's header to v1.
 */
import { aliasesOf } from '../../evaluate/names/aliases.ts';
import { placesOfWhole } from '../../evaluate/names/wholes.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { escaped } from '../../find/words/literals.ts';
import { once } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { EnumNode, Node, ObjectNode } from '../../syntax/tree.ts';
import { type Bases, matchRoute, matchUrl } from '../bases/routes.ts';
import { ignoredAt } from '../directive-comments.ts';
import { placesOf, type RequestSite } from '../request-sites.ts';
import type { Change } from './spans.ts';

type Table = EnumNode | ObjectNode;

interface Row {
  /** The names by which it is read. */
  readonly way: readonly string[];
  readonly node: Node;
}

/** @returns the sites; the first that takes its path out of such a table also changes the rows that nobody reads, as these are to bind no sites together */
export function withUnreadRows(ev: Evaluation, sites: readonly RequestSite[], bases: Bases): readonly RequestSite[] {
  const used = new Set<Node>(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));
  const moving = once(
    () => new Set(sites.flatMap(({ changes }) => changes.flatMap((each) => (each.what === 'path' ? placeOf(each) : [])))),
  );
  const seen = new Set<Table>();
  return sites.map((site) => {
    const rows = site.changes.flatMap(({ what, module, start, end }) => {
      if (what !== 'path' || !isScript(module)) return [];
      const table = tablesIn(module).find((each) => each.start < start && end < each.end);
      if (table === undefined || seen.has(table)) return [];
      seen.add(table);
      return unreadIn(ev.world, table, module, { used, moving: moving(), bases });
    });
    return rows.length === 0 ? site : { ...site, changes: [...site.changes, ...rows] };
  });
}

const placeOf = ({ module, start }: Pick<Change, 'module' | 'start'>): string => `${module.file} ${start}`;

const tablesIn = ({ tree: { program } }: SourceModule): readonly Table[] => [
  ...nodesOfKind(program, 'enum'),
  ...nodesOfKind(program, 'variable').flatMap((node) => (node.declares === 'const' ? (objectOf(node.init) ?? []) : [])),
];

/** `{ … }`, `Object.freeze({ … })` */
function objectOf(node: Node | undefined): ObjectNode | undefined {
  if (node?.kind !== 'call') return node?.kind === 'object' ? node : undefined;
  const { callee, args } = node;
  const isFrozen =
    callee.kind === 'member' && callee.property === 'freeze' && callee.object.kind === 'name' && callee.object.name === 'Object';
  return isFrozen ? objectOf(args[0]) : undefined;
}

/** What is known of all sites: the rows that requests use, and the places of the versions that are moved. */
interface Uses {
  readonly used: ReadonlySet<Node>;
  readonly moving: ReadonlySet<string>;
  readonly bases: Bases;
}

function unreadIn(world: World, table: Table, module: SourceModule, { used, moving, bases }: Uses): readonly Change[] {
  const binding = bindingOf(table, module);
  if (binding === undefined || isOffered(world, module)) return [];
  const read = waysRead(world, binding, module);
  const rows = rowsOf(table, []).flatMap((row) => {
    const version = versionOf(row.node, module, bases);
    return version === undefined
      ? []
      : { ...version, isRead: used.has(row.node) || isReadBy(read, row) || isWrittenOut(world, binding, row) };
  });
  const [asked, unread] = [rows.filter(({ isRead }) => isRead), rows.filter(({ isRead }) => !isRead)];
  if (!asked.every(({ change }) => moving.has(placeOf(change)))) return [];
  const begun = new Set(asked.map(({ behind }) => behind));
  return unread.flatMap(({ behind, change }) => (behind === undefined || begun.has(behind) ? change : []));
}

function bindingOf(table: Table, { scopes }: SourceModule): Binding | undefined {
  if (table.kind === 'enum') return scopes.declaredBy(table.name);
  const holder = table.parent?.kind === 'call' ? table.parent.parent : table.parent;
  return holder?.kind === 'variable' && holder.target.kind === 'patternName' ? scopes.declaredBy(holder.target) : undefined;
}

/** Whether those have it who import the package, by way of whatever files hand it on. */
function isOffered({ modules, isEntry, resolve }: World, module: SourceModule): boolean {
  const handing = new Set([module]);
  for (const each of handing) {
    if (each.exports.size > 0 && isEntry?.(each.file) === true) return true;
    for (const other of modules.values())
      if (nodesOfKind(other.tree.program, 'export').some(({ source }) => source !== undefined && resolve(other, source.value) === each))
        handing.add(other);
  }
  return false;
}

/** The names that are read of it, one behind the other; none where all of it is handed to something. */
const waysRead = (world: World, binding: Binding, module: SourceModule): readonly (readonly string[])[] => [
  ...[binding, ...aliasesOf(world, binding).map((alias) => alias.binding)].flatMap(({ references }) =>
    references.flatMap((each) => (isExport(each, module) ? [] : [wayOf(each)])),
  ),
  ...waysOfWhole(world, binding, module),
];

/** `export { routes }`, `module.exports = { routes }` */
const isExport = ({ parent }: Node, { whole }: SourceModule): boolean =>
  parent?.kind === 'export' || (parent?.kind === 'property' && parent.parent !== undefined && parent.parent === whole);

/** The same of all that its file exports: `import * as api from './routes'`. What is taken apart at once is known by the names that it gets there. */
const waysOfWhole = (world: World, { name }: Binding, module: SourceModule): readonly (readonly string[])[] =>
  (placesOfWhole(world, module) ?? []).flatMap(({ node }) => {
    const [exported, ...way] = wayOf(node);
    if (exported === undefined) return node.kind === 'call' && node.parent?.kind === 'variable' ? [] : [[]];
    return exported === name || module.exports.get(name) === undefined ? [way] : [];
  });

function wayOf(reference: Node): string[] {
  const way: string[] = [];
  let at: Node = reference;
  while (at.parent?.kind === 'member' && at.parent.object === at) {
    at = at.parent;
    const name: string | undefined =
      at.computed === undefined ? at.property : at.computed.kind === 'string' ? at.computed.value : undefined;
    if (name === undefined) break;
    way.push(name);
  }
  return way;
}

const isReadBy = (read: readonly (readonly string[])[], { way }: Row): boolean =>
  read.some((each) => each.every((name, i) => i >= way.length || name === way[i]));

/** `routes.contacts`, in what is read of a file only as far as it is asked for, and by way of all that a file exports: `api.routes.contacts`. */
function isWrittenOut({ modules }: World, { name }: Binding, { way }: Row): boolean {
  const written = new RegExp(String.raw`(?<![\w$])${[name, ...way].map(escaped).join(String.raw`\s*\??\.\s*`)}(?![\w$])`);
  return [...modules.values()].some(({ text }) => written.test(text));
}

function rowsOf(table: Table, way: readonly string[]): readonly Row[] {
  if (table.kind === 'enum') return table.members.flatMap(({ name, value }) => (value === undefined ? [] : { way: [name], node: value }));
  return table.properties.flatMap((each): readonly Row[] => {
    if (each.kind !== 'property' || each.name === undefined) return [];
    const [value, own] = [given(each.value), [...way, each.name]];
    return value?.kind === 'object' ? rowsOf(value, own) : value === undefined ? [] : [{ way: own, node: value }];
  });
}

/** What a function gives that does nothing else: `` (id) => `/v1/contacts/${id}` `` */
function given(node: Node): Node | undefined {
  if (node.kind !== 'function') return node;
  const [only, more] = node.body?.kind === 'block' ? node.body.body : [node.body];
  return more !== undefined ? undefined : only?.kind === 'return' ? only.argument : only;
}

/** Anything may stand there. */
const filled = 'x';

interface Version {
  readonly change: Change;
  /** The expression that stands before the path: `base` of `` `${base}/v1/contacts` ``. */
  readonly behind: string | undefined;
}

/** The version of a route of v1, below a base of ours or behind what is put before it. */
function versionOf(node: Node, module: SourceModule, bases: Bases): Version | undefined {
  const texts = node.kind === 'string' ? [node] : node.kind === 'template' ? node.texts : [];
  const [base] = node.kind === 'template' && texts[0]?.value === '' ? node.expressions : [];
  const [first, ...more] = base === undefined ? texts : texts.slice(1);
  if (first === undefined) return undefined;
  const text = [first, ...more].map(({ value }) => value).join(filled);
  const match = base === undefined ? matchUrl(text, bases) : undefined;
  const at = match?.kind === 'ours' ? match.versionStart : /^\/?v1\//.exec(text)?.[0].indexOf('v1');
  const start = (at ?? 0) + (node.kind === 'string' ? node.start + 1 : first.start);
  if (at === undefined || matchRoute(`/${text.slice(at)}`, undefined).length === 0) return undefined;
  if (!module.text.startsWith('v1/', start) || ignoredAt(module, node.start, node.end) !== undefined) return undefined;
  return {
    change: { module, start, end: start + 2, text: 'v2', what: 'path' },
    behind: base && module.text.slice(base.start, base.end),
  };
}
