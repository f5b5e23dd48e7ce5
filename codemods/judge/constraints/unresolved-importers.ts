/** Code that imports by a name of the project which leads to no file, and what it may mean by it: that stays, with all that this imports. */
import type { ComponentFile } from '../../component/component-file.ts';
import type { Left } from '../../uses-between-components.ts';
import { loadEngines } from '../../engines/choose.ts';
import { SyntaxFault } from '../../engines/engine.ts';
import { memo, once } from '../../once.ts';
import { walk } from '../../syntax/link.ts';
import { importersBy, type Offer, offerOf, type UnresolvedImport } from '../../find/modules/unresolved-imports.ts';
import type { Member } from './between-components.ts';

/**
 * @param unresolved those that may mean what is offered; asked for only where anything changes
 * @returns the files that change and may be used there, each as a whole
 */
export async function usedUnresolved(
  components: readonly (readonly ComponentFile[])[],
  members: readonly Pick<Member, 'edits' | 'isCode'>[],
  unresolved: (offered: () => ReadonlySet<string>) => readonly UnresolvedImport[],
  textIn: (file: string) => string,
): Promise<Left[]> {
  const changing = new Set(members.flatMap(({ edits, isCode }) => (isCode ? edits.map(({ file }) => file) : [])));
  const own = components.filter((files) => files.some(({ file }) => changing.has(file)));
  const offers = once(() => new Map(own.flat().map(({ file }): [string, Offer] => [file, offerOf(file, textIn(file))])));
  const offered = once(() => new Set(Array.from(offers().values(), ({ parts, names }) => [...parts, ...names]).flat()));
  const imports = own.length === 0 ? [] : unresolved(offered);
  if (imports.length === 0) return [];
  const importerOf = importersBy(imports, await importsOf(textIn));
  return own.flatMap((files) => {
    const imported = Map.groupBy(
      files.flatMap(({ file, importers }) => importers.map((importer) => ({ file, importer }))),
      ({ importer }) => importer,
    );
    const reached = new Map(
      files.flatMap(({ file }) => {
        const offer = offers().get(file);
        const found = offer && importerOf(file, offer);
        return found === undefined ? [] : [[file, `${found.file}:${found.line}`] as const];
      }),
    );
    // A map that grows while it is walked: new members come up later.
    for (const [from, by] of reached) for (const { file } of imported.get(from) ?? []) if (!reached.has(file)) reached.set(file, by);
    return [...reached].flatMap(([file, by]) => (changing.has(file) ? [{ file, start: 0, end: Infinity, by, why: 'import' }] : []));
  });
}

/**
 * Whether what reads as an import in the text of a file is code: its specifier is a text of its own there, and no part of another, of a
 * comment or of a type. Of what is no script or does not parse, one counts.
 */
async function importsOf(textIn: (file: string) => string): Promise<(found: UnresolvedImport) => boolean> {
  const engines = await loadEngines();
  const textsIn = memo((file): ReadonlySet<number> | undefined => {
    const ends = new Set<number>();
    try {
      walk(engines.parse(file, textIn(file)).tree.program, (node) => {
        const text = (node.kind === 'import' && !node.isType) || node.kind === 'export' ? node.source : node;
        if (text?.kind === 'string' || text?.kind === 'template') ends.add(text.end);
        return true;
      });
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      return undefined;
    }
    return ends;
  });
  return ({ file, end }) => isMarkup.test(file) || textsIn(file)?.has(end) !== false;
}

const isMarkup = /\.(?:vue|svelte|astro|html?|mdx?)$/;
