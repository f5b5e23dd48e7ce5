/**
 * Whether what is edited is used by anything but the requests that are proven: passed to code that was not read, compared, or
 * stored somewhere. Each place that has it has to be on the way to a request, or do nothing with it.
 */
import { v1Auth } from '../../src/contract/auth.ts';
import { hasServices } from '../clients/containers/moleculer-mixins.ts';
import { settingsWith } from '../clients/settings/convict.ts';
import { takenOfDefaults } from '../clients/settings/nconf.ts';
import { type Mutation, givenBy } from '../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { CallGraph } from '../requests/call-graph.ts';
import type { EscapeWay, FindingCode } from '../model.ts';
import { isWithin } from '../syntax/link.ts';
import type { Binding } from '../syntax/scopes.ts';
import type { Node } from '../syntax/tree.ts';
import { isOnlyShown } from './flow/harmless-calls.ts';
import { chosenFor, schemaApart, schemaBeside } from '../verdict/bases/choices.ts';
import { Flow } from './flow/flow.ts';
import { keyOf } from '../verdict/changes/groups.ts';
import { type DataflowQuery, dataflowQueryOf } from './flow/dataflow-query.ts';
import { editedAt } from './flow/edited-literals.ts';
import { propertyReads } from './flow/property-reads.ts';
import { type Readers, readersIn } from './flow/readers.ts';
import type { Place } from '../evaluate/budget.ts';
import { askedByConstants } from './headers/reads/asked-by-constants.ts';
import { askedWithAll } from './headers/reads/asked-with-all.ts';
import { givenByOthers, givenToTakers, type Holder } from './headers/hooks/put-into-given.ts';
import { hookedOfOthers } from './headers/hooks/hooks-of-others.ts';
import { functionsWithKeys } from './headers/hooks/functions-with-keys.ts';
import { isReadOfOthers } from './headers/reads/key-texts.ts';
import { headerReads } from './headers/reads/reads.ts';
import { readBesideHeader } from './headers/lists/values-beside-names.ts';
import type { Request } from '../requests/requests.ts';
import { askedOfErrors } from './paths/asked-of-errors.ts';
import { leftOfTables } from './paths/route-tables.ts';
import { textsWith } from './paths/version-numbers.ts';
import { isRouteOfPage } from './servers/page-routes.ts';
import { isNameInTable } from './servers/stand-in-tables.ts';
import { isTold } from './servers/told-addresses.ts';
import { type RequestSite, touchedBy } from '../verdict/request-sites.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { isOfStandIn } from '../verdict/bases/stand-ins.ts';
import type { ChangesByPlace } from '../verdict/changes/changes-by-place.ts';
import type { SharedEnd, VersionEnds } from '../verdict/changes/version-ends.ts';
import { type Change, isNameChange } from '../verdict/changes/spans.ts';

export interface Escape {
  readonly change: Change;
  readonly node: Node;
  readonly module: SourceModule;
  /** The name that is used. */
  readonly name: string;
  /** How it gets out, and where. */
  readonly way?: EscapeWay;
  readonly out?: Place;
  /** What it is reported as, where it is no use of the value itself. */
  readonly code?: FindingCode;
  /** The host that gets it instead of ours. */
  readonly host?: string;
  /** Where most was spent, if it was too much to find out whether something else uses it. */
  readonly expensive?: Place;
}

/** What has a literal that is handed to a library of settings, without a name that leads from one to the other. */
const takenApart = (ev: Evaluation, module: Change['module'], literal: Node): readonly Place[] =>
  isScript(module)
    ? [...takenOfDefaults(ev, module, literal), ...settingsWith(module, literal).map((node): Place => ({ node, module }))]
    : [];

/** @param sites all requests: what those of others share with ours has a finding of its own */
export function escapesOf(
  ev: Evaluation,
  found: CallGraph,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
  bases: Bases,
): Escape[] {
  if (changes.all.length === 0) return [];
  const query = dataflowQueryOf(ev, found, sites, changes, bases);
  const readers = readersIn(ev);
  const flow = new Flow(query, readers);
  // Names in the table of a test's own server are no values, and what a program is told goes to that alone.
  const isInTable = ({ call, module }: Request): boolean =>
    call.kind === 'property' || (isScript(module) && (isNameInTable(ev, call, module) || isTold(call, module)));
  const names = new Set(sites.filter(({ request }) => isOfStandIn(request) && isInTable(request)).flatMap(madeBy));
  const values = changes.all.filter((change) => !names.has(keyOf(change)));
  for (const change of values) {
    const literal = isScript(change.module) ? editedAt(change.module, change) : undefined;
    if (literal?.kind === 'literal' && isScript(change.module))
      for (const place of textsWith(ev, { node: literal, module: change.module })) flow.follow(place);
    // What a schema allows is compared with what it is given, which moves along.
    else if (literal !== undefined && chosenFor(literal) === undefined) flow.begin(literal, change);
    if (literal !== undefined) for (const place of takenApart(ev, change.module, literal)) flow.follow(place);
  }
  // What a service has as its settings, it reads of `this`, to which no name leads.
  if (hasServices(ev)) for (const place of propertyReads(ev).get('settings') ?? []) flow.follow(place);
  const holders = [...holdersOf(values), ...holdersByConstant(sites, changes)];
  const named = readersOf(readers, [...holders, ...givenToTakers(found, holders)]);
  for (const place of [...clientsSetBy(query, found, changes), ...named]) flow.follow(place);
  // What a call of somebody else's shares with ours is told there.
  const told = new Set(
    sites.filter(({ verdict: { kind } }) => kind === 'foreign' || kind === 'unproven').flatMap((site) => touchedBy(site, changes)),
  );
  const untold = flow.end().filter(({ host, change }) => host === undefined || !told.has(change));
  const leaks = untold.map((leak): Escape => ({ ...leak, name: nameOf(leak.node), ...(leak.host && { code: 'shared-with-other-host' }) }));
  const read = readBesideHeader(query, readers, sites, changes).map((place): Escape => ({
    ...place,
    name: nameOf(place.node),
    way: 'read',
  }));
  const lines = new Set(leaks.map(lineOf));
  const asked = [...askedByConstants(query, changes), ...askedWithAll(query, changes.all)]
    .filter((place) => !lines.has(lineOf(place)))
    .map((place): Escape => ({ ...place, name: nameOf(place.node), way: 'read' }));
  const given = givenByOthers(query, found, holders).map((place): Escape => ({ ...place, name: nameOf(place.node), way: 'given' }));
  // The router of a page has what it lists by its type, to which no name may lead.
  const pages = values.flatMap((change): Escape[] => {
    const edited = isScript(change.module) ? editedAt(change.module, change) : undefined;
    if (edited === undefined || !isScript(change.module) || !isRouteOfPage(edited, change.module)) return [];
    return [{ change, node: edited, module: change.module, name: '', way: 'used' }];
  });
  const lost = functionsWithKeys(query, readers, sites, changes).map((place): Escape => ({
    ...place,
    name: nameOf(place.node),
    way: 'given',
  }));
  const hooked = values.flatMap((change): Escape[] => {
    const edited = isScript(change.module) ? editedAt(change.module, change) : undefined;
    const place = edited && hookedOfOthers(ev, change, edited);
    return place === undefined ? [] : [{ change, ...place, name: nameOf(place.node), way: 'given' }];
  });
  return [
    ...leaks,
    ...askedOfErrors(query),
    ...leftOfTables(ev, changes).map((each): Escape => ({ ...each, way: 'used' })),
    ...asked,
    ...given,
    ...pages,
    ...hooked,
    ...read,
    ...lost,
    ...schemasOfOthers(ev, readers, values),
    ...readByInterceptors(ev, sites, changes),
  ];
}

const lineOf = ({ node, module }: Place): string => `${module.file} ${module.position(node.start).line}`;

const isAt = ({ end, module }: SharedEnd, place: Place): boolean =>
  module === place.module && [end.subject, end.literal].some((node) => isWithin(node, place.node));

/** Where the address of somebody else comes by what asks for the version of ours: it stays, and that is said once of each. */
export function withSharedEnds(found: readonly Escape[], { shared }: Pick<VersionEnds, 'shared'>): Escape[] {
  const ofHosts = shared.filter(({ other: { verdict } }) => verdict.kind === 'foreign');
  const untold = shared.filter((each) => ofHosts.includes(each) || !found.some((escape) => isAt(each, escape)));
  return [
    ...found.filter((escape) => !ofHosts.some((each) => isAt(each, escape))),
    ...untold.flatMap(({ end: { literal: node }, module, changes, other: { verdict } }) =>
      changes.map((change): Escape => {
        const about = { change, node, module, name: '' };
        return verdict.kind === 'foreign'
          ? { ...about, code: 'shared-with-other-host', host: verdict.host }
          : { ...about, way: 'compared' };
      }),
    ),
  ];
}

const madeBy = (site: RequestSite): string[] => site.changes.map(keyOf);

/** `version.default('v1')` of a schema that stands elsewhere as well: what that allows changes with the default. */
function schemasOfOthers({ world }: Evaluation, readers: Readers, values: readonly Change[]): Escape[] {
  return values.flatMap((change): Escape[] => {
    const apart = schemaApart(world, change);
    if (apart !== undefined) return [{ change, node: apart.name, module: apart.module, name: nameOf(apart.name), way: 'used' }];
    const { name, module } = schemaBeside(change) ?? {};
    const binding = name && module?.scopes.bindingOf(name);
    if (binding === undefined || module === undefined) return [];
    return readers
      .of(binding, module)
      .flatMap((other): Escape[] =>
        other.node === name || /^(?:export|import)/.test(other.node.parent?.kind ?? '')
          ? []
          : [{ change, ...other, name: nameOf(name ?? other.node), way: 'used' }],
      );
  });
}

/** Clients that are given an edited header or base by a statement of its own: `api.defaults.headers['x-api-key'] = key`. */
function clientsSetBy({ ev, carried, cut }: DataflowQuery, { mutations }: CallGraph, changes: ChangesByPlace): Place[] {
  const isEdited = ({ module, node }: Place): boolean =>
    changes.at(module, node.start, node.end).some((change) => node.start <= change.start && change.end <= node.end);
  const isGiven = (mutation: Mutation): boolean => {
    const before = cut.length;
    // What was not followed to its end may be given an edit, too.
    return givenBy(mutation).some((node) => carried({ node, module: mutation.module }).length > 0 || cut.length > before);
  };
  const set = new Set(
    [...mutations].flatMap(([origin, done]) => (done.some((mutation) => isEdited(mutation) || isGiven(mutation)) ? [origin] : [])),
  );
  if (set.size === 0) return [];
  return [...ev.world.modules.values()].flatMap((module) => module.calls.filter((node) => set.has(node)).map((node) => ({ node, module })));
}

/** What an edited header is put into by a statement of its own: `headers['x-api-key'] = key`, `headers.set('x-api-key', key)`. */
const holdersOf = (changes: readonly Change[]): Holder[] =>
  changes.flatMap((change) => {
    const { module } = change;
    const node = isScript(module) ? holderOf(editedAt(module, change)) : undefined;
    return node === undefined || !isScript(module) ? [] : [{ node, module, change }];
  });

/** … and by a constant: `headers[KEY_HEADER] = key`. */
const holdersByConstant = (sites: readonly RequestSite[], changes: ChangesByPlace): Holder[] =>
  sites.flatMap(({ keys }) =>
    keys.flatMap(({ node, module, key }): Holder[] => {
      const source = key?.source;
      const target = node.kind === 'assign' ? node.target : node.kind === 'call' ? node.callee : undefined;
      if (source === undefined || target?.kind !== 'member' || isWithin(node, source.node) || !isScript(module)) return [];
      const name = node.kind === 'assign' ? target.computed : node.kind === 'call' ? node.args[0] : undefined;
      if (name === undefined || !isOneName(name, module)) return [];
      const renamed = changes.at(source.module, source.start, source.start + (key?.text.length ?? 0)).filter(isNameChange);
      return renamed.map((change) => ({ node: target.object, module, change }));
    }),
  );

/** A name or a member that is not one of several in turn, as that of a loop is. */
function isOneName(node: Node, { scopes }: SourceModule): boolean {
  if (node.kind !== 'name') return node.kind === 'member';
  const owner = scopes.bindingOf(node)?.owner;
  return owner?.kind === 'import' || (owner?.kind === 'variable' && owner.each === undefined);
}

/** Whoever has what these name. Each once: a client may have a path at each of its calls. */
function readersOf(readers: Readers, places: readonly Place[]): Place[] {
  const names = new Map<Binding, SourceModule>();
  for (const { node, module } of places) {
    const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
    if (binding !== undefined) names.set(binding, module);
  }
  return [...names].flatMap(([binding, module]) => readers.of(binding, module));
}

function holderOf(literal: Node | undefined): Node | undefined {
  const around = literal?.parent;
  if (around?.kind === 'member' && around.computed === literal) return around.object;
  return around?.kind === 'call' && around.callee.kind === 'member' ? around.callee.object : undefined;
}

/** A call goes by the name of what it calls. */
function nameOf(node: Node): string {
  if (node.kind === 'name') return node.name;
  if (node.kind === 'member') return node.property ?? '';
  return node.kind === 'call' ? nameOf(node.callee) : '';
}

/** What an interceptor takes from the header by its old name would be missing, but where that is renamed, too, or only shown. */
function readByInterceptors(ev: Evaluation, sites: readonly RequestSite[], changes: ChangesByPlace): Escape[] {
  if (!changes.all.some(isNameChange)) return [];
  const byClient = Map.groupBy(sites, ({ request }) => request.client);
  const sent = new Map<string | undefined, readonly Change[]>();
  const sentBy = (client: string | undefined): readonly Change[] => {
    const known = sent.get(client) ?? namesSent(client === undefined ? sites : (byClient.get(client) ?? []), changes.all);
    sent.set(client, known);
    return known;
  };
  return [...ev.world.modules.values()].flatMap((module) =>
    headerReads(ev, module).flatMap(({ node, clients }) => {
      const isRenamed = changes
        .at(module, node.start, node.end)
        .some((change) => isNameChange(change) && node.start <= change.start && change.end <= node.end);
      if (clients.length === 0 || isRenamed || isOnlyShown(node, module) || isReadOfOthers(ev, node, module, sites)) return [];
      const names = new Set(clients.flatMap(({ library }) => sentBy(library)));
      return [...names].map((change) => ({ change, node, module, name: v1Auth.field, way: 'read' as const }));
    }),
  );
}

function namesSent(sites: readonly RequestSite[], changes: readonly Change[]): Change[] {
  const sent = new Set(sites.flatMap((site) => site.changes.map(keyOf)));
  return changes.filter((change) => isNameChange(change) && sent.has(keyOf(change)));
}
