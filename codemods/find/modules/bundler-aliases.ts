/** Names that bundlers, Babel, package.json and import maps of pages give to folders and files, as far as they say so in texts. */
import { join } from 'node:path';
import { textsIn, withoutComments } from '../files/repository.ts';
import type { Aliases } from './tsconfig.ts';

const configuration =
  /^(?:(?!vitest|jest|karma)[\w.-]+\.config[\w.-]*\.(?:[cm]?[jt]s|json)|[\w.-]*(?:build|bundle|webpack)[\w.-]*\.[cm]?[jt]s|\.babelrc[\w.]*|package\.json)$/;
/** Where a project keeps what its bundlers are told, beside its root; paths are below that as a rule, and by `..` from there. */
const beside = ['build', 'config', 'scripts', 'webpack'];

const ofTests = /^vitest(?:\.\w+)*\.config(?:\.\w+)?\.[cm]?[jt]s$/;
/** What Vitest is told in a configuration of Vite. */
const testing = /\btest\s*:\s*(?=\{)/g;

/** `'~lib': …`, `{ find: '~lib', replacement: … }` and `{ find: /^~lib\/(.*)$/, replacement: … }`: the path is all texts up to the end of the entry. */
const entry = new RegExp(
  [
    String.raw`(?:find:\s*(?:(?<quote>['"])(?<find>[^'"]+)\k<quote>|\/\^(?<beginning>(?:[\w@~#-]|\\[./$])+)(?:\(\.[*+]\)\$?)?\/),\s*replacement`,
    String.raw`|(?<mark>['"])(?<quoted>[@~#$\w/][\w@~#$./-]*)\k<mark>|(?<=[{,]\s*)(?<bare>[\w$]+))\s*:\s*`,
    String.raw`(?<value>(?:[\w$.]+|new\s+URL|\((?:[^()'"]|\([^()]*\)|'[^']*'|"[^"]*")*\)|'[^']*'|"[^"]*"|\s)+)`,
  ].join(''),
  'g',
);

/** What holds such entries: `resolve.alias`, `alias({ entries })` of rollup by any name, fields of package.json, an import map. */
const aliasing = /\b(?:alias|_moduleAliases|browser|imports|(?<=\(\s*\{\s*)entries)["']?\s*:\s*([[{][^]{0,4000})/g;
/** `config.resolve.alias['~lib'] = …`, `config.resolve.alias.set('~lib', …)` */
const setting =
  /\balias(?:\[\s*(?<mark>['"])(?<quoted>[^'"]+)\k<mark>\s*\]\s*=|\.(?<bare>[\w$]+)\s*=|\s*\.set\(\s*(?<quote>['"])(?<find>[^'"]+)\k<quote>\s*,)(?<value>[^;\n]*)/g;
/** Folders in which names are looked for: `resolve.modules` of webpack, `root` of Babel's module resolver. */
const looking = /\b(?:modules|root)["']?\s*:\s*\[([^\]]{0,1000})\]/g;

/**
 * @param folder absolute: where such a configuration stands
 * @returns those of tests, without which the code runs, apart
 */
export function bundlerAliasesIn(folder: string): { readonly paths: Aliases['paths']; readonly inTests: Aliases['paths'] } {
  const parts = textsIn(folder, configuration).map(withoutComments).map(withoutTests);
  const inside = beside.flatMap((name) =>
    textsIn(join(folder, name), configuration).map((text) => ({ name, text: withoutComments(text) })),
  );
  const tests = [...textsIn(folder, ofTests).map(withoutComments), ...parts.flatMap((part) => part.tests)];
  return {
    paths: [
      ...parts.flatMap(({ rest }) => aliasesIn([folder], rest)),
      ...inside.flatMap(({ name, text }) => aliasesIn([folder, join(folder, name)], text)),
      ...['', 'public', 'src'].flatMap((name) =>
        textsIn(join(folder, name), /\.html?$/).flatMap((page) => mapsOf(join(folder, name), page)),
      ),
    ],
    inTests: tests.flatMap((text) => aliasesIn([folder], text)),
  };
}

/** Takes what Vitest is told out of a configuration. */
function withoutTests(text: string): { readonly rest: string; readonly tests: readonly string[] } {
  const tests = Array.from(text.matchAll(testing), ({ 0: key, index }) => blockOf(text.slice(index + key.length)));
  return { rest: tests.reduce((rest, block) => rest.replace(block, () => '{}'), text), tests };
}

/** @param folders what paths may be relative to */
function aliasesIn(folders: readonly string[], text: string): Aliases['paths'] {
  const within = (path: string, below = ''): string[] => folders.map((folder) => `${join(folder, path)}${below}`);
  const blocks = Array.from(text.matchAll(aliasing), ([, block = '']) => block);
  const entries = blocks.flatMap((block) => Array.from(blockOf(block).matchAll(entry), ({ groups = {} }) => groups));
  const set = Array.from(text.matchAll(setting), ({ groups = {} }) => groups);
  const aliases = [...entries, ...set].flatMap(({ find, beginning, quoted, bare, value = '' }) => {
    const path = Array.from(value.matchAll(/'([^']*)'|"([^"]*)"/g), ([, one, other]) => one ?? other ?? '').join('/');
    if (path === '') return [];
    if (beginning !== undefined) return [{ pattern: `${beginning.replaceAll('\\', '')}*`, targets: within(path.replace(/\$1$/, ''), '*') }];
    const name = (find ?? quoted ?? bare ?? '').replace(/\/$/, '');
    // Of webpack: this name alone, and nothing below it.
    if (name.endsWith('$') && name.length > 1) return [{ pattern: name.slice(0, -1), targets: within(path) }];
    return ['', '/*'].map((below) => ({ pattern: `${name}${below}`, targets: within(path, below) }));
  });
  const roots = Array.from(text.matchAll(looking), ([, listed = '']) => listed).flatMap((listed) =>
    Array.from(listed.matchAll(/['"]([^'"]+)['"]/g), ([, path = '']) => path).filter((path) => !path.includes('node_modules')),
  );
  return roots.length === 0 ? aliases : [...aliases, { pattern: '*', targets: roots.flatMap((path) => within(path, '/*')) }];
}

/** An import map of a page, whose own folder is the root of its site. */
function mapsOf(folder: string, page: string): Aliases['paths'] {
  const maps = Array.from(page.matchAll(/<script[^>]*\btype=["']?importmap\b[^>]*>([^]*?)<\/script>/gi), ([, map = '']) => map);
  return maps.flatMap((map) => aliasesIn([folder], map));
}

/** Up to the bracket that closes the first one. */
function blockOf(text: string): string {
  let depth = 0;
  const end = Array.from(text).findIndex((each) => {
    if ('[{'.includes(each)) depth += 1;
    if (']}'.includes(each)) depth -= 1;
    return depth === 0;
  });
  return text.slice(0, end + 1);
}
