/** Of whom a report speaks that somebody searched in. */
import type { UsageReader } from '../../usage/store/store.ts';
import { hashMark } from '../../usage/workspaces.ts';
import type { Client, Directory, Group } from '../clients.ts';
import type { WorkspaceMark } from '../model.ts';

export interface Find {
  /** Is looked for in names, owners, contacts, notes, plans, keys, products, networks, and with a slash in endpoints; nothing is in all of them. */
  readonly search: string;
  /** The name of the one workspace, or unknown key, that it is of; of all where it is not given. */
  readonly workspace?: string | undefined;
}

export const findsAll = ({ search, workspace }: Find): boolean => search.trim() === '' && workspace === undefined;

/**
 * Leaves of a directory those who are found: whole workspaces and unknown keys, where they or any client of theirs have the text, as of a part
 * of one nobody can say that it has stopped; and the clients without a key that have it.
 * @param markOf how things stand with each
 */
export async function foundIn(
  directory: Directory,
  { search, workspace }: Find,
  reader: Pick<UsageReader, 'callersOf'>,
  markOf: (group: Group) => WorkspaceMark | null,
): Promise<Directory> {
  const wanted = search.trim().toLowerCase();
  const has = (texts: readonly (string | null | undefined)[]): boolean => texts.some((text) => text?.toLowerCase().includes(wanted));
  const callers = wanted.includes('/') ? await reader.callersOf(({ endpoint }) => endpoint.toLowerCase().includes(wanted)) : new Set();
  const isIn = (group: Group | undefined): boolean => workspace === undefined || group?.name === workspace;
  const isFound = ([id, client]: readonly [number, Client]): boolean => callers.has(id) || has(textsOfClient(client));
  const groups = directory.groups.filter(
    (group) => isIn(group) && (has(textsOfGroup(group, markOf(group))) || group.callers.some(isFound)),
  );
  const whole = new Set(groups);
  const clients = new Map(
    [...directory.clients].filter(([id, client]) => {
      const group = client.key?.group;
      return group === undefined ? isIn(group) && isFound([id, client]) : whole.has(group);
    }),
  );
  return { ...directory, clients, keys: groups.flatMap((group) => group.keys), groups };
}

const textsOfGroup = ({ name, workspace, keys }: Group, mark: WorkspaceMark | null): readonly (string | null | undefined)[] => [
  name,
  workspace?.owner,
  workspace?.contact,
  workspace?.note,
  workspace?.plan,
  mark?.status,
  mark?.note,
  ...keys.map(({ hash }) => hashMark + hash),
];

const textsOfClient = ({ caller, sources }: Pick<Client, 'caller' | 'sources'>): readonly (string | null)[] => [
  caller.client,
  caller.name,
  caller.keyPrefix,
  caller.keyHash,
  ...sources.map(({ network }) => network),
];
