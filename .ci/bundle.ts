/** The sources, and those packages that stand under `devDependencies`, as few files: they start sooner than a thousand would. */
import { chmodSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { build, type Plugin } from 'rolldown';
import { chunksOf } from './chunks.ts';
import { compiler } from './compiler.ts';
import manifest from '../package.json' with { type: 'json' };

export const root = dirname(import.meta.dirname);
/** What is started or imported by its path. */
const entries = [
  'src/cli/bin',
  'src/cli/rollout/read-thread',
  'src/cli/workers/worker',
  'src/index',
  'src/report/live/worker',
  'src/usage/store/sqlite/worker',
  'codemods/run/worker',
  'codemods/transforms/all',
  'codemods/transforms/thread',
];
export const external = new RegExp(`^(?:${Object.keys(manifest.dependencies).join('|')})(?:/|$)`);

/** A path as the build names it, whatever the machine does. */
export const pathOf = (file: string): string => relative(root, file).replaceAll(sep, '/');

/** Modules keep the addresses that they have among the sources: what lies beside one is found there, whichever chunk it is put into. */
const addresses: Plugin = {
  name: 'addresses',
  transform: {
    filter: { id: /\.ts$/, code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', `new URL("@dist/${pathOf(id).replace(/ts$/, 'js')}", import.meta.url).href`),
  },
  renderChunk: (code, { fileName }) => code.replaceAll('"@dist/', `"${posix.relative(posix.dirname(fileName), '.')}/`),
};

/**
 * An import of a module of Node's asks for all that it exports, and getters among that load what no program here uses: with `http` the whole of Node's own fetch, with
 * `crypto`, `fs` and `util` some hundred more modules. What is taken out of the module itself is asked for alone.
 */
const builtins: Plugin = {
  name: 'builtins',
  // Of packages; our own files leave the prefix away where they run on Nodes that know of neither.
  resolveId: {
    filter: { id: /^(?:fs|path|url|util)$/ },
    handler: (id, importer) => (importer?.includes('node_modules') ? { id: `node:${id}`, external: true } : undefined),
  },
  renderChunk: (code) =>
    code.replaceAll(/^import (?:([\w$]+)(?:, )?)?(\{.*\})? from ("node:.*");$/gm, (_, whole?: string, parts?: string, name?: string) =>
      [whole, parts?.replaceAll(' as ', ': ')]
        .filter((taken) => taken !== undefined)
        .map((taken) => `const ${taken} = globalThis.process.getBuiltinModule(${name});`)
        .join('\n'),
    ),
};

/** Scripts of pages are read as they are. */
const pages: Plugin = {
  name: 'pages',
  buildStart() {
    for (const file of globSync(join(root, 'src/**/*.js')))
      this.emitFile({ type: 'asset', fileName: pathOf(file), source: readFileSync(file) });
  },
};

/** @param dir where it goes, within the project, in which it finds its packages */
export async function bundle(dir: string, extras: readonly Plugin[] = []): Promise<void> {
  await build({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry.replace('transforms/thread', 'transforms/shared/thread')}.ts`])),
    external,
    platform: 'node',
    // What one entry loads at once, another may load when it is asked for.
    checks: { ineffectiveDynamicImport: false },
    // What a file shares with another may be taken from either.
    preserveEntrySignatures: 'allow-extension',
    // What an old Node cannot even read keeps it from saying that it is too old.
    transform: { target: 'es2024' },
    // The main file of jsonc-parser is of a kind that cannot be bundled.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [compiler, addresses, builtins, pages, ...extras],
    // Node keeps the text of what it has loaded; the licences stand in a file of their own.
    output: {
      dir,
      cleanDir: true,
      chunkFileNames: 'chunks/[name].js',
      comments: false,
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunksOf(root, entries), debugName: 'starts' }] },
    },
  });
  // As npm does where it installs the package; in a clone, npx starts the file itself.
  chmodSync(join(root, dir, manifest.bin['migrate-v2'].replace('dist/', '')), 0o755);
}
