/** Picks what finds the script in files. Parsers of components and documents are large, and most runs have neither. */
import { type FileKind, isDataFile } from '../../find/kinds.ts';
import type { SyntaxTree } from '../../syntax/tree.ts';

export interface Source {
  readonly file: string;
  readonly kind: FileKind;
  readonly text: string;
  /** Which code blocks of a document, of which without them what runs with it as a page is read; components are read as a whole. */
  readonly parts?: readonly number[] | undefined;
}

/**
 * @returns the path by which an engine knows the dialect, a text of the same length with everything else blanked, and whether calls of v1 are left out of it;
 *   `value` makes the tree of what no engine reads, and throws as these do
 */
export type ScriptIn = (source: Source) => {
  readonly path: string;
  readonly script: string;
  readonly isCut?: boolean;
  /** The numbers of the parts that are read of a file that is no script. */
  readonly parts?: readonly number[];
  readonly value?: () => SyntaxTree;
};

/** @param files all that it will be asked for */
export async function scriptReader(files: readonly Pick<Source, 'kind'>[]): Promise<ScriptIn> {
  if (files.some(({ kind }) => kind === 'markup' || kind === 'markdown' || kind === 'yaml' || kind === 'toml'))
    return (await import('./script-parts.ts')).scriptIn;
  return (source) => ({ path: pathOf(source), script: source.text });
}

/** Apps Script's and programs without an extension are JavaScript. */
export const pathOf = ({ file, kind }: Pick<Source, 'file' | 'kind'>): string =>
  kind === 'nginx' ? `${file}.nginx` : /\.(?:[cm]?[jt]sx?|json)$/.test(file) ? file : isDataFile.test(file) ? `${file}.json` : `${file}.js`;
