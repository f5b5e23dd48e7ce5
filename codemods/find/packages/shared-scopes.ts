/** Projects of Apps Script, all of whose files have one scope: https://developers.google.com/apps-script/guides/projects. */
import { type AutoImports, type ImpliedImport, relativeTo } from '../modules/auto-imports.ts';
import { escaped } from '../words/literals.ts';

const declared = /^(?:(?:var|let|const|class|(?:async[ \t]+)?function\*?)[ \t]+|(?:const[ \t]+)?enum[ \t]+)([\w$]+)/gm;
/** What a bundler puts together has scopes of its own. */
const isModule = /^(?:import|export)\b/m;

export interface SharedScopes {
  /** For each file what it uses of the others, as if it imported that. */
  readonly imports: AutoImports;
  /** Files whose declarations others use. */
  readonly givers: ReadonlySet<string>;
}

/** @param modules everything that can be imported */
export function sharedScopesIn(modules: ReadonlySet<string>, read: (file: string) => string): SharedScopes {
  const roots = [...modules].flatMap((file) => /^((?:.*\/)?)appsscript\.json$/.exec(file)?.[1] ?? []);
  const imports = new Map<string, ImpliedImport[]>();
  const sharing = new Set<string>();
  for (const root of roots) {
    const paths = [...modules]
      .filter((file) => file.startsWith(root) && /\.(?:gs|[jt]s)$/.test(file))
      .map((file) => file.slice(root.length));
    const texts = new Map(paths.map((path) => [path, read(root + path)]));
    const givers = paths.filter((path) => !isModule.test(texts.get(path) ?? ''));
    const all = givers.flatMap((from) =>
      [...(texts.get(from) ?? '').matchAll(declared)].map(([, name = '']) => ({ name, imported: name, from })),
    );
    // Which of two counts, the order of the files decides, and what another file sets is no longer what was declared.
    const byName = Map.groupBy(all, ({ name }) => name);
    const given = all.filter(
      ({ name, from }) => byName.get(name)?.length === 1 && ![...texts].some(([path, text]) => path !== from && isSetBy(name, text)),
    );
    for (const [path, text] of texts) {
      const words = new Set(text.match(/[\w$]+/g));
      const implied = given.filter(({ name, from }) => from !== path && words.has(name));
      for (const { from } of implied) sharing.add(root + from);
      if (implied.length > 0)
        imports.set(
          root + path,
          implied.map((each) => ({ ...each, from: relativeTo(path, each.from) })),
        );
    }
  }
  return { imports, givers: sharing };
}

const isSetBy = (name: string, text: string): boolean =>
  text.includes(name) && new RegExp(`(?<![\\w$.] *)${escaped(name)}\\s*=(?![=>])`).test(text);
