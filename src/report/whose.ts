/** Of whom a report speaks, where it is not of all: workspaces and unknown keys by name, and all that an owner has. */
import { ConfigError } from '../config/errors.ts';
import { nearNames } from '../config/suggest.ts';
import { plain } from '../text/escape.ts';
import { or } from '../text/list.ts';
import { hashMark } from '../usage/workspaces.ts';
import type { Group } from './clients.ts';

export interface Whose {
  readonly workspaces: readonly string[];
  readonly owners: readonly string[];
}

export const isEverybody = ({ workspaces, owners }: Whose): boolean => workspaces.length === 0 && owners.length === 0;

/**
 * What a name means: a workspace, or a key by its hash or by what the report calls it.
 * @param key of the setting that has the name, for the message
 * @throws ConfigError that lists near names, where it means nothing
 */
export function groupNamed(groups: readonly Group[], name: string, key: string): Group {
  // Not every keyboard has the one character.
  const wanted = name.replace('...', '…');
  const found =
    groups.find((group) => group.name === name) ??
    groups.find((group) => group.origin === 'unknown' && group.name === wanted) ??
    groups.find((group) => group.keys.some(({ hash }) => hashMark + hash === name));
  if (found !== undefined) return found;
  const names = groups.map((group) => group.name);
  throw unknown(key, 'no workspace or key of that name is in the report', name, names, 'migrate-v2 report lists them');
}

/**
 * The groups that somebody asked for, each once.
 * @throws ConfigError that lists near names, where one means nothing
 */
export function groupsOf(groups: readonly Group[], { workspaces, owners }: Whose): ReadonlySet<Group> {
  const ofOwners = owners.flatMap((name) => {
    const own = groups.filter(({ workspace }) => workspace?.owner === name);
    if (own.length > 0) return own;
    const known = new Set(groups.flatMap(({ workspace }) => workspace?.owner ?? []));
    throw unknown('--owner', 'no workspace of the configuration has that owner', name, known, 'owner of a workspace names one');
  });
  return new Set([...workspaces.map((name) => groupNamed(groups, name, '--workspace')), ...ofOwners]);
}

function unknown(key: string, problem: string, name: string, known: Iterable<string>, otherwise: string): ConfigError {
  const near = nearNames(name, known).map(plain);
  const hint = near.length > 0 ? `did you mean ${or(near)}?` : otherwise;
  return new ConfigError({ code: 'CONFIG_INVALID', key: `${key} ${plain(name)}`, problem: `${problem}; ${hint}` });
}
