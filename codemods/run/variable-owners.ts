/**
 * Whose a variable is in each script that reads it. Programs side by side may have one name for the addresses of two services: what a file beside one of
 * them sets proves nothing of the other.
 */
import { dirname, join } from 'node:path/posix';
import type { Setting } from '../formats/reading.ts';
import type { ReadFile } from '../formats/reader.ts';
import type { Scan } from '../find/scan.ts';
import type { Texts } from '../find/files/texts.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { prefixVerdict } from '../verdict/verdicts.ts';

/** What a file sets a variable to. */
interface Placed {
  readonly file: string;
  /** Of the file, or of the program that it sets it for. */
  readonly folder: string;
  readonly isOurs: boolean;
  /** Whether a program reads it where it is started, and no other does. */
  readonly isOfOne: boolean;
}

/**
 * @param names variables that files prove to hold an address of ours
 * @param packageOf the folder of the package that a file belongs to
 * @returns by the name of a variable, the scripts for whose program nothing sets it to ours, and the files that set it for these alone
 */
export function variablesOfOthers(
  names: ReadonlySet<string>,
  files: readonly ReadFile[],
  { candidates, texts }: Pick<Scan, 'candidates' | 'texts'>,
  packageOf: (place: { readonly file: string }) => string,
  bases: Bases,
): NonNullable<Bases['variablesOfOthers']> {
  const found = new Map<string, ReadonlyMap<string, boolean>>();
  for (const name of names) {
    const placed = placedIn(files, name, bases);
    // What is set for all by one file needs no scripts.
    if (placed.every(({ folder, isOurs }) => folder === '' && isOurs)) continue;
    const readers = candidates.flatMap(({ path, kind }) => (kind === 'script' && texts.utf8(path).includes(name) ? path : []));
    const others = readers.filter((reader) => !isOfOurs(reader, placed, readers, packageOf));
    const isSet = (reader: string): boolean => placed.some(({ folder }) => reader.startsWith(folder));
    const sides = [
      ...others.map((reader) => [reader, isSet(reader)] as const),
      ...settingsOf(others, placed, readers).map((file) => [file, true] as const),
    ];
    if (others.length > 0) found.set(name, new Map(sides));
  }
  return found;
}

/** @returns the bases of a run whose components are known: what nothing is set for, and that is joined with what reads ours and no other's, is part of that program */
export function withPrograms(
  bases: Bases,
  components: readonly (readonly { readonly file: string }[])[],
  texts: Pick<Texts, 'utf8'>,
): Bases {
  const within = (name: string, files: ReadonlyMap<string, boolean>): Set<string> => {
    const sidesOf = (own: readonly { readonly file: string }[]): readonly (boolean | undefined)[] => own.map(({ file }) => files.get(file));
    const joined = components.filter((own) => sidesOf(own).includes(false) && !sidesOf(own).includes(true));
    const isOfOurs = ({ file }: { readonly file: string }): boolean => !files.has(file) && texts.utf8(file).includes(name);
    return new Set(joined.filter((own) => own.some(isOfOurs)).flatMap((own) => own.map(({ file }) => file)));
  };
  const left = [...(bases.variablesOfOthers ?? [])].map(([name, files]) => {
    const own = within(name, files);
    return [name, new Map([...files].filter(([file, isSet]) => isSet || !own.has(file)))] as const;
  });
  return { ...bases, variablesOfOthers: new Map(left) };
}

/** The files that set a variable where none but some of its readers are. */
function settingsOf(others: readonly string[], placed: readonly Placed[], readers: readonly string[]): string[] {
  const ours = new Set(placed.flatMap(({ file, isOurs }) => (isOurs ? file : [])));
  return placed.flatMap(({ file, folder }) => {
    const within = readers.filter((reader) => reader.startsWith(folder));
    return within.length > 0 && !ours.has(file) && within.every((reader) => others.includes(reader)) ? file : [];
  });
}

const placedIn = (files: readonly ReadFile[], name: string, bases: Bases): Placed[] =>
  files.flatMap(({ source, kind, reading }) => {
    const beside = folderOf(dirname(source.file));
    return reading.settings.flatMap((setting) => {
      const isOurs = setting.name === name ? holdsOurs(setting, bases) : undefined;
      if (isOurs === undefined) return [];
      const built = (setting.programs ?? []).flatMap((program) =>
        /^\.{1,2}(?:\/|$)/.test(program) ? folderOf(join(beside, program)) : [],
      );
      const isOfOne = kind === 'env' || built.length > 0;
      return (built.length > 0 ? built : [beside]).map((folder) => ({ file: source.file, folder, isOurs, isOfOne }));
    });
  });

const folderOf = (path: string): string => (/^\.?\/?$/.test(path) ? '' : `${path.replace(/\/+$/, '')}/`);

/** @returns undefined where it is not known what it is set to */
function holdsOurs({ requests }: Setting, bases: Bases): boolean | undefined {
  const kinds = requests.map(({ url = [] }) => prefixVerdict(url, bases).kind);
  if (kinds.some((kind) => kind !== 'foreign' && kind !== 'unproven')) return true;
  return kinds.includes('foreign') ? false : undefined;
}

function isOfOurs(
  reader: string,
  placed: readonly Placed[],
  readers: readonly string[],
  packageOf: (place: { readonly file: string }) => string,
): boolean {
  const around = placed
    .map(({ folder }) => folder)
    .filter((folder) => reader.startsWith(folder))
    .reduce<string | undefined>((one, other) => (one === undefined || other.length > one.length ? other : one), undefined);
  const ours = placed.filter(({ isOurs }) => isOurs);
  if (ours.some(({ folder }) => folder === around)) return true;
  // What is set where no program is, or around all of them, as where they are deployed from, is for any.
  const isForAny = ({ folder, isOfOne }: Placed): boolean =>
    !readers.some((each) => each.startsWith(folder)) || (!isOfOne && readers.every((each) => each.startsWith(folder)));
  if (ours.some(isForAny)) return true;
  const own = packageOf({ file: reader });
  // What is beside two programs, neither of which is a package, may be run by either.
  const isOfAnother = placed.some(({ folder, isOurs }) => !isOurs && readers.some((each) => each.startsWith(folder)));
  if (around === undefined && own === '') return !isOfAnother;
  return ours.some(({ folder }) => folder.startsWith(around ?? '') && packageOf({ file: folder }) === own);
}
