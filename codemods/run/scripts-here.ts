/** Whether scripts and modules that interpreters of other languages run are among these files. */
import { relative } from 'node:path';
import type { Walk } from '../find/walk.ts';
import type { ForeignScript } from '../formats/reading.ts';
import { once } from '../once.ts';

export type IsHere = (script: ForeignScript) => boolean;

/** A command may be run in any folder: a script is here where the end of a path says the same, without what leads to a folder or is put in. */
export function scriptsHere({ cwd, names }: Pick<Walk, 'cwd' | 'names'>): IsHere {
  const foldersBy = once(() => {
    const folders = new Map<string, string[]>();
    for (const [folder, all] of names)
      for (const name of all) {
        const known = folders.get(name);
        if (known === undefined) folders.set(name, [folder]);
        else known.push(folder);
      }
    return folders;
  });
  return ({ paths }) =>
    paths.some((path) => {
      const [name = '', ...above] = path.split('/').toReversed();
      // Where an image or a machine has it, nobody knows.
      const until = above.findIndex((each) => !plain.test(each));
      const within = path.startsWith('/') ? [] : above.slice(0, until === -1 ? undefined : until);
      const folder = `/${within.toReversed().join('/')}`;
      return (foldersBy().get(name) ?? []).some((each) => within.length === 0 || `/${relative(cwd, each)}`.endsWith(folder));
    });
}

const plain = /^(?!\.{1,2}$)[\w.+-]+$/;
