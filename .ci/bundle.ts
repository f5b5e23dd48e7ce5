/** The sources, and those packages that stand under `devDependencies`, as few files: they start sooner than a thousand would. */
import { globSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join, posix, relative, sep } from 'node:path';
import { build, type Plugin } from 'rolldown';
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
 * An import of Node's `http` asks for all that it exports, and its getters of WebSocket and such load the whole of Node's own fetch: 13 MiB that a program which
 * serves never uses. By their names the rest is asked for alone.
 */
const builtins: Plugin = {
  name: 'builtins',
  resolveId: { filter: { id: /^node:http$/ }, handler: (id) => `\0${id}` },
  load: {
    filter: { id: /^\0node:http$/ },
    handler: () => {
      const names = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, { get }]) => (get === undefined ? name : []));
      return `const http = process.getBuiltinModule('node:http');\nexport default http;\nexport const { ${names.join(', ')} } = http;`;
    },
  },
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
export const bundle = (dir: string, extras: readonly Plugin[] = []): Promise<unknown> =>
  build({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry.replace('transforms/thread', 'transforms/shared/thread')}.ts`])),
    external,
    platform: 'node',
    // What an old Node cannot even read keeps it from saying that it is too old.
    transform: { target: 'es2024' },
    // The main file of jsonc-parser is of a kind that cannot be bundled.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [addresses, builtins, pages, ...extras],
    // Node keeps the text of what it has loaded; the licences stand in a file of their own.
    output: { dir, cleanDir: true, chunkFileNames: 'chunks/[name].js', comments: false },
  });
