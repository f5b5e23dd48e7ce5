/** Whether scripts and modules that interpreters of other languages run are among these files. */
import { basename, dirname, posix, relative, resolve } from 'node:path';
import type { Walk } from '../find/walk.ts';
import type { ForeignScript } from '../formats/reading.ts';
import { memo, once } from '../once.ts';

/** @param by the file that says what is run */
export type IsHere = (script: ForeignScript, by: string) => boolean;

/**
 * A command may be run in any folder: a script is here where the end of a path says the same, without what leads to a folder or is put in. A path with `/` at
 * its end is a folder, which is of these.
 */
export function scriptsHere({ cwd, names }: Pick<Walk, 'cwd' | 'names'>): IsHere {
  const placesBy = once(() => {
    const places = new Map<string, string[]>();
    const add = (name: string, folder: string): void => {
      const known = places.get(name);
      if (known === undefined) places.set(name, [folder]);
      else known.push(folder);
    };
    for (const [path, all] of names) {
      const folder = `/${relative(cwd, path)}`;
      for (const name of all) add(name, folder);
      add(`${basename(path)}/`, posix.dirname(folder));
    }
    return places;
  });
  const isHere = memo((path: string): boolean => {
    const [last = '', ...rest] = path.split('/').toReversed();
    const [name, above] = last === '' ? [`${rest[0] ?? ''}/`, rest.slice(1)] : [last, rest];
    const until = above.findIndex((each) => !plain.test(each));
    // Where an image or a machine has it, nobody knows.
    const within = path.startsWith('/') ? [] : above.slice(0, until === -1 ? undefined : until);
    const folder = `/${within.toReversed().join('/')}`;
    return (placesBy().get(name) ?? []).some((each) => within.length === 0 || each.endsWith(folder));
  });
  const isPlace = memo((place: string): boolean => {
    const beside = names.get(dirname(place));
    // What these files are a part of is built with them.
    return names.has(place) || beside?.includes(basename(place)) === true || [...names.keys()].some((path) => path.startsWith(`${place}/`));
  });
  return ({ paths, isBeside }, by) => paths.some((path) => (isBeside === true ? isPlace(resolve(cwd, dirname(by), path)) : isHere(path)));
}

const plain = /^(?!\.{1,2}$)[\w.+-]+$/;
