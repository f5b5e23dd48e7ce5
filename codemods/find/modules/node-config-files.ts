/** The files of node-config: `config/default.json`, and what is laid over it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InGroup } from './ambient.ts';

const defaults = /^((?:.*\/)?config\/)default\.(?:json|ya?ml|toml|[cm]?[jt]s)$/;

/** What node-config reads of YAML and TOML. */
export const isOfNodeConfig = (file: string): boolean => /(?:^|\/)config\/[\w.-]+\.(?:ya?ml|toml)$/.test(file);

/** @returns what matches all files that are laid over one another, where a file is the first of them */
export function besideDefaults(file: string): RegExp | undefined {
  const [, folder] = defaults.exec(file) ?? [];
  return folder === undefined
    ? undefined
    : new RegExp(`^${folder.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}[\\w.-]+\\.(?:json|ya?ml|toml|[cm]?[jt]s)$`);
}

/** For each first one those that are laid over it: they decide for whoever has it. */
export function configFilesIn(modules: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const file of modules) {
    const beside = besideDefaults(file);
    if (beside !== undefined)
      found.set(
        file,
        [...modules].filter((other) => other !== file && beside.test(other)),
      );
  }
  return found;
}

/** The groups that make whoever looks at the first one look at all. */
export function configGroups(files: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly InGroup[]> {
  const groups = new Map<string, readonly InGroup[]>();
  for (const [first, others] of files) {
    if (others.length === 0) continue;
    const group = `config of ${first}`;
    groups.set(first, [{ group, decides: false }]);
    for (const other of others) groups.set(other, [{ group, decides: true }]);
  }
  return groups;
}

/** What node-config reads too, and this does not: of what stands in such a file nothing is known. */
const unread = /\.(?:json5|hjson|cson|properties|xml|coffee|iced|ls)$/;

/** @returns what a folder's `config` begins with, without the extension of a script or of JSON, where all of it can be read */
export function defaultsIn(folder: string): string[] {
  try {
    const names = readdirSync(join(folder, 'config'));
    const first = join(folder, 'config', 'default');
    return names.some((name) => unread.test(name)) ? [] : [first, ...['.yaml', '.yml', '.toml'].map((extension) => first + extension)];
  } catch {
    return [];
  }
}
