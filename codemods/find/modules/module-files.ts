/** The files of a run that can be imported, as they are found by a path without an extension, or with the one that they get when built. */
import { extname, join } from 'node:path';
import { once, whenAsked } from '../../once.ts';
import { examplesIn } from '../packages/examples.ts';
import type { Folders } from './folders.ts';

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** `./schema` may have types alone. */
const declarations = ['.ts', '.mts', '.cts'];
/** TypeScript names its modules as they will be called once built. */
const sources: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

/** Paths are relative to the working directory. */
export class ModuleFiles {
  readonly all: ReadonlySet<string>;
  /** What has such a path, a declaration where nothing else has it. */
  readonly find = whenAsked(() => finderOf(this.all));
  /** Of a file that is in nobody's repository, what people copy to it. */
  readonly examples = once(() => examplesIn(this.all));
  readonly #folders: Folders;

  constructor(all: ReadonlySet<string>, folders: Folders) {
    this.all = all;
    this.#folders = folders;
  }

  /** The module that is imported by it, also in an application of Ember, which makes one of its configuration: a declaration there only says of which type it is. */
  findModule(path: string, fromTypeScript: boolean): string | undefined {
    const found = this.find(path, fromTypeScript);
    if (found !== undefined && !found.endsWith('.d.ts')) return found;
    const [, root] = /^((?:.*\/)?)app\/config\/environment(?:\.js)?$/.exec(path) ?? [];
    const isMade = root !== undefined && this.#folders.hasEmber(join(this.#folders.cwd, root));
    return (isMade ? this.find(`${root}config/environment`, false) : undefined) ?? found;
  }
}

/** A few look-ups, however many extensions. */
function finderOf(modules: ReadonlySet<string>): (path: string, fromTypeScript: boolean) => string | undefined {
  const byStem = new Map<string, Map<string, string>>();
  for (const module of modules) {
    const extension = extname(module);
    const stem = module.slice(0, module.length - extension.length);
    const spellings = byStem.get(stem) ?? new Map<string, string>();
    byStem.set(stem, spellings.set(extension, module));
  }
  const spelled = (stem: string, order: readonly string[]): string | undefined => {
    const spellings = byStem.get(stem);
    const extension = spellings && order.find((each) => spellings.has(each));
    return extension === undefined ? undefined : spellings?.get(extension);
  };
  return (given, fromTypeScript) => {
    // `./lib/` and `.` name folders.
    const path = given === '.' ? '' : given.replace(/\/$/, '');
    const extension = extname(path);
    const stem = path.slice(0, path.length - extension.length);
    const built = sources[extension] && spelled(stem, sources[extension]);
    if (built !== undefined && fromTypeScript) return built;
    if (modules.has(path)) return path;
    const folder = path === '' ? 'index' : `${path}/index`;
    return (
      built ??
      spelled(path, extensions) ??
      spelled(folder, extensions) ??
      spelled(`${path}.d`, declarations) ??
      spelled(`${folder}.d`, declarations) ??
      (sources[extension] && spelled(`${stem}.d`, declarations))
    );
  };
}
