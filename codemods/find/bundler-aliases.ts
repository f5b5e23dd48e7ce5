/** Names that bundlers give to folders and files (`resolve.alias` of Vite and webpack), as far as their configuration says so in texts. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from './repository.ts';
import type { Aliases } from './tsconfig.ts';

const configuration = /^(?:vite|vitest|electron\.vite|astro|svelte|webpack|rspack|rsbuild|vue|nuxt|craco)\.config(?:\.\w+)?\.[cm]?[jt]s$/;

/** `'~lib': …` and `{ find: '~lib', replacement: … }`: the path is all texts up to the end of the entry. */
const entry =
  /(?:find:\s*(['"])([^'"]+)\1,\s*replacement|(['"])([@~#$\w][\w@~#$./-]*)\3|(?<=[{,]\s*)([\w$]+))\s*:\s*((?:[\w$.]+|new\s+URL|\((?:[^()'"]|\([^()]*\)|'[^']*'|"[^"]*")*\)|'[^']*'|"[^"]*"|\s)+)/g;

/** @param folder absolute: where such a configuration stands */
export function bundlerAliasesIn(folder: string): Aliases['paths'] {
  return namesIn(folder)
    .flatMap((name) =>
      Array.from((readIfThere(join(folder, name)) ?? '').matchAll(/\balias\s*:\s*([[{][^]{0,4000})/g), ([, text = '']) => text),
    )
    .flatMap((text) => Array.from(blockOf(text).matchAll(entry)))
    .flatMap(([, , find, , quoted, bare, value = '']) => {
      const path = Array.from(value.matchAll(/'([^']*)'|"([^"]*)"/g), ([, one, other]) => one ?? other ?? '').join('/');
      const name = (find ?? quoted ?? bare ?? '').replace(/\/$/, '');
      const target = join(folder, path);
      return path === '' ? [] : [name, `${name}/*`].map((pattern) => ({ pattern, targets: [pattern === name ? target : `${target}/*`] }));
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => configuration.test(name));
  } catch {
    return [];
  }
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
