/**
 * Files whose variables a container of somebody else's image is given as a whole, beside one of the project: `env_file: .env`, `envFrom` of a ConfigMap. What it
 * reads of them is not known, so what would change there stays.
 */
import { posix } from 'node:path';
import { escaped } from '../find/literals.ts';
import type { FoundFile } from '../find/walk.ts';
import type { VariableUse } from '../cross-file-uses.ts';
import type { Edit } from '../model.ts';
import { positionsOf } from '../syntax/position.ts';
import type { IsOpen } from '../verdict/directives.ts';
import type { IsMadeHere } from './made-images.ts';

interface Around {
  readonly textIn: (file: string) => string;
  readonly isOpen: IsOpen;
  readonly isMadeHere: IsMadeHere;
}

/** @param edits of variables that would change where they are set */
export async function variablesGivenByFiles(
  files: readonly FoundFile[],
  names: ReadonlySet<string>,
  edits: readonly Edit[],
  { textIn, isOpen, isMadeHere }: Around,
): Promise<VariableUse[]> {
  const edited = [...new Set(edits.map(({ file }) => file))];
  const suspects = files.filter(({ path, kind }) => kind === 'yaml' && /\b(?:env_file|envFrom|configMapKeyRef)\b/.test(textIn(path)));
  if (names.size === 0 || edited.length === 0 || suspects.length === 0) return [];
  const { givenToOthers } = await import('../formats/data/given-files.ts');
  const setIn = (file: string): string[] =>
    [...names].filter((name) => new RegExp(`^[ \\t]*(?:export[ \\t]+)?${escaped(name)}[ \\t]*[=:]`, 'm').test(textIn(file)));
  return suspects.flatMap(({ path: file }) => {
    const text = textIn(file);
    return givenToOthers(text, isMadeHere).flatMap(({ name: given, isFile, start, end }) => {
      const isMeant = (path: string): boolean =>
        isFile
          ? path === posix.join(posix.dirname(file), given)
          : new RegExp(
              String.raw`\bmetadata:\s*(?:\{[^{}]*?|\n(?:[ \t]+[^\n]*\n)*?[ \t]+)\bname: *["']?${escaped(given)}["']?\s*(?:$|[,}])`,
              'm',
            ).test(textIn(path));
      if (!isOpen({ file, start, end })) return [];
      return edited
        .filter(isMeant)
        .flatMap(setIn)
        .map((name) => ({ file, start, end, ...positionsOf(text)(start), name, group: undefined, needsValue: true }));
    });
  });
}
