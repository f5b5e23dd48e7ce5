/** Of whom a report speaks that somebody searched in. */
import type { UsageReader } from '../../usage/store/store.ts';
import { hashMark } from '../../usage/workspaces.ts';
import type { Client, Directory, Group } from '../clients.ts';

export interface Find {
  /** Is looked for in names, owners, contacts, notes, plans, keys, products, networks, and with a slash in endpoints; nothing is in all of them. */
  readonly search: string;
  /** The name of the one workspace, or unknown key, that it is of; of all where it is not given. */
  readonly workspace?: string | undefined;
}

export const findsAll = ({ search, workspace }: Find): boolean => search.trim() === '' && workspace === undefined;

/**
 * Leaves of a directory those who are found: all clients of a workspace that has the text itself, or of an unknown key that any of them has it of,
 * and otherwise those that have it.
 * @param directory of nobody else: of the workspaces that are found, it is what is left of them
 */
export async function foundIn(
  directory: Directory,
  { search, workspace }: Find,
  reader: Pick<UsageReader, 'callersOf'>,
): Promise<Directory> {
  const wanted = search.trim().toLowerCase();
  const has = (texts: readonly (string | null | undefined)[]): boolean => texts.some((text) => text?.toLowerCase().includes(wanted));
  const callers = wanted.includes('/') ? await reader.callersOf(({ endpoint }) => endpoint.toLowerCase().includes(wanted)) : new Set();
  const isIn = (group: Group | undefined): boolean => workspace === undefined || group?.name === workspace;
  const isFound = ([id, client]: readonly [number, Client]): boolean => callers.has(id) || has(textsOfClient(client));
  const isWhole = (group: Group): boolean => has(textsOfGroup(group)) || (group.origin === 'unknown' && group.callers.some(isFound));
  const whole = new Set(directory.groups.filter((group) => isIn(group) && isWhole(group)));

  const clients = new Map(
    [...directory.clients].filter(([id, client]) => {
      const group = client.key?.group;
      return isIn(group) && ((group !== undefined && whole.has(group)) || isFound([id, client]));
    }),
  );
  const found = new Set(clients.values());
  const groups = directory.groups.filter((group) => whole.has(group) || group.clients.some((client) => found.has(client)));
  const keys = groups.flatMap((group) => group.keys);
  for (const holder of [...groups, ...keys]) keep(holder.clients, (client) => found.has(client));
  for (const group of groups) {
    keep(group.callers, ([, client]) => found.has(client));
    keep(group.keys, (key) => key.clients.length > 0);
  }
  return { ...directory, clients, keys: groups.flatMap((group) => group.keys), groups };
}

function keep<Item>(items: Item[], isKept: (item: Item) => boolean): void {
  items.splice(0, items.length, ...items.filter(isKept));
}

const textsOfGroup = ({ name, workspace, keys }: Group): readonly (string | undefined)[] => [
  name,
  workspace?.owner,
  workspace?.contact,
  workspace?.note,
  workspace?.plan,
  workspace?.status?.status,
  ...keys.map(({ hash }) => hashMark + hash),
];

const textsOfClient = ({ caller, sources }: Pick<Client, 'caller' | 'sources'>): readonly (string | null)[] => [
  caller.client,
  caller.name,
  caller.keyPrefix,
  caller.keyHash,
  ...sources.map(({ network }) => network),
];
