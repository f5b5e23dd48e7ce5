/**
 * Whether what is edited is used by anything but the requests that are proven: handed to code that was not read, compared, or
 * stored somewhere. Each place that has it has to be on the way to a request, or do nothing with it.
 */
import { v1Auth } from '../../src/contract/auth.ts';
import { type Deed, givenBy } from '../evaluate/client-rule.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { Survey } from '../requests/call-graph.ts';
import type { Value } from '../evaluate/values.ts';
import { walk } from '../syntax/link.ts';
import type { Node } from '../syntax/tree.ts';
import { isShown } from './harmless-calls.ts';
import { Flow } from './flow.ts';
import { keyOf } from '../verdict/groups.ts';
import { type Look, lookAt } from './dataflow-query.ts';
import { type Place, type Readers, readersIn } from './readers.ts';
import { headerReads } from './reads.ts';
import type { Site } from '../verdict/request-sites.ts';
import type { Change } from '../verdict/spans.ts';

export interface Escape {
  readonly change: Change;
  readonly node: Node;
  readonly module: SourceModule;
  /** The name that is used. */
  readonly name: string;
}

/** @param sites all requests: what those of others share with ours is told as such */
export function escapesOf(ev: Evaluation, found: Survey, sites: readonly Site[], changes: readonly Change[]): Escape[] {
  if (changes.length === 0) return [];
  const look = lookAt(ev, found, sites, changes);
  const readers = readersIn(ev);
  const flow = new Flow(look, readers);
  for (const change of changes) {
    const literal = isScript(change.module) ? literalAt(change.module, change.start) : undefined;
    if (literal !== undefined) flow.begin(literal, change);
  }
  for (const place of [...clientsSetBy(look, found, changes), ...holdersSetBy(readers, changes)]) flow.follow(place);
  const leaks = flow.end().map((leak) => ({ ...leak, name: nameOf(leak.node) }));
  return [...leaks, ...readByInterceptors(ev, sites, changes)];
}

/** Clients that are given an edited header or base by a statement of its own: `api.defaults.headers['x-api-key'] = key`. */
function clientsSetBy({ ev, carried }: Look, { deeds }: Survey, changes: readonly Change[]): Place[] {
  const isEdited = ({ module, node }: Place): boolean =>
    changes.some((change) => change.module === module && node.start <= change.start && change.end <= node.end);
  const isGiven = (deed: Deed): boolean => givenBy(deed).some((node) => carried({ node, module: deed.module }).length > 0);
  const set = new Set([...deeds].flatMap(([origin, done]) => (done.some((deed) => isEdited(deed) || isGiven(deed)) ? [origin] : [])));
  if (set.size === 0) return [];
  return [...ev.world.modules.values()].flatMap((module) => module.calls.filter((node) => set.has(node)).map((node) => ({ node, module })));
}

/** Whoever has what an edited header is put into by a statement of its own: `headers['x-api-key'] = key`, `headers.set('x-api-key', key)`. */
function holdersSetBy(readers: Readers, changes: readonly Change[]): Place[] {
  return changes.flatMap(({ module, start }) => {
    if (!isScript(module)) return [];
    const holder = holderOf(literalAt(module, start));
    const binding = holder?.kind === 'name' ? module.scopes.bindingOf(holder) : undefined;
    return binding === undefined ? [] : readers.of(binding, module);
  });
}

function holderOf(literal: Node | undefined): Node | undefined {
  const around = literal?.parent;
  if (around?.kind === 'member' && around.computed === literal) return around.object;
  return around?.kind === 'call' && around.callee.kind === 'member' ? around.callee.object : undefined;
}

/** The literal, or the property by its name, that an edit is in. */
function literalAt(module: SourceModule, start: number): Node | undefined {
  let found: Node | undefined;
  walk(module.tree.program, (node) => {
    if (node.start > start || node.end < start) return false;
    if (node.kind === 'string' || node.kind === 'template' || node.kind === 'property') found = node;
    return true;
  });
  return found;
}

/** A call goes by the name of what it calls. */
function nameOf(node: Node): string {
  if (node.kind === 'name') return node.name;
  if (node.kind === 'member') return node.property ?? '';
  return node.kind === 'call' ? nameOf(node.callee) : '';
}

/** What an interceptor takes from the header by its old name would be missing, but where that is renamed, too, or only shown. */
function readByInterceptors(ev: Evaluation, sites: readonly Site[], changes: readonly Change[]): Escape[] {
  const names = changes.filter(({ what }) => what === 'header name');
  if (names.length === 0) return [];
  return [...ev.world.modules.values()].flatMap((module) =>
    headerReads(ev, module).flatMap(({ node, clients }) => {
      const isRenamed = names.some((change) => change.module === module && node.start <= change.start && change.end <= node.end);
      if (clients.length === 0 || isRenamed || isShown(node)) return [];
      const asked = new Set(clients.map((client) => clientOf(ev, client)));
      const sent = new Set(sites.filter(({ request }) => asked.has(request.client)).flatMap((site) => site.changes.map(keyOf)));
      return names.filter((change) => sent.has(keyOf(change))).map((change) => ({ change, node, module, name: v1Auth.field }));
    }),
  );
}

function clientOf(ev: Evaluation, value: Value): string | undefined {
  if (value.type === 'http') return value.client;
  return value.type === 'external' ? ev.rules.find(({ modules }) => modules?.includes(value.source))?.name : undefined;
}
