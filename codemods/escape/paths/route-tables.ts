/**
 * Tables whose names are the routes that a parameter may be, as its type says: `function api(route: keyof typeof routes)`. Names of the table move with what is
 * given there, as neither is anything without the other.
 */
import { callsOf, forAllCallers } from '../../evaluate/calls/all-callers.ts';
import { optionsOf, plainText } from '../../evaluate/values/values.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { memoOf } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node, PropertyNode, StringNode } from '../../syntax/tree.ts';
import { type ChangesByPlace, changesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { keyOf } from '../../verdict/changes/groups.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { readersIn } from '../flow/readers.ts';
import { matchRoute } from '../../verdict/bases/routes.ts';
import type { Change } from '../../verdict/changes/spans.ts';

interface Table {
  readonly name: string;
  readonly module: SourceModule;
  readonly rows: readonly Row[];
}

interface Row {
  readonly module: SourceModule;
  readonly node: PropertyNode & { readonly name: string };
}

/** A text that is one of the names of a table, where it is a value. */
interface Given {
  readonly module: SourceModule;
  readonly node: StringNode;
}

/** `GET /v1/contacts/:id`, `/v1/contacts` */
const route = /^(?:([A-Z]+)[ :]\s*)?(\/v1(?:\/[\w/:{}.-]*)?)$/;

const isRoute = (text: string): boolean => {
  const [, method, path] = route.exec(text) ?? [];
  return path !== undefined && matchRoute(path, method).length > 0;
};

/** @returns the sites; those that ask for what is named in such a table also change its names, of which some may be asked for by nobody here */
export function withRouteTables(ev: Evaluation, sites: readonly RequestSite[]): readonly RequestSite[] {
  const tables = tablesIn(ev);
  if (tables.length === 0) return sites;
  const changes = changesByPlace(sites.flatMap((site) => (site.verdict.kind === 'ours' ? site.changes : [])));
  const added = new Map<string, Change[]>();
  const add = (by: readonly Change[], row: Row): void => {
    for (const key of new Set(by.map(keyOf))) added.set(key, [...(added.get(key) ?? []), changeOf(row)]);
  };
  for (const { rows } of tables) {
    const asked = rows.map((row) => ({ row, by: givenAs(ev, row.node.name).flatMap((given) => changeIn(given, changes)) }));
    const all = asked.flatMap(({ by }) => by);
    for (const { row, by } of asked) add(givenAs(ev, row.node.name).length === 0 ? all : by, row);
  }
  if (added.size === 0) return sites;
  return sites.map((site) => {
    const more = new Set(site.changes.flatMap((change) => added.get(keyOf(change)) ?? []));
    return more.size === 0 ? site : { ...site, changes: [...site.changes, ...more] };
  });
}

interface Place {
  readonly module: SourceModule;
  readonly node: Node;
}

interface Left {
  readonly module: SourceModule;
  readonly node: Node;
  readonly name: string;
  readonly change: Change;
}

/**
 * What is given as one of the names of such a table and stays: it is none of them any more once that has moved. So is what the table is asked for and nobody knows,
 * as the path of a request to the own server, which a guard then finds nothing for.
 */
export function leftOfTables(ev: Evaluation, changes: ChangesByPlace): readonly Left[] {
  return tablesIn(ev).flatMap((table) =>
    table.rows.flatMap((row): Left[] => {
      const own = keyOf(changeOf(row));
      const change = changes.at(row.module, row.node.keyStart, row.node.keyEnd).find((each) => keyOf(each) === own);
      if (change === undefined) return [];
      const staying = givenAs(ev, row.node.name).filter((each) => !isTest(each.module) && changeIn(each, changes).length === 0);
      return [
        ...staying.map((each) => ({ ...each, name: each.node.value, change })),
        ...askedOpenly(ev, table).map((each) => ({ ...each, name: table.name, change })),
      ];
    }),
  );
}

const openOf = new WeakMap<Table, readonly Place[]>();

/** Where a table is asked for what is not wholly known, or in a template, which is not followed. */
function askedOpenly(ev: Evaluation, table: Table): readonly Place[] {
  const binding = table.module.scopes.top(table.name);
  const found = openOf.get(table) ?? [
    ...(binding === undefined ? [] : readersIn(ev).of(binding, table.module)).flatMap(({ node, module }) => {
      const { parent } = node;
      const computed = parent?.kind === 'member' && parent.object === node ? parent.computed : undefined;
      return computed === undefined || !isScript(module) || isTest(module) || isKnown(ev, computed, table, module)
        ? []
        : [{ module, node }];
    }),
    ...[...ev.world.modules.values()].flatMap((module) =>
      isTemplate.test(module.file) && module.text.includes(table.name) ? [{ module, node: module.tree.program }] : [],
    ),
  ];
  openOf.set(table, found);
  return found;
}

const isTemplate = /\.(?:vue|svelte|astro)$/;

/** Whether all that a table is asked for is known where it stands, or by its type. */
function isKnown(ev: Evaluation, asked: Node, table: Table, module: SourceModule): boolean {
  const values = forAllCallers(ev, undefined, (frame) => ev.evaluate(asked, { module, frame }));
  return optionsOf(values).every((each) => plainText(each) !== undefined) || isTyped(ev, asked, table, module);
}

/** Whether a name is a parameter that may be nothing but a name of the table, by its type: nobody says so of something else, and all who are seen to call give such. */
function isTyped(ev: Evaluation, asked: Node, table: Table, module: SourceModule, depth = 0): boolean {
  const binding = asked.kind === 'name' ? module.scopes.bindingOf(asked) : undefined;
  const param = binding?.owner.kind === 'param' && binding.owner.target === binding.declaration ? binding.owner : undefined;
  if (param?.parent?.kind !== 'function' || depth > maxDepth) return false;
  const [, type] = typeOf.exec(module.text.slice(param.target.end, param.target.end + 100)) ?? [];
  const texts = [...ev.world.modules.values()].map(({ text }) => text);
  if (type === undefined || texts.some((text) => new RegExp(String.raw`\bas\s+${type}(?![\w$])`).test(text))) return false;
  const alias = new RegExp(String.raw`\btype\s+${type}\s*=\s*(keyof\s+typeof\s+[\w$]+)\s*[;\n]`);
  if (![type, ...texts.map((text) => alias.exec(text)?.[1] ?? '')].some((each) => takesNamesOf(table.name, each))) return false;
  const index = param.parent.params.indexOf(param);
  return callsOf(ev, param.parent).every(({ node: { args }, module: by }) => {
    const arg = args[index];
    if (arg === undefined || arg.kind === 'spread') return arg === undefined;
    return (
      optionsOf(ev.evaluate(arg, { module: by, frame: undefined })).every((each) => plainText(each) !== undefined) ||
      isTyped(ev, arg, table, by, depth + 1)
    );
  });
}

/** Behind the name of a parameter. */
const typeOf = /^\s*\??:\s*(keyof\s+typeof\s+[\w$]+|\w+)\s*[,)=]/;
const maxDepth = 8;

function changeOf({ module, node: { keyStart, keyEnd } }: Row): Change {
  const start = keyStart + module.text.slice(keyStart, keyEnd).indexOf('/v1') + 1;
  return { module, start, end: start + 2, text: 'v2', what: 'path' };
}

const changeIn = ({ module, node }: Given, changes: ChangesByPlace): readonly Change[] =>
  changes.at(module, node.start, node.end).filter(({ what, start, end }) => what === 'path' && node.start < start && end < node.end);

/** The routes among the names of each table of which a type takes the names. */
const tablesIn = memoOf((ev: Evaluation): readonly Table[] => {
  const modules = [...ev.world.modules.values()].filter((module) => isScript(module));
  const typing = modules.filter(({ text }) => text.includes('keyof typeof'));
  if (typing.length === 0) return [];
  return modules.flatMap((module) =>
    nodesOfKind(module.tree.program, 'object').flatMap((table): Table[] => {
      const { parent } = table;
      const name = parent?.kind === 'variable' && parent.init === table && parent.target.kind === 'patternName' ? parent.target.name : '';
      const rows = table.properties.flatMap((each): Row[] =>
        each.kind === 'property' && isNamed(each) && isRoute(each.name) ? [{ module, node: each }] : [],
      );
      const isTyping = (by: SourceModule): boolean => takesNamesOf(name, by.text) && (by === module || takes(ev, name, by, module));
      return rows.length > 0 && typing.some(isTyping) ? [{ name, module, rows }] : [];
    }),
  );
});

const isNamed = (node: PropertyNode): node is Row['node'] => node.name !== undefined && node.computed === undefined;

const takesNamesOf = (name: string, text: string): boolean =>
  name !== '' && new RegExp(String.raw`\bkeyof\s+typeof\s+${name.replaceAll('$', String.raw`\$`)}(?![\w$])`).test(text);

/** Whether a file imports it from another. */
function takes({ world }: Evaluation, name: string, by: SourceModule, from: SourceModule): boolean {
  const owner = by.scopes.top(name)?.owner;
  return owner?.kind === 'import' && world.resolve(by, owner.source.value) === from;
}

/** Where a text is given that is the name of a row, in whatever file. */
const givenIn = memoOf((ev: Evaluation): ReadonlyMap<string, readonly Given[]> => {
  const found = [...ev.world.modules.values()].flatMap((module) =>
    nodesOfKind(module.tree.program, 'string').flatMap((node): Given[] => (route.test(node.value) ? [{ module, node }] : [])),
  );
  return Map.groupBy(found, ({ node }) => node.value);
});

const givenAs = (ev: Evaluation, name: string): readonly Given[] => givenIn(ev).get(name) ?? [];
