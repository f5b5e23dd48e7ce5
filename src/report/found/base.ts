/** What the report of those who are found is made of: a directory of them alone, and a reader that reads nobody else. */
import type { Range } from '../../usage/model.ts';
import type { UsageReader } from '../../usage/store/store.ts';
import type { Directory } from '../clients.ts';
import { isLoggedOf, isNobodysLog, type OwnBase, readOutsiders } from '../own/base.ts';
import { nobodysLogs, ownReader, SharedReading } from '../own/reading.ts';
import { markFinder } from '../marks.ts';
import { type Find, foundIn } from './search.ts';

export interface FoundBase {
  readonly reader: UsageReader;
  readonly directory: Directory;
  /** Names of the workspaces and unknown keys. */
  readonly of: readonly string[];
  readonly search: string | undefined;
  readonly nobodysLogs: OwnBase['nobodysLogs'];
}

/**
 * @param history the time that others are read of who may be one of those who are found
 * @param now of whoever makes the report
 */
export async function foundBase(
  reader: UsageReader,
  directory: Directory,
  history: Range,
  { find, now }: { readonly find: Find; readonly now: number },
): Promise<FoundBase> {
  const shared = new SharedReading(reader);
  await readOutsiders(shared, directory, history);
  const found = await foundIn(directory, find, reader, markFinder(await reader.marks(), history.until, now));
  const names = new Set(found.groups.map(({ name }) => name));
  const hasUnknown = found.groups.some(({ origin }) => origin === 'unknown');
  const whose = {
    callers: new Set(found.clients.keys()),
    keyHashes: new Set(found.keys.map(({ hash }) => hash)),
    // What comparing found of unknown keys is not told apart.
    isOwnComparison: ({ workspace }: { readonly workspace: string | null }) => (workspace === null ? hasUnknown : names.has(workspace)),
    isOwnMark: () => true,
    isOwnLog: isLoggedOf(directory, found.groups),
    steps: <Steps>(steps: Steps): Steps => steps,
    logName: (name: string) => name,
  };
  return {
    reader: ownReader(shared, whose),
    directory: found,
    of: [...names],
    search: find.search.trim() || undefined,
    nobodysLogs: nobodysLogs(shared, whose, isNobodysLog(directory)),
  };
}
