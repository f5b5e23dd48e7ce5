/**
 * The build: the bundle, its declarations and the licences of what is in it. What is not used of a package is not installed. What stands under
 * `dependencies` stays a package of its own.
 *
 *   node .ci/build.ts [--without-types]
 */
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };
import { bundle, external, pathOf, root } from './bundle.ts';

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
      // What a package has from others says so itself.
      const heads = modules
        .filter((id) => id.startsWith(`${folder}/`))
        .flatMap((id) => /^\/\*![^]*?\*\//.exec(readFileSync(join(root, id), 'utf8')) ?? []);
      return [`${name} ${version}, ${license}`, ...files, ...new Set(heads)].join('\n\n');
    });
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n` });
  },
};

// In a clone, which is installed far more often than it is packed, nothing reads declarations, and tsc takes twice as long for them as all the rest.
const withTypes = !process.argv.includes('--without-types');
await bundle('dist', [...(withTypes ? [declarations] : []), licences]);
