/** Names that a framework imports by itself: Nuxt (https://nuxt.com/docs/guide/concepts/auto-imports) and Nitro, by where a file lies. */

/** What an import of a name would say. */
export interface ImpliedImport {
  readonly name: string;
  /** `default`, or the exported name. */
  readonly imported: string;
  readonly from: string;
}

/** For each file what it may use without an import. */
export type AutoImports = ReadonlyMap<string, readonly ImpliedImport[]>;

/** The folders of a project whose exports others get. */
const shared = /^(?:(?:app|src)\/)?(?:composables|utils|stores)\/[^/]+(?:\/index)?\.[cm]?[jt]s$/;
const ofServer = /^server\/utils\/.+\.[cm]?[jt]s$/;
const ofBoth = /^shared\/utils\/[^/]+\.[cm]?[jt]s$/;
const isServer = (path: string): boolean => path.startsWith('server/');

/** @param modules everything that can be imported */
export function autoImportsIn(modules: ReadonlySet<string>, read: (file: string) => string): AutoImports {
  const roots = [...modules].flatMap((file) => /^((?:.*\/)?)nuxt\.config\.[cm]?[jt]s$/.exec(file)?.[1] ?? []);
  const found = new Map<string, ImpliedImport[]>();
  for (const root of roots) {
    const files = [...modules].flatMap((file) => (file.startsWith(root) ? [{ file, path: file.slice(root.length) }] : []));
    const givers = files.filter(({ path }) => shared.test(path) || ofServer.test(path) || ofBoth.test(path));
    const given = givers.flatMap((each) => exportedBy(each.path, read(each.file)).map((exported) => ({ ...exported, from: each.path })));
    for (const { file, path } of given.length === 0 ? [] : files) {
      const words = new Set(read(file).match(/[\w$]+/g));
      const isGiven = ({ name, from }: ImpliedImport): boolean =>
        from !== path && words.has(name) && (ofBoth.test(from) || isServer(from) === isServer(path));
      const implied = given.filter(isGiven).map((each) => ({ ...each, from: relativeTo(path, each.from) }));
      if (implied.length > 0) found.set(file, implied);
    }
  }
  return found;
}

/** What a file exports, as it is written; its default goes by the name of the file. */
export function exportedBy(path: string, text: string): Omit<ImpliedImport, 'from'>[] {
  const declared = [...text.matchAll(/^export\s+(?:async\s+|abstract\s+)?(?:const|let|var|function\*?|class|enum)\s+([\w$]+)/gm)].flatMap(
    ([, name = '']) => name,
  );
  const listed = [...text.matchAll(/^export\s*\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap(
      (each) =>
        each
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? [],
    ),
  );
  const named = [...declared, ...listed].filter((name) => name !== '' && name !== 'default').map((name) => ({ name, imported: name }));
  if (!/^export\s+default\b/m.test(text)) return named;
  const file = /([^/]+?)(?:\/index)?\.\w+$/.exec(path)?.[1] ?? '';
  return [...named, { name: file.replace(/[-.]+(\w)/g, (_, letter: string) => letter.toUpperCase()), imported: 'default' }];
}

export const relativeTo = (from: string, to: string): string => `./${'../'.repeat(from.split('/').length - 1)}${to}`;
