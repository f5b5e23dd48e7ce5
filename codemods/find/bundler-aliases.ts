/** Names that bundlers give to folders and files (`resolve.alias` of Vite and webpack), as far as their configuration says so in texts. */
import { join } from 'node:path';
import { textsIn, withoutComments } from './repository.ts';
import type { Aliases } from './tsconfig.ts';

const configuration = /^(?:vite|electron\.vite|astro|svelte|webpack|rspack|rsbuild|vue|nuxt|craco)\.config(?:\.\w+)?\.[cm]?[jt]s$/;

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

/**
 * @param folder absolute: where such a configuration stands
 * @returns those of tests, without which the code runs, apart
 */
export function bundlerAliasesIn(folder: string): { readonly paths: Aliases['paths']; readonly inTests: Aliases['paths'] } {
  const parts = textsIn(folder, configuration).map(withoutComments).map(withoutTests);
  const tests = [...textsIn(folder, ofTests).map(withoutComments), ...parts.flatMap((part) => part.tests)];
  return {
    paths: parts.flatMap(({ rest }) => aliasesIn(folder, rest)),
    inTests: tests.flatMap((text) => aliasesIn(folder, text)),
  };
}

/** Takes what Vitest is told out of a configuration. */
function withoutTests(text: string): { readonly rest: string; readonly tests: readonly string[] } {
  const tests = Array.from(text.matchAll(testing), ({ 0: key, index }) => blockOf(text.slice(index + key.length)));
  return { rest: tests.reduce((rest, block) => rest.replace(block, () => '{}'), text), tests };
}

function aliasesIn(folder: string, text: string): Aliases['paths'] {
  return Array.from(text.matchAll(/\balias\s*:\s*([[{][^]{0,4000})/g), ([, block = '']) => block)
    .flatMap((block) => Array.from(blockOf(block).matchAll(entry), ({ groups = {} }) => groups))
    .flatMap(({ find, beginning, quoted, bare, value = '' }) => {
      const path = Array.from(value.matchAll(/'([^']*)'|"([^"]*)"/g), ([, one, other]) => one ?? other ?? '').join('/');
      if (path === '') return [];
      if (beginning !== undefined)
        return [{ pattern: `${beginning.replaceAll('\\', '')}*`, targets: [`${join(folder, path.replace(/\$1$/, ''))}*`] }];
      const name = (find ?? quoted ?? bare ?? '').replace(/\/$/, '');
      const target = join(folder, path);
      return [name, `${name}/*`].map((pattern) => ({ pattern, targets: [pattern === name ? target : `${target}/*`] }));
    });
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
