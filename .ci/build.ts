/**
 * The build: the sources, and those packages that stand under `devDependencies`, as few files. They start sooner than a thousand would, and what is not
 * used of a package is not installed. What stands under `dependencies` stays a package of its own.
 */
import { globSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };

const root = dirname(import.meta.dirname);
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
const external = new RegExp(`^(?:${Object.keys(manifest.dependencies).join('|')})(?:/|$)`);

/** A path as the build names it, whatever the machine does. */
const pathOf = (file: string): string => relative(root, file).replaceAll(sep, '/');

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

/** What a declaration file imports from. */
const specifiers = /(?<=^(?:(?:import|export) .*from |\} from |import )['"]|\bimport\(['"])[\w@./:-]+(?=['"])/gm;

/** Where a declaration file goes in `dist/`. */
const nameOf = (file: string): string =>
  pathOf(file)
    .replace(/^\.types\//, '')
    .replace(/^.*node_modules\//, 'packages/');

/** The declarations that the library leads to, as tsc has made them; what is bundled brings its own. */
const declarations: Plugin = {
  name: 'declarations',
  buildStart() {
    const seen = new Set<string>();
    const emit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const source = readFileSync(file, 'utf8').replaceAll(specifiers, (specifier) => {
        if (isBuiltin(specifier) || external.test(specifier)) return specifier;
        const isOwn = specifier.startsWith('.');
        const script = isOwn ? resolve(dirname(file), specifier) : fileURLToPath(import.meta.resolve(specifier));
        const target = script.replace(/(?<!\.d)\.[jt]s$/, '.d.ts');
        emit(target);
        return isOwn ? specifier : posix.relative(posix.dirname(nameOf(file)), nameOf(target)).replace(/d\.ts$/, 'js');
      });
      this.emitFile({ type: 'asset', fileName: nameOf(file), source });
    };
    for (const { types } of [manifest.exports['.'], manifest.exports['./transforms/all']])
      emit(resolve(root, types.replace('dist', '.types')));
  },
};

/** What their licences ask of who passes them on. */
const licences: Plugin = {
  name: 'licences',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle)
      .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      .map(pathOf);
    const folders = new Set(modules.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
    const texts = [...folders].toSorted().map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const files = globSync(['LICEN[CS]E*', 'NOTICE*', 'license*'], { cwd: join(root, folder) }).map((file) =>
        readFileSync(join(root, folder, file), 'utf8').trim(),
      );
      return [`${name} ${version}, ${license}`, ...files].join('\n\n');
    });
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n` });
  },
};

await build({
  cwd: root,
  input: Object.fromEntries(entries.map((entry) => [entry, `${entry.replace('transforms/thread', 'transforms/shared/thread')}.ts`])),
  external,
  platform: 'node',
  // What an old Node cannot even read keeps it from saying that it is too old.
  transform: { target: 'es2024' },
  // The main file of jsonc-parser is of a kind that cannot be bundled.
  resolve: { mainFields: ['module', 'main'] },
  plugins: [addresses, builtins, pages, declarations, licences],
  // Node keeps the text of what it has loaded; the licences stand in a file of their own.
  output: { dir: 'dist', cleanDir: true, chunkFileNames: 'chunks/[name].js', comments: false },
});
