/** What the packages around a file say of themselves. */
import type { World } from '../program.ts';

export interface Manifest {
  readonly file: string;
  readonly text: string;
}

/** From the nearest to that of the whole repository. */
export const manifestFilesAround = (file: string, { reached }: World): readonly Manifest[] =>
  Array.from(file.split('/'), (_, depth) => reached?.(file, `./${'../'.repeat(depth)}package.json`) ?? []).flat();

/** @returns the texts of package.json files, from the nearest to that of the whole repository */
export const manifestsAround = (file: string, world: World): readonly string[] => manifestFilesAround(file, world).map(({ text }) => text);

/** The manifest of the package that a file is of. */
export const manifestOf = (file: string, world: World): Manifest | undefined => manifestFilesAround(file, world)[0];
