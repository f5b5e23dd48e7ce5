/** From what a store keeps of access logs to the rows of the report, and to what a verdict has to know of them. */
import { type Answered, ignoredCalls, type IgnoreRule } from '../../usage/ignored.ts';
import type { LogCaller, LogSource, LogUse } from '../../usage/logs/model.ts';
import { holesOf } from '../../usage/logs/stretches.ts';
import { wasServed } from '../../usage/logs/v1-calls.ts';
import type { Range } from '../../usage/model.ts';
import type { UsageReader } from '../../usage/store/store.ts';
import { type Workspace, workspaceOfCaller } from '../../usage/workspaces.ts';
import type { Directory } from '../clients.ts';
import { iso } from '../period.ts';
import { successorOf } from '../tally.ts';
import type { LogClientRow, LogEndpointRow, LogSourceRow, LogWorkspaceRow, WorkspaceLogged } from './model.ts';

const mostClients = 50;

/** Calls of one workspace, or of nobody known, in one source: none of them was refused, or is ignored. */
export interface LoggedCalls {
  readonly source: string;
  /** Undefined where the log tells no key, or one that nobody knows. */
  readonly workspace: string | undefined;
  readonly clients: number;
  /** On the days of the period. */
  readonly calls: number;
  readonly last: number;
}

export interface Logs {
  readonly rows: readonly LogSourceRow[];
  readonly calls: readonly LoggedCalls[];
  /** Over which stretches each of them reaches. */
  readonly reach: ReadonlyMap<string, readonly Range[]>;
}

/** One client of one source. */
interface LogClient {
  readonly source: string;
  readonly caller: LogCaller;
  readonly workspace: string | undefined;
  /** Without ignored ones. */
  readonly uses: readonly LogUse[];
  /** Ignored calls. */
  readonly ignored: number;
}

interface Settings {
  readonly workspaces: readonly Workspace[];
  readonly ignore: readonly IgnoreRule[];
  /** Whether nothing is known of what came after the period. */
  readonly asOfThen?: boolean;
}

/**
 * @param nobodys uses of nobody known, where the reader leaves them out: a verdict knows of them, and no row does
 * @returns undefined where no log was ever imported
 */
export async function readLogs(
  reader: Pick<UsageReader, 'logSources' | 'logUses'>,
  { keys }: Directory,
  { workspaces, ignore, asOfThen = false }: Settings,
  period: Range,
  nobodys?: (range: Range) => Promise<readonly LogUse[]>,
): Promise<Logs | undefined> {
  const sources = await reader.logSources();
  if (sources.length === 0) return undefined;
  const groupOf = loggedGroup(keys, workspaces);
  const nameOf = (caller: LogCaller): string | undefined =>
    caller.keyHash === null ? undefined : (groupOf(caller) ?? `${caller.keyPrefix}…${caller.keyHash.slice(0, 8)}`);
  const until = asOfThen ? period.until : Infinity;
  const ignoredOf = ignoredTest(ignore);
  const clientsOf = (uses: readonly LogUse[]): readonly LogClient[] => readClients(known(uses, until), nameOf, ignoredOf);
  const clients = Map.groupBy(clientsOf(await reader.logUses(period)), ({ source }) => source);
  const hidden = nobodys === undefined ? [] : clientsOf(await nobodys(period));
  return {
    rows: sources.map((source) => sourceRow(source, clients.get(source.name) ?? [])),
    calls: sources.flatMap(({ name }) =>
      loggedCalls(name, [...(clients.get(name) ?? []), ...hidden.filter(({ source }) => source === name)], groupOf),
    ),
    reach: new Map(sources.map(({ name, stretches }) => [name, stretches])),
  };
}

/**
 * Whose a key in an access log is: a proxy may have seen it, or the configuration alone knows it.
 * @returns gives the name of the workspace or unknown key that has a row in the report; undefined where there is none
 */
export function loggedGroup(keys: Directory['keys'], workspaces: readonly Workspace[]): (caller: LogCaller) => string | undefined {
  const groups = new Map(keys.map(({ hash, group }) => [hash, group.name]));
  const workspaceOf = workspaceOfCaller(workspaces);
  return (caller) => (caller.keyHash === null ? undefined : (groups.get(caller.keyHash) ?? workspaceOf(caller)?.name));
}

/** Uses of those whom a reader has that were served, without ignored ones. */
export async function readServed(
  reader: Pick<UsageReader, 'logUses'>,
  { keys }: Directory,
  { workspaces, ignore }: Settings,
  range: Range,
): Promise<readonly LogUse[]> {
  const clients = readClients(await reader.logUses(range), loggedGroup(keys, workspaces), ignoredTest(ignore));
  return clients.flatMap(({ uses }) => uses.filter(({ kind }) => wasServed(kind)));
}

/** What was known at an instant. */
const known = (uses: readonly LogUse[], until: number): readonly LogUse[] =>
  until === Infinity ? uses : uses.filter(({ first }) => first <= until).map((use) => ({ ...use, last: Math.min(use.last, until) }));

function readClients(
  all: readonly LogUse[],
  nameOf: (caller: LogCaller) => string | undefined,
  isIgnored: (use: LogUse, all: readonly LogUse[]) => boolean,
): readonly LogClient[] {
  const clients = Map.groupBy(all, ({ source, caller: { client, network, keyHash } }) =>
    JSON.stringify([source, client, network, keyHash]),
  );
  return [...clients.values()].flatMap((own) =>
    own.slice(0, 1).map(({ source, caller }) => {
      const [ignored, uses] = [own.filter((use) => isIgnored(use, own)), own.filter((use) => !isIgnored(use, own))];
      return { source, caller, workspace: nameOf(caller), uses, ignored: sum(ignored) };
    }),
  );
}

/** Whether the configuration says to ignore a use; a network that the log does not tell lies in none. */
function ignoredTest(rules: readonly IgnoreRule[]): (use: LogUse, all: readonly LogUse[]) => boolean {
  if (rules.length === 0) return () => false;
  const ignoredOf = ignoredCalls(rules);
  return ({ caller, kind }, all) => {
    const answered: Answered = { statuses: new Set(all.map((use) => use.kind.status)), accepted: all.some((use) => wasServed(use.kind)) };
    const networks = caller.network === '' ? undefined : [caller.network];
    const ignored = ignoredOf({ ...caller, id: 0, workspace: null, name: null }, networks, answered);
    return ignored.all !== undefined || ignored.endpoints.has(kind.endpoint);
  };
}

function loggedCalls(
  source: string,
  clients: readonly LogClient[],
  groupOf: (caller: LogCaller) => string | undefined,
): readonly LoggedCalls[] {
  const serving = clients
    .map((client) => ({ ...client, uses: client.uses.filter(({ kind }) => wasServed(kind)) }))
    .filter(({ uses }) => uses.length > 0);
  return [...Map.groupBy(serving, ({ caller }) => groupOf(caller))].map(([workspace, own]) => {
    const uses = own.flatMap((client) => client.uses);
    return { source, workspace, clients: own.length, calls: sum(uses), last: latest(uses) };
  });
}

/** What logs tell of a workspace. */
export function loggedOf(logs: Logs | undefined, name: string): WorkspaceLogged | undefined {
  const own = (logs?.calls ?? []).filter(({ workspace }) => workspace === name);
  if (own.length === 0) return undefined;
  return {
    calls: own.reduce((calls, each) => calls + each.calls, 0),
    last: iso(own.reduce((last, each) => Math.max(last, each.last), 0)),
    sources: own.map(({ source }) => source),
  };
}

const sum = (uses: readonly LogUse[]): number => uses.reduce((calls, use) => calls + use.calls, 0);
const latest = (uses: readonly LogUse[]): number => uses.reduce((last, use) => Math.max(last, use.last), 0);
const refusedIn = (uses: readonly LogUse[]): number => sum(uses.filter(({ kind }) => !wasServed(kind)));

function sourceRow(source: LogSource, all: readonly LogClient[]): LogSourceRow {
  const clients = all.filter(({ uses }) => uses.length > 0);
  const uses = clients.flatMap((client) => client.uses);
  const served = uses.filter(({ kind }) => wasServed(kind));
  const { stretches } = source;
  const [first, last] = [stretches[0], stretches.at(-1)];
  return {
    name: source.name,
    format: source.format,
    imported: iso(source.imported),
    first: first === undefined ? null : iso(first.since),
    last: last === undefined ? null : iso(last.until),
    holes: holesOf(stretches).map(({ since, until }) => ({ since: iso(since), until: iso(until) })),
    files: source.files,
    lines: source.lines,
    unread: source.unread,
    calls: sum(uses),
    refused: refusedIn(uses),
    ignored: all.reduce((calls, client) => calls + client.ignored, 0),
    lastCall: served.length === 0 ? null : iso(latest(served)),
    clients: clients.length,
    endpoints: endpointRows(uses),
    workspaces: workspaceRows(clients),
    busiest: clients.map(clientRow).toSorted(byCalls).slice(0, mostClients),
  };
}

const byCalls = (a: { readonly calls: number; readonly last: string }, b: { readonly calls: number; readonly last: string }): number =>
  b.calls - a.calls || b.last.localeCompare(a.last);

const endpointRows = (uses: readonly LogUse[]): readonly LogEndpointRow[] =>
  [...Map.groupBy(uses, ({ kind }) => kind.endpoint)]
    .map(([endpoint, own]) => ({ endpoint, successor: successorOf(endpoint), calls: sum(own), last: iso(latest(own)) }))
    .toSorted(byCalls);

const workspaceRows = (clients: readonly LogClient[]): readonly LogWorkspaceRow[] =>
  [...Map.groupBy(clients, ({ workspace }) => workspace)]
    .flatMap(([name, own]) => {
      const uses = own.flatMap((client) => client.uses);
      return name === undefined ? [] : [{ name, calls: sum(uses), last: iso(latest(uses)) }];
    })
    .toSorted((a, b) => b.last.localeCompare(a.last));

const clientRow = ({ caller, workspace, uses }: LogClient): LogClientRow => ({
  product: caller.client,
  network: caller.network === '' ? null : caller.network,
  workspace: workspace ?? null,
  keyPrefix: caller.keyPrefix,
  keyHash: caller.keyHash,
  calls: sum(uses),
  refused: refusedIn(uses),
  last: iso(latest(uses)),
});
