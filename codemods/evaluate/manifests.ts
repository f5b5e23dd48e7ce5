/** What the packages around a file say of themselves. */
import type { World } from './program.ts';

/** @returns the texts of package.json files, from the nearest to that of the whole repository */
export const manifestsAround = (file: string, { reached }: World): readonly string[] =>
  Array.from(file.split('/'), (_, depth) => reached?.(file, `./${'../'.repeat(depth)}package.json`)?.text ?? []).flat();
