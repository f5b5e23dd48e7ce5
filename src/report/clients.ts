/** Who is who in a report: recorded callers, the keys they use, and the workspaces these belong to. */
import { unlisted } from '../contract/endpoints.ts';
import { type Answered, type Ignored, ignoredCalls, type IgnoreRule } from '../usage/ignored.ts';
import { hashOfProduct } from '../usage/client-product.ts';
import { type Caller, otherCallers, type Range, type Source, sourcesOfCaller, type V1Kind } from '../usage/model.ts';
import { everything } from '../usage/store/plan.ts';
import type { UsageReader } from '../usage/store/store.ts';
import { type Workspace, workspaceOfCaller } from '../usage/workspaces.ts';
import type { WorkspaceRow } from './model.ts';
import { productIdentity, sameClients } from './same-clients.ts';
import { Tally, Uses } from './tally.ts';

/** When something called, whatever the period; in epoch milliseconds. */
export class Sighting {
  first = Infinity;
  last = -Infinity;

  add({ first, last }: { readonly first: number; readonly last: number }): void {
    this.first = Math.min(this.first, first);
    this.last = Math.max(this.last, last);
  }
}

export class Group {
  readonly name: string;
  readonly origin: WorkspaceRow['origin'];
  readonly workspace: Workspace | undefined;
  readonly tally = new Tally();
  readonly uses = new Uses();
  readonly seen = new Sighting();
  readonly clients: Client[] = [];
  /** By the ids of callers. */
  readonly callers: (readonly [id: number, client: Client])[] = [];
  readonly keys: Key[] = [];

  constructor(name: string, origin: WorkspaceRow['origin'], workspace?: Workspace) {
    this.name = name;
    this.origin = origin;
    this.workspace = workspace;
  }
}

export interface Key {
  readonly hash: string;
  readonly prefix: string;
  readonly group: Group;
  readonly tally: Tally;
  readonly seen: Sighting;
  readonly clients: Client[];
}

export interface Client {
  /** The first recorded one: a client that was labelled anew is several callers of the record. */
  readonly caller: Caller;
  /** Undefined without a key. */
  readonly key: Key | undefined;
  readonly ignored: Ignored;
  /** Whether v2, or v1 itself, ever accepted a call of it: one that was refused always loses nothing with v1. */
  readonly accepted: boolean;
  readonly sources: readonly Source[];
  /** What it is by, whatever its version: the hash of its name, which may be all that an older record has. */
  readonly product: string;
  /** How many callers of the record it is. */
  readonly callers: number;
  /** Every version of its product with this key and name, itself too: an update does not end the pauses of what was updated. */
  readonly versions: readonly Client[];
  readonly tally: Tally;
  readonly uses: Uses;
  readonly seen: Sighting;
  /** The longest recorded pause between two calls. */
  longestPause: number | undefined;
}

export interface Directory {
  /** By the ids of callers. */
  readonly clients: ReadonlyMap<number, Client>;
  readonly keys: readonly Key[];
  /** Also those that are configured and were never seen. */
  readonly groups: readonly Group[];
  /** Those whom a proxy had no more room to tell apart: anybody's. Ignored ones have no calls here. */
  readonly others: readonly Client[];
  /** Those of unknown keys, of whom each may be one of theirs under another key; they need not be in this directory. */
  readonly strangers: readonly Group[];
}

/**
 * Reads who was ever recorded, and says who they are by this configuration.
 * @param history the time whose calls tell which label of a key is the newest
 * @param secret of the hashes in the record
 */
export async function readDirectory(
  reader: Pick<UsageReader, 'callers' | 'callersOf' | 'sources' | 'seriesWithout' | 'totals' | 'hashSecret'>,
  workspaces: readonly Workspace[],
  rules: readonly IgnoreRule[],
  history: Range,
  secret = reader.hashSecret,
): Promise<Directory> {
  const sources = new Map<number, Source[]>();
  for await (const source of reader.sources()) {
    const known = sources.get(source.caller);
    if (known === undefined) sources.set(source.caller, [source]);
    else known.push(source);
  }
  const callers = (await reader.callers()).toSorted((a, b) => a.id - b.id);
  const keys = keyFinder(workspaces, await newestLabels(reader, callers, history));
  const ignoredOf = ignoredCalls(rules, hashOfProduct(secret));
  const productOf = productIdentity(secret);
  const isAcceptedClient = await acceptance(reader);
  const statuses = await readStatuses(reader, rules);
  const clients = new Map<number, Client>();
  const products = new Map<string, Client[]>();
  for (const { caller, same } of sameClients(callers, secret)) {
    const from = joined(same.flatMap(({ id }) => sources.get(id) ?? []));
    const answered: Answered = {
      statuses: new Set(same.flatMap(({ id }) => [...(statuses.get(id) ?? [])])),
      accepted: isAcceptedClient(same),
    };
    const ignored = ignoredOf(caller, from.length < sourcesOfCaller ? from.map(({ network }) => network) : undefined, answered);
    const key = ignored.all === undefined ? keys.find(caller) : undefined;
    const product = productOf(caller.client);
    const family = JSON.stringify([caller.keyHash, product, caller.name]);
    const versions = products.get(family) ?? [];
    const sums = { tally: new Tally(), uses: new Uses(), seen: new Sighting() };
    const longestPause = longestOf(same);
    const known = { caller, key, ignored, accepted: answered.accepted, sources: from, callers: same.length, product, versions };
    const client: Client = { ...known, ...sums, longestPause };
    products.set(family, versions);
    versions.push(client);
    key?.clients.push(client);
    key?.group.clients.push(client);
    for (const { id } of same) {
      clients.set(id, client);
      key?.group.callers.push([id, client]);
    }
  }
  for (const versions of products.values()) for (const client of versions) client.longestPause = longestOf(versions);
  const others = [...new Set(clients.values())].filter(({ caller }) => isOther(caller));
  const groups = keys.groups();
  return { clients, keys: keys.all(), groups, others, strangers: groups.filter(({ origin }) => origin === 'unknown') };
}

/** The statuses that each caller was ever answered with, after the end of the report too; it takes a look at every total, where rules ask for one. */
async function readStatuses(
  reader: Pick<UsageReader, 'totals'>,
  rules: readonly IgnoreRule[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const statuses = new Map<number, Set<number>>();
  if (rules.every(({ status }) => status === undefined)) return statuses;
  for await (const { caller, kind } of reader.totals(everything)) {
    const known = statuses.get(caller);
    if (known === undefined) statuses.set(caller, new Set([kind.status]));
    else known.add(kind.status);
  }
  return statuses;
}

/**
 * Whether v2, or v1 where that serves still, may have accepted a call: it was asked, and did not refuse the key. A proxy that was ending says
 * nothing of it. Of a path that it does not have, v1 may say so to anybody; and a brownout asks nobody, see `acceptance`.
 */
function isAccepted({ status, outcome, endpoint }: V1Kind): boolean {
  if (status === 401 || outcome === 'refused') return false;
  if (outcome === 'local') return status >= 500;
  return outcome === 'translated' || outcome === 'failed' || endpoint !== unlisted || status < 400 || status >= 500;
}

/** Whether any call of the callers that are one client may have been accepted. A key that brownouts alone have answered may be as good as any. */
async function acceptance(reader: Pick<UsageReader, 'callersOf'>): Promise<(callers: readonly Caller[]) => boolean> {
  const accepted = await reader.callersOf(isAccepted);
  const refused = await reader.callersOf(({ outcome }) => outcome === 'refused');
  const turnedAway = refused.size === 0 ? refused : await reader.callersOf(({ status }) => status === 401);
  return (callers) =>
    callers.some(({ id }) => accepted.has(id)) ||
    (callers.some(({ id, keyHash }) => keyHash !== null && refused.has(id)) && !callers.some(({ id }) => turnedAway.has(id)));
}

const isOther = ({ client, keyHash }: Caller): boolean => client === otherCallers && keyHash === null;

/** The longest pause of several, undefined where none has one. */
function longestOf(pausing: readonly { readonly longestPause: number | null | undefined }[]): number | undefined {
  const pauses = pausing.flatMap(({ longestPause }) => longestPause ?? []);
  return pauses.length === 0 ? undefined : Math.max(...pauses);
}

/** Each network once, the latest first. */
function joined(sources: readonly Source[]): readonly Source[] {
  const networks = new Map<string, Source>();
  for (const source of sources) {
    const known = networks.get(source.network) ?? source;
    networks.set(source.network, { ...source, first: Math.min(known.first, source.first), last: Math.max(known.last, source.last) });
  }
  return [...networks.values()].toSorted((a, b) => b.last - a.last);
}

/** The label of each key that has one: of several, that of its last call. */
async function newestLabels(
  reader: Pick<UsageReader, 'seriesWithout'>,
  callers: readonly Caller[],
  history: Range,
): Promise<ReadonlyMap<string, string>> {
  const labelled = callers.flatMap(({ id, keyHash, workspace }) =>
    keyHash === null || workspace === null ? [] : [{ id, keyHash, workspace }],
  );
  const labels = new Map(labelled.map(({ keyHash, workspace }) => [keyHash, workspace]));
  const renamed = new Set(labelled.filter(({ keyHash, workspace }) => labels.get(keyHash) !== workspace).map(({ keyHash }) => keyHash));
  if (renamed.size === 0) return labels;

  const contested = new Map(labelled.filter(({ keyHash }) => renamed.has(keyHash)).map((caller) => [caller.id, caller]));
  const latest = new Map<string, number>();
  for await (const points of reader.seriesWithout(history, 'day', [...contested.keys()], []))
    for (const { caller: id, last } of points) {
      const caller = contested.get(id);
      if (caller === undefined || last <= (latest.get(caller.keyHash) ?? 0)) continue;
      latest.set(caller.keyHash, last);
      labels.set(caller.keyHash, caller.workspace);
    }
  return labels;
}

function keyFinder(workspaces: readonly Workspace[], labels: ReadonlyMap<string, string>) {
  const workspaceOf = workspaceOfCaller(workspaces);
  const keys = new Map<string, Key>();
  const unknown: Group[] = [];
  const named = new Map(workspaces.map((workspace) => [workspace.name, new Group(workspace.name, 'configured', workspace)]));

  const groupOf = (hash: string, prefix: string): Group => {
    const name = workspaceOf({ keyHash: hash, keyPrefix: prefix })?.name ?? labels.get(hash);
    if (name === undefined) {
      const group = new Group(`${prefix}…${hash.slice(0, 8)}`, 'unknown');
      unknown.push(group);
      return group;
    }
    const known = named.get(name) ?? new Group(name, 'labelled');
    named.set(name, known);
    return known;
  };

  return {
    all: () => [...keys.values()],
    groups: () => [...unknown, ...named.values()],
    /** The key of a caller; undefined without one. */
    find({ keyHash, keyPrefix }: Caller): Key | undefined {
      if (keyHash === null || keyPrefix === null) return undefined;
      const known = keys.get(keyHash);
      if (known !== undefined) return known;
      const group = groupOf(keyHash, keyPrefix);
      const key: Key = { hash: keyHash, prefix: keyPrefix, group, tally: new Tally(), seen: new Sighting(), clients: [] };
      group.keys.push(key);
      keys.set(keyHash, key);
      return key;
    },
  };
}
