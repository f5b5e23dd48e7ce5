/** Lists the files below the given paths that the kit knows how to read, and that git does not ignore. */
import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { FindError, systemCode } from './errors.ts';
import { globsOf, type Matcher } from './files/globs.ts';
import { enter, isIgnored, isIgnoredByGit, noRules, type Rules, rulesIn } from './files/ignore-rules.ts';
import { type FileKind, kindOf } from './kinds.ts';
import { repositoryRoot } from './files/repository.ts';
import { isLeftOver, journalName } from './files/temporary.ts';
import { skippedByName, type SkipReason, isOwnConfiguration, isSkippedFolder, skippedFolders } from './files/skipped.ts';

export interface WalkOptions {
  readonly cwd: string;
  /** Files and folders, relative to `cwd`. What is named here is looked at even where git ignores it. */
  readonly paths: readonly string[];
  /** Patterns as in a .gitignore (see `globsOf`): only what matches is listed. */
  readonly include?: readonly string[];
  /** What matches is left out. */
  readonly exclude?: readonly string[];
}

export interface FoundFile {
  /** Relative to `Walk.cwd`, with `/`. */
  readonly path: string;
  readonly kind: FileKind | 'bare';
  /** Set where it is to be reported and never edited. */
  readonly aside?: SkipReason;
}

export interface Walk {
  /** The working directory without symbolic links: what the paths are relative to. */
  readonly cwd: string;
  /** Sorted by path, each file once. */
  readonly files: readonly FoundFile[];
  /** Paths of those of other kinds, which may read or set a variable of the environment: programs in other languages, configuration. */
  readonly others: readonly string[];
  /** Paths of files of settings or data that git ignores by themselves, and not with their folder. */
  readonly ignored: readonly string[];
  readonly faults: readonly Fault[];
  /** What stands in each folder, whatever it is: absolute, without a slash at the end. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Absolute paths of files that a killed run left behind. */
  readonly leftOver: readonly string[];
  /** Absolute paths of the journals of runs that write, or were killed while they wrote: below the given paths, and above. */
  readonly journals: readonly string[];
}

/** Something that could not be looked at; the run goes on without it. */
export interface Fault {
  readonly path: string;
  readonly reason: string;
}

/**
 * Lists files. Symbolic links are followed where the user names one, and nowhere else: nothing outside the given paths is reached.
 * @throws FindError where a given path cannot be looked at
 */
export function walk(options: WalkOptions): Walk {
  const cwd = real(options.cwd);
  const listing = new Listing(cwd, globsOf(options.include), globsOf(options.exclude));
  for (const path of options.paths) {
    const { absolute, isFolder } = locate(cwd, path);
    listing.above(absolute);
    if (isFolder) listing.folder(withSlash(absolute), enter(rulesAbove(cwd, absolute), withSlash(absolute)), undefined);
    else listing.file(absolute, skippedByFolders(relativeTo(cwd, absolute)));
  }
  const files = listing.sorted();
  return {
    cwd,
    files,
    others: files.flatMap(({ path, kind, aside }) => (kind === 'other' && aside === undefined ? path : [])),
    ignored: listing.ignored.filter((path) => !listing.has(path)).toSorted(),
    faults: listing.faults,
    names: listing.names,
    leftOver: listing.leftOver,
    journals: [...listing.journals],
  };
}

class Listing {
  readonly faults: Fault[] = [];
  readonly ignored: string[] = [];
  readonly leftOver: string[] = [];
  readonly journals = new Set<string>();
  readonly names = new Map<string, readonly string[]>();
  readonly #files = new Map<string, FoundFile>();
  readonly #cwd: string;
  readonly #included: Matcher | undefined;
  readonly #excluded: Matcher | undefined;

  constructor(cwd: string, included: Matcher | undefined, excluded: Matcher | undefined) {
    this.#cwd = cwd;
    this.#included = included;
    this.#excluded = excluded;
  }

  sorted(): FoundFile[] {
    return [...this.#files.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** A run may have begun further up. */
  above(path: string): void {
    for (let folder = path, above = dirname(path); above !== folder; folder = above, above = dirname(above)) {
      const journal = withSlash(above) + journalName;
      if (existsSync(journal)) this.journals.add(journal);
    }
  }

  folder(folder: string, above: Rules, aside: SkipReason | undefined): void {
    const entries = this.#entries(folder);
    const names = entries.map(({ name }) => name);
    this.names.set(folder.slice(0, -1), names);
    const rules = rulesIn(above, folder, (name) => names.includes(name));
    for (const entry of entries) {
      const path = folder + entry.name;
      if (entry.isDirectory()) {
        if (skippedFolders.has(entry.name) || isIgnored(rules, `${path}/`) || this.#excluded?.(`${relativeTo(this.#cwd, path)}/`) === true)
          continue;
        if (this.#isNamed(path)) this.folder(`${path}/`, enter(rules, `${path}/`), aside ?? skippedByFolder(entry.name));
      } else if (entry.isFile() && isOwnConfiguration(entry.name)) continue;
      else if (entry.isFile() && kindOf(entry.name) !== undefined && !isIgnored(rules, path) && this.#isNamed(path)) {
        this.file(path, aside);
      } else if (entry.isFile() && aside === undefined && ofSettings.test(entry.name) && isIgnoredByGit(rules, path)) {
        if (this.#excluded?.(relativeTo(this.#cwd, path)) !== true) this.ignored.push(relativeTo(this.#cwd, path));
      } else if (entry.isFile() && entry.name === journalName) this.journals.add(path);
      else if (entry.isFile() && isLeftOver(entry.name)) this.leftOver.push(path);
    }
  }

  /** Lists one file, if the kit knows its kind. */
  file(absolute: string, skippedByPlace: SkipReason | undefined): void {
    const name = basename(absolute);
    const kind = kindOf(name);
    const path = relativeTo(this.#cwd, absolute);
    if (kind === undefined || this.#included?.(path) === false || this.#excluded?.(path) === true) return;
    const aside = skippedByPlace ?? skippedByName(name);
    // Found twice: what the user named itself is not set aside for its place.
    if (aside !== undefined && this.#files.has(path)) return;
    this.#files.set(path, aside === undefined ? { path, kind } : { path, kind, aside });
  }

  #entries(folder: string): Dirent[] {
    try {
      return readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      this.faults.push({ path: relativeTo(this.#cwd, folder), reason: systemCode(error) });
      return [];
    }
  }

  /** Node gives names that are not UTF-8 with U+FFFD in place of what it cannot say, and then nothing is there. */
  #isNamed(path: string): boolean {
    if (!path.includes('\uFFFD') || existsSync(path)) return true;
    this.faults.push({ path: relativeTo(this.#cwd, path), reason: 'name is not UTF-8' });
    return false;
  }
}

/** Variables in `.env` files are told of where code reads them. */
const ofSettings = /\.(?:json|ya?ml|toml)$/;

const skippedByFolder = (name: string): SkipReason | undefined => (isSkippedFolder(name) ? 'build output or vendored folder' : undefined);
const skippedByFolders = (path: string): SkipReason | undefined =>
  dirname(path).split('/').some(isSkippedFolder) ? 'build output or vendored folder' : undefined;

/** The rules that apply above a folder: from the root of its repository, or from the working directory outside of any. */
function rulesAbove(cwd: string, folder: string): Rules {
  const top = repositoryRoot(folder) ?? cwd;
  if (!withSlash(folder).startsWith(withSlash(top)) || folder === top) return noRules;
  const parts = folder.slice(withSlash(top).length).split('/');
  const folders = parts.map((_, index) => withSlash(withSlash(top) + parts.slice(0, index).join('/')));
  return folders.reduce((rules, at) => rulesIn(rules, at, (name) => existsSync(at + name)), noRules);
}

function locate(cwd: string, path: string): { readonly absolute: string; readonly isFolder: boolean } {
  try {
    const absolute = real(resolve(cwd, path));
    const stat = statSync(absolute);
    if (stat.isDirectory() || stat.isFile()) return { absolute, isFolder: stat.isDirectory() };
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new FindError('PATH_MISSING', path, 'is not there', { cause: error });
    throw new FindError('PATH_UNREADABLE', path, `cannot be read (${code})`, { cause: error });
  }
  throw new FindError('PATH_UNREADABLE', path, 'is neither a file nor a folder');
}

const withSlash = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`);
const posix = (path: string): string => (process.platform === 'win32' ? path.replaceAll('\\', '/') : path);
const real = (path: string): string => posix(realpathSync.native(path));

/** An absolute path without its slash at the end, relative to the working directory. */
function relativeTo(cwd: string, absolute: string): string {
  const base = withSlash(cwd);
  if (absolute.startsWith(base) && absolute !== base)
    return absolute.endsWith('/') ? absolute.slice(base.length, -1) : absolute.slice(base.length);
  return posix(relative(cwd, absolute)) || '.';
}
