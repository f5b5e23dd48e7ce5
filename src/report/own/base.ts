/**
 * What the report of some workspaces is made of: a directory that holds nobody else, a reader that reads nobody else, and no name of ours that may
 * be about others. So nothing of another customer can get into it, whatever is made of it.
 */
import type { Rollout } from '../../rollout/rules.ts';
import type { LogUse } from '../../usage/logs/model.ts';
import type { Range } from '../../usage/model.ts';
import { hashMark, type Workspace } from '../../usage/workspaces.ts';
import type { UsageReader } from '../../usage/store/store.ts';
import type { Client, Directory, Group } from '../clients.ts';
import { CountedCalls } from '../counted.ts';
import { Rhythm } from '../days.ts';
import { loggedGroup } from '../logs/read.ts';
import { nobodysLogs, type Own, ownReader, type SharedReading } from './reading.ts';
import { type OwnNames, ownRollout, ownSteps } from './road.ts';

export interface OwnBase {
  readonly reader: UsageReader;
  readonly directory: Directory;
  readonly workspaces: readonly Workspace[];
  readonly rollout: Rollout | undefined;
  /** What access logs tell of calls without a key: they may be theirs, and a verdict has to know when they were. */
  readonly nobodysLogs: (range: Range) => Promise<readonly LogUse[]>;
}

/** Whose calls are read: of all clients of a workspace, or of those alone that v2 ever accepted. Anybody can try keys that only look like theirs. */
export type OwnCalls = 'all' | 'accepted';

export function ownBase(
  shared: SharedReading,
  directory: Directory,
  groups: ReadonlySet<Group>,
  { rollout, names, calls }: { readonly rollout: Rollout | undefined; readonly names: OwnNames; readonly calls: OwnCalls },
): OwnBase {
  const own = ownDirectory(directory, groups, ({ accepted }) => calls === 'all' || accepted);
  const hashes = new Set(own.keys.map(({ hash }) => hash));
  const subjects = new Set([...own.groups.map(({ name }) => name), ...[...hashes].map((hash) => hashMark + hash)]);
  const known = new Set(own.groups.filter(({ origin }) => origin !== 'unknown').map(({ name }) => name));
  const road = rollout && ownRollout(rollout, groups, names);
  const whose: Own = {
    callers: new Set(own.clients.keys()),
    keyHashes: hashes,
    // What was found of unknown keys is not told apart.
    isOwnComparison: ({ workspace }) => workspace !== null && known.has(workspace),
    isOwnMark: ({ subject }) => subjects.has(subject),
    isOwnLog: isLoggedOf(directory, groups),
    steps: (steps) => ownSteps(steps, names, road),
    logName: names.log,
  };
  return {
    reader: ownReader(shared, whose),
    directory: own,
    workspaces: own.groups.flatMap(({ workspace }) => workspace ?? []),
    rollout: road,
    nobodysLogs: nobodysLogs(shared, whose, isNobodysLog(directory)),
  };
}

/** @returns whether a call in an access log is of one of them; their keys may be in no record */
export function isLoggedOf(directory: Directory, groups: Iterable<Group>): (use: LogUse) => boolean {
  const own = new Set([...groups].map(({ name }) => name));
  const groupOf = groupOfLogged(directory);
  return ({ caller }) => own.has(groupOf(caller) ?? '');
}

/** @returns whether nobody knows whose a call in an access log is */
export function isNobodysLog(directory: Directory): (use: LogUse) => boolean {
  const groupOf = groupOfLogged(directory);
  return ({ caller }) => groupOf(caller) === undefined;
}

const groupOfLogged = ({ keys, groups }: Directory): ReturnType<typeof loggedGroup> =>
  loggedGroup(
    keys,
    groups.flatMap(({ workspace }) => workspace ?? []),
  );

const ownDirectory = (directory: Directory, groups: ReadonlySet<Group>, isRead: (client: Client) => boolean): Directory => ({
  clients: new Map([...groups].flatMap(({ callers }) => callers.filter(([, client]) => isRead(client)))),
  keys: [...groups].flatMap(({ keys }) => keys.filter(({ clients }) => clients.some(isRead))),
  groups: [...groups],
  // A verdict has to know of those who may be theirs: when they called, and nothing else.
  others: directory.others,
  strangers: directory.strangers,
});

/** Reads when those were seen who may be of any workspace: clients that nobody told apart, and those of unknown keys. */
export async function readOutsiders(shared: SharedReading, { others, strangers, clients }: Directory, history: Range): Promise<void> {
  const unknown = strangers.flatMap((group) => group.clients);
  const wanted = new Set<Client>([...others, ...unknown]);
  const outsiders = new Map([...clients].filter(([, client]) => wanted.has(client)));
  if (outsiders.size === 0) return;
  const callers = new Set(outsiders.keys());
  const reader = ownReader(shared, {
    callers,
    keyHashes: new Set(),
    isOwnComparison: () => false,
    isOwnMark: () => false,
    isOwnLog: () => false,
    steps: () => [],
    logName: () => '',
  });
  const directory: Directory = { clients: outsiders, keys: [], groups: [], others: [], strangers: [] };
  const rhythm = new Rhythm();
  await (await CountedCalls.of(reader, directory, history)).read(history, 'day', (point, client) => rhythm.add(point, client));
  rhythm.end();
}
