/** Which files the bundle has: of modules that are loaded at one time one is made, as each file takes Node most of a millisecond. */
import { join } from 'node:path';

/** What is loaded at one time, besides what that imports; all else is loaded when it is asked for. */
const starts: Readonly<Record<string, readonly string[]>> = {
  cli: ['src/cli/main'],
  migrate: ['src/cli/migrate/run', 'codemods/migrate'],
  analysis: ['codemods/run/analyst', 'codemods/clients/registry', 'codemods/engines/babel', 'codemods/engines/typescript'],
  proxy: [
    'proxy/keys/key-map',
    'proxy/server',
    'src/cli/rollout/baseline',
    'src/cli/rollout/follow',
    'src/cli/v8',
    'src/report/live/pages',
    'src/usage/store/open',
    'src/usage/store/reopening',
    'src/usage/usage-recorder',
  ],
  record: ['src/usage/store/sqlite/worker'],
  reports: ['src/report/live/worker'],
  library: ['src/index'],
};

/** What comes before all else, as it runs on a Node that cannot load the rest, or in a runner that loads files in a way of its own: with all that it imports. */
const first = ['src/cli/bin', 'src/needs-node', 'codemods/transforms/all'];

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * @param root the project's folder
 * @param entries modules that are files of their own, as they are started or imported by their path
 * @returns names the file that a module is put into, by all starts that need it: what it imports is needed by these, too, so that no two files import each other
 */
export function chunksOf(root: string, entries: readonly string[]): (id: string, modules: Modules) => string | null {
  const fileOf = (path: string): string => join(root, `${path}.ts`);
  let known: ReadonlyMap<string, string> | undefined;
  const namesIn = (modules: Modules): ReadonlyMap<string, string> => {
    const found = new Map<string, string>();
    for (const [name, paths] of Object.entries(starts))
      for (const id of importedBy(paths.map(fileOf), modules)) found.set(id, found.has(id) ? `${found.get(id)}-${name}` : name);
    for (const id of [...entries.map(fileOf), ...importedBy(first.map(fileOf), modules)]) found.delete(id);
    return found;
  };
  return (id, modules) => (known ??= namesIn(modules)).get(id) ?? null;
}

/** These, and all that they load at once. */
function importedBy(ids: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set(ids);
  for (const id of found) {
    const module = modules.getModuleInfo(id);
    if (module === null) throw new Error(`${id} is no module of the bundle: change .ci/chunks.ts`);
    for (const each of module.importedIds) found.add(each);
  }
  return found;
}
