/** What tests need of the project itself. */
import {
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ignore from 'ignore';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** The command line, bundled as in `dist/`: it starts in half the time that its sources take. */
export const bin = join(projectRoot, '.bundle/src/cli/bin.js');
/** As in a clone, and by its modules. */
export const sourceBin = join(projectRoot, 'src/cli/bin.ts');

/**
 * Makes a folder the project as git has it, changes that are not committed included: without packages, and not built. Asks no git for it.
 * Its tests, which are most of its files, stay behind.
 */
export function copyProject(folder: string): void {
  const rules = ignore()
    .add(['.git', '/test/'])
    .add(readFileSync(join(projectRoot, '.gitignore'), 'utf8'));
  const isKept = (source: string): boolean => {
    const path = relative(projectRoot, source);
    return path === '' || !rules.ignores(statSync(source).isDirectory() ? `${path}/` : path);
  };
  cpSync(projectRoot, folder, { recursive: true, filter: isKept });
}

/** Puts the packages of this project into a folder, as an installation of their own: what is deleted there stays here. */
export function copyPackages(folder: string): void {
  const [from, to] = [join(projectRoot, 'node_modules'), join(folder, 'node_modules')];
  for (const name of readdirSync(from)) if (!name.startsWith('.') || name === '.bin') linkTree(join(from, name), join(to, name));
  // What npm notes down of an installation, it writes in place.
  copyFileSync(join(from, '.package-lock.json'), join(to, '.package-lock.json'));
}

/** Makes a folder the package `migrate-v2`, of the bundle: what lies in it imports it by that name. */
export function linkBundle(folder: string): void {
  symlinkSync(join(projectRoot, '.bundle'), join(folder, 'dist'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'migrate-v2', type: 'module', exports: './dist/src/index.js' }));
}

/** Puts the packages that production needs into a folder, where npm finds them and need not unpack each: it removes what nothing there depends on. */
export function linkProductionPackages(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(packages))
    if (/^node_modules\/(?!.*\/node_modules\/)/.test(path) && dev !== true && devOptional !== true)
      linkTree(join(projectRoot, path), join(folder, path));
}

/** Copies a folder whose files nobody writes to: by links, which cost next to nothing, where both are on one file system. */
export function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkFile(source, target);
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
}
