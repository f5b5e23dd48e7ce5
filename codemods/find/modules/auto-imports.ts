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
/** Of a program that is Nitro's alone: whichever of them it looks into, so that a name which two give is neither's. */
const ofNitro = /^(?:(?:server|src)\/)?utils\/.+\.[cm]?[jt]s$/;

/** @param modules everything that can be imported */
export function autoImportsIn(modules: ReadonlySet<string>, read: (file: string) => string): AutoImports {
  const rootsOf = (config: RegExp): string[] => [...modules].flatMap((file) => config.exec(file)?.[1] ?? []);
  const nuxt = rootsOf(/^((?:.*\/)?)nuxt\.config\.[cm]?[jt]s$/);
  // Nuxt configures its Nitro itself.
  const nitro = rootsOf(/^((?:.*\/)?)nitro\.config\.[cm]?[jt]s$/).filter((root) => !nuxt.includes(root));
  const isOfNitro = (file: string, root: string): boolean => nitro.some((each) => each.length > root.length && file.startsWith(each));
  const found = new Map<string, ImpliedImport[]>();
  const add = (root: string, isGiver: (path: string) => boolean, isGivenTo: (from: string, path: string) => boolean): void => {
    const isWithin = (file: string): boolean => file.startsWith(root) && !isOfNitro(file, root);
    const files = [...modules].flatMap((file) => (isWithin(file) ? [{ file, path: file.slice(root.length) }] : []));
    const givers = files.filter(({ path }) => isGiver(path));
    const exported = givers.flatMap((each) => exportedBy(each.path, read(each.file)).map((name) => ({ ...name, from: each.path })));
    const byName = Map.groupBy(exported, ({ name }) => name);
    const given = nuxt.includes(root) ? exported : exported.filter(({ name }) => byName.get(name)?.length === 1);
    for (const { file, path } of given.length === 0 ? [] : files) {
      const words = new Set(read(file).match(/[\w$]+/g));
      const isGiven = ({ name, from }: ImpliedImport): boolean => from !== path && words.has(name) && isGivenTo(from, path);
      const implied = given.filter(isGiven).map((each) => ({ ...each, from: relativeTo(path, each.from) }));
      if (implied.length > 0) found.set(file, implied);
    }
  };
  for (const root of nuxt)
    add(
      root,
      (path) => shared.test(path) || ofServer.test(path) || ofBoth.test(path),
      (from, path) => ofBoth.test(from) || isServer(from) === isServer(path),
    );
  for (const root of nitro)
    add(
      root,
      (path) => ofNitro.test(path),
      () => true,
    );
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
