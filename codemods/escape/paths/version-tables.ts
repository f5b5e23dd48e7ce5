/**
 * Tables that have v2 beside v1, as `enum ApiVersion { V1 = 'v1', V2 = 'v2' }`: what calls read of them moves to the entry for v2, and the table
 * stays as it is.
 */
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { isOneWay, nodesOf } from '../../evaluate/values/provenance.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { writesOf } from '../../evaluate/writes/property-writes.ts';
import { optionsOf, type TextPart } from '../../evaluate/values/values.ts';
import type { Finding } from '../../model.ts';
import type { Expression, MemberNode, Node } from '../../syntax/tree.ts';
import { movedText } from '../../verdict/bases/choices.ts';
import { keyOf } from '../../verdict/changes/groups.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import type { Problem } from '../problems.ts';

export interface VersionTables {
  /** What is edited in the place of changes to such a table, by their keys. */
  readonly instead: ReadonlyMap<string, readonly Change[]>;
  /** Changes to one that is not read by its names: these cannot be made anywhere. */
  readonly problems: readonly (readonly Problem[])[];
  /** Addresses that nobody reads any more once a change is made, each with what is edited in its place. */
  readonly unread: readonly { readonly finding: Finding; readonly edit: Change }[];
}

export function versionTables(ev: Evaluation, sites: readonly RequestSite[]): VersionTables {
  const instead = new Map<string, Change[]>();
  const problems: Problem[] = [];
  const unread = new Map<Node, VersionTables['unread'][number]>();
  for (const site of sites)
    for (const part of site.verdict.kind === 'ours' ? (site.request.url ?? []) : []) {
      const found = 'text' in part ? entriesOf(part, site.changes) : undefined;
      if (found === undefined) continue;
      const { changes, own, other, module } = found;
      const reading = readingOf(part, own.name);
      // What may be of another table as well is none of it.
      if (reading !== undefined && (!isOfOne(ev, reading) || writesOf(ev.world, other.name).length > 0)) continue;
      for (const change of changes) {
        if (reading === undefined) problems.push({ code: 'base-split', node: own.value, module, detail: { name: own.name }, change });
        else {
          const { propertyStart: start, propertyEnd: end } = reading.node;
          const edit = { module: reading.module, start, end, text: other.name, what: change.what };
          instead.set(keyOf(change), [...(instead.get(keyOf(change)) ?? []), edit]);
          const { value } = own;
          if (module.text.slice(value.start, value.end).includes('://'))
            unread.set(value, { finding: { code: 'unconsumed', file: module.file, ...placeIn(module, value), detail: {} }, edit });
        }
      }
    }
  return { instead, problems: [...Map.groupBy(problems, ({ node }) => node).values()], unread: [...unread.values()] };
}

const placeIn = ({ position }: SourceModule, { start, end }: Node) => ({ start, end, ...position(start) });

interface TableEntry {
  readonly name: string;
  readonly value: Expression;
}

/** Of a text that changes in a table, its entry and the one that already says what it would become. */
function entriesOf({ source }: TextPart, all: readonly Change[]) {
  if (source === undefined || !isScript(source.module)) return undefined;
  const { node, module } = source;
  const entries = tableOf(node.parent);
  const own = entries.find(({ value }) => value === node);
  const changes = all.filter((change) => change.module === module && node.start <= change.start && change.end <= node.end);
  if (own === undefined || changes.length === 0) return undefined;
  const textOf = ({ start, end }: Node): string => module.text.slice(start, end);
  const moved = movedText(textOf(node), node.start, changes);
  const other = entries.find(({ value }) => value !== node && textOf(value) === moved);
  return other === undefined ? undefined : { changes, own, other, module };
}

function tableOf(parent: Node | undefined): readonly TableEntry[] {
  if (parent?.kind === 'enum') return parent.members.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
  const object = parent?.kind === 'property' ? parent.parent : undefined;
  return object?.kind !== 'object'
    ? []
    : object.properties.flatMap((each) =>
        each.kind === 'property' && each.name !== undefined && /^[\w$]+$/.test(each.name) ? [{ name: each.name, value: each.value }] : [],
      );
}

/** `ApiVersion.V1`: the oldest such reading that a text came by. */
function readingOf({ provenance }: RequestPart, name: string): { readonly node: MemberNode; readonly module: SourceModule } | undefined {
  if (!isOneWay(provenance)) return undefined;
  const found = nodesOf(provenance).flatMap(({ node, module }) =>
    node.kind === 'member' && node.property === name && node.computed === undefined ? [{ node, module }] : [],
  );
  return found.at(-1);
}

/** Whether it is read of one object alone, by the name that this is declared or imported by. */
function isOfOne(ev: Evaluation, { node, module }: NonNullable<ReturnType<typeof readingOf>>): boolean {
  const { object } = node;
  if (object.kind !== 'name') return false;
  const owner = module.scopes.bindingOf(object)?.owner;
  const isDeclared = owner?.kind === 'import' || owner?.kind === 'enum' || (owner?.kind === 'variable' && owner.declares === 'const');
  const isTyped = new RegExp(`:\\s*${object.name}\\.${node.property}\\b`).test(module.text);
  return isDeclared && !isTyped && optionsOf(ev.evaluate(object, { module, frame: undefined })).length === 1;
}

type RequestPart = NonNullable<RequestSite['request']['url']>[number];
